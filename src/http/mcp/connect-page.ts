import type { IncomingMessage, ServerResponse } from "node:http";
import { html, type Html } from "../web/html.ts";
import { PAGE_HEADERS, pageText, standing } from "../web/page.ts";

/** True for a person's browser, which is answered with a page. A client that reads events asks for these. */
export function isBrowser({ method, headers }: IncomingMessage): boolean {
  const accept = headers.accept ?? "";
  return method === "GET" && accept.includes("text/html") && !accept.includes("text/event-stream");
}

/** Says how to connect an assistant to the tool server, for a person who opened its address. */
export function sendConnectPage(
  response: ServerResponse,
  { mcpUrl, baseUrl }: { mcpUrl: string; baseUrl: string },
): void {
  response.writeHead(200, { ...PAGE_HEADERS, "content-type": "text/html; charset=utf-8" });
  response.end(pageText({ title: "Connect an assistant", body: connectPage(mcpUrl, baseUrl) }));
}

function connectPage(mcpUrl: string, baseUrl: string): Html {
  const cursor = JSON.stringify({ mcpServers: { "brand-visibility": { url: mcpUrl } } });
  const code = JSON.stringify({ name: "brand-visibility", type: "http", url: mcpUrl });
  return standing(
    html` <h1>Connect an assistant</h1>
      <p class="lead">
        This is the address of an MCP server. Give it to your assistant; a browser opens on its first call.
      </p>
      <dl>
        <dt>Address</dt>
        <dd><code>${mcpUrl}</code></dd>
        <dt>Claude Code</dt>
        <dd><code>claude mcp add --transport http brand-visibility ${mcpUrl}</code></dd>
        <dt>Claude Desktop</dt>
        <dd>Settings, Connectors, Add custom connector; the address must be public and begin with https.</dd>
        <dt>Cursor, in ~/.cursor/mcp.json</dt>
        <dd><code>${cursor}</code></dd>
        <dt>VS Code</dt>
        <dd><code>code --add-mcp '${code}'</code></dd>
      </dl>
      <p>
        Where a client cannot sign in during a conversation, use <code>${mcpUrl}/connect</code>, which asks for it right
        away.
      </p>
      <a class="button secondary" href="${baseUrl}/">Go to the start page</a>`,
    { wide: true },
  );
}
