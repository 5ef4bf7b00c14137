import type { IncomingMessage, ServerResponse } from "node:http";
import { crawlerOf, site } from "./crawler-scene.ts";

export type Pages = Record<string, (response: ServerResponse, request: IncomingMessage) => unknown>;

/** A site with these pages, and its requests. */
export async function pageSite(pages: Pages) {
  const requests: IncomingMessage[] = [];
  const there = await site((request, response) => {
    requests.push(request);
    const page = pages[request.url ?? ""];
    if (page) page(response, request);
    else response.writeHead(404, { "content-type": "text/html" }).end("<p>Not here");
  });
  return { requests, crawler: crawlerOf(there), [Symbol.asyncDispose]: () => there[Symbol.asyncDispose]() };
}

export const html =
  (body: string | Buffer, headers: Record<string, string | string[]> = {}) =>
  (response: ServerResponse) =>
    response.writeHead(200, { "content-type": "text/html; charset=utf-8", ...headers }).end(body);
export const to =
  (location: string, status = 301) =>
  (response: ServerResponse) =>
    response.writeHead(status, { location }).end();
