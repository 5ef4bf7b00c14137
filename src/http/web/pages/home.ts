import { html, type Html } from "../html.ts";
import { waysToConnect } from "./connect.ts";

/** The start: what to paste into an assistant, and where programs begin. */
export function homePage({ name, mcpUrl, baseUrl }: { name: string; mcpUrl: string; baseUrl: string }): Html {
  return html` <h1>Hello, ${name}</h1>
    <p class="lead">Ask about your brands from the assistant you already use, or from your own programs.</p>
    <section aria-labelledby="connect">
      <h2 id="connect">Connect an assistant</h2>
      ${waysToConnect(mcpUrl)}
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
    </section>`;
}
