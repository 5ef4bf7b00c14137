import { html, type Html } from "../../http/pages/html.ts";
import { renderChecklist } from "../shared/checklist.ts";

export function renderHomePage({
  name,
  mcpUrl,
  baseUrl,
  ...checklistView
}: { name: string; mcpUrl: string; baseUrl: string } & Parameters<typeof renderChecklist>[1]): Html {
  return html` <h1>Hello, ${name}</h1>
    <p class="lead">From your brand to its first figures in five steps.</p>
    ${renderChecklist(mcpUrl, checklistView)}
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
    </section>`;
}
