import { html, type Html } from "./html.ts";

export function waysToConnect(mcpUrl: string): Html {
  const server = { "brand-visibility": { type: "http", url: mcpUrl } };
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
    <p class="hint">
      If your assistant can sign in only while it connects, use <code>${mcpUrl}/connect</code> instead.
    </p>`;
}
