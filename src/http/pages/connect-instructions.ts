import { html, type Html } from "./html.ts";

export function waysToConnect(mcpUrl: string): Html {
  const shortListUrl = `${mcpUrl}?toolsets=essentials`;
  const server = { "brand-visibility": { type: "http", url: shortListUrl } };
  const [json, vsCode] = [{ mcpServers: server }, { servers: server }].map((one) => JSON.stringify(one, null, 2));
  return html`<p>
      Paste this URL into your assistant. The first time it needs your data, it opens this site and you sign in. You do
      not need a key.
    </p>
    <p class="address"><span>MCP server</span><code>${mcpUrl}</code></p>
    <details open>
      <summary>Claude Code</summary>
      <pre><code>claude mcp add --transport http brand-visibility ${mcpUrl}</code></pre>
    </details>
    <details>
      <summary>Claude, web and desktop</summary>
      <p class="hint">
        Settings, Connectors, Add custom connector, then paste the URL. It must begin with https and be reachable from
        the internet.
      </p>
    </details>
    <details>
      <summary>Cursor and most others</summary>
      <p class="hint">In <code>.cursor/mcp.json</code>, or wherever your assistant lists its MCP servers.</p>
      <pre><code>${json}</code></pre>
    </details>
    <details>
      <summary>VS Code</summary>
      <p class="hint">In <code>.vscode/mcp.json</code>.</p>
      <pre><code>${vsCode}</code></pre>
    </details>
    <details>
      <summary>ChatGPT</summary>
      <p class="hint">
        Settings, Connectors, Create, then paste <code>${shortListUrl}</code>. It must begin with https and be reachable
        from the internet.
      </p>
    </details>
    <p class="hint">
      <code>?toolsets=essentials</code> is for assistants that show every tool to their model: the most needed tools,
      and one that finds the others. If yours cannot call what it finds, add toolsets, such as
      <code>?toolsets=essentials,geo-audits</code>.
    </p>
    <p class="hint">
      To limit an assistant to one workspace, choose the workspace when you allow access, or use
      <code>${mcpUrl}/w/</code> followed by the id of the workspace.
    </p>
    <p class="hint">
      If your assistant can sign in only while it connects, use <code>${mcpUrl}/connect</code> instead.
    </p>`;
}
