import { html, type Html } from "../html.ts";
import { favouritesSection, overviewSections, type Overview } from "./overview.ts";

/** The overview, and what to paste into an assistant. */
export function homePage(view: Overview & { name: string; mcpUrl: string; baseUrl: string }): Html {
  const { mcpUrl, baseUrl } = view;
  const json = JSON.stringify({ mcpServers: { "brand-visibility": { type: "http", url: mcpUrl } } }, null, 2);
  const vsCode = JSON.stringify({ servers: { "brand-visibility": { type: "http", url: mcpUrl } } }, null, 2);
  return html` <h1>Hello, ${view.name}</h1>
    <p class="lead">Ask about your brands from the assistant you already use, or from your own programs.</p>
    ${favouritesSection(view)}
    <section aria-labelledby="connect">
      <h2 id="connect">Connect an assistant</h2>
      <p>
        Paste this URL into your assistant. The first time it needs your data, it opens this site and you sign in. You
        do not need a key.
      </p>
      <p class="address"><span>MCP server</span><code>${mcpUrl}</code></p>
      <details open>
        <summary>Claude Code</summary>
        <pre><code>claude mcp add --transport http brand-visibility ${mcpUrl}</code></pre>
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
      </p>
    </section>
    <section aria-labelledby="rest">
      <h2 id="rest">Use it from a program</h2>
      <p>Create an <a href="/api-keys">API key</a>, exchange it for an access token, and send the token.</p>
      <p class="address"><span>REST</span><code>${baseUrl}/v1</code></p>
      <p class="address">
        <span>Reference</span><a href="/docs"><code>${baseUrl}/docs</code></a>
      </p>
      <p class="address">
        <span>OpenAPI</span><a href="/openapi.json"><code>${baseUrl}/openapi.json</code></a>
      </p>
    </section>
    ${overviewSections(view)}`;
}
