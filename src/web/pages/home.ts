import { html, type Html } from "../html.ts";

/** Where everything is, and what to paste into an assistant. */
export function homePage(addresses: {
  name: string;
  mcpUrl: string;
  baseUrl: string;
  organizations: { name: string; role: string }[];
  workspaces: { name: string; role: string }[];
}): Html {
  const { mcpUrl, baseUrl } = addresses;
  const json = JSON.stringify({ mcpServers: { "brand-visibility": { type: "http", url: mcpUrl } } }, null, 2);
  const vsCode = JSON.stringify({ servers: { "brand-visibility": { type: "http", url: mcpUrl } } }, null, 2);
  return html` <h1>Hello, ${addresses.name}</h1>
    <p class="lead">Ask about your brands from the assistant that you already use, or from your own programs.</p>
    <section aria-labelledby="connect">
      <h2 id="connect">Connect an assistant</h2>
      <p>
        Paste the address. The first time the assistant needs your numbers, it opens this site and you sign in; no key
        is needed.
      </p>
      <p class="address"><span>Agent tools</span><code>${mcpUrl}</code></p>
      <details open>
        <summary>Claude Code</summary>
        <pre><code>claude mcp add --transport http brand-visibility ${mcpUrl}</code></pre>
      </details>
      <details>
        <summary>Cursor and most others</summary>
        <p class="hint">In <code>.cursor/mcp.json</code>, or wherever your assistant keeps its servers.</p>
        <pre><code>${json}</code></pre>
      </details>
      <details>
        <summary>VS Code</summary>
        <p class="hint">In <code>.vscode/mcp.json</code>.</p>
        <pre><code>${vsCode}</code></pre>
      </details>
      <p class="hint">
        An assistant that can sign in only while it connects takes <code>${mcpUrl}/connect</code> instead.
      </p>
    </section>
    <section aria-labelledby="rest">
      <h2 id="rest">Use it from a program</h2>
      <p>Make an <a href="/api-keys">API key</a>, exchange it for a token, and send the token.</p>
      <p class="address"><span>REST</span><code>${baseUrl}/v1</code></p>
      <p class="address">
        <span>Reference</span><a href="/docs"><code>${baseUrl}/docs</code></a>
      </p>
      <p class="address">
        <span>Description</span><a href="/openapi.json"><code>${baseUrl}/openapi.json</code></a>
      </p>
    </section>
    <section aria-labelledby="yours">
      <h2 id="yours">What you can see</h2>
      <div class="columns">
        ${memberships("Organizations", addresses.organizations)} ${memberships("Workspaces", addresses.workspaces)}
      </div>
    </section>`;
}

function memberships(title: string, rows: { name: string; role: string }[]): Html {
  return html`<div>
    <h3>${title}</h3>
    ${
      rows.length === 0
        ? html`<p class="faint">None yet.</p>`
        : html`<ul class="rows">
            ${rows.map(({ name, role }) => html`<li><span>${name}</span><span class="badge">${role}</span></li>`)}
          </ul>`
    }
  </div>`;
}
