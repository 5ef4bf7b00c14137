import type { ServerResponse } from "node:http";
import { html, type Html } from "../pages/html.ts";
import { waysToConnect } from "../pages/connect-instructions.ts";
import { PAGE_HEADERS, renderPage, standalonePage } from "../pages/page.ts";

export function sendConnectPage(response: ServerResponse, { mcpUrl, baseUrl }: { mcpUrl: string; baseUrl: string }) {
  response.writeHead(200, { ...PAGE_HEADERS, "content-type": "text/html; charset=utf-8" });
  response.end(renderPage({ title: "Connect an assistant", body: connectPage(mcpUrl, baseUrl) }));
}

function connectPage(mcpUrl: string, baseUrl: string): Html {
  return standalonePage(
    html` <h1>Connect an assistant</h1>
      <p class="lead">This is the address of an MCP server, for an assistant that answers from your data.</p>
      ${waysToConnect(mcpUrl)}
      <a class="button secondary" href="${baseUrl}/">Go to the start page</a>`,
    { isWide: true },
  );
}
