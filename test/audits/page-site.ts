import type { IncomingMessage, ServerResponse } from "node:http";
import { createCrawler, startSite } from "./crawler-scene.ts";

export type Pages = Record<string, (response: ServerResponse, request: IncomingMessage) => unknown>;

/** A site with these pages, and its requests. */
export async function startPageSite(pages: Pages) {
  const requests: IncomingMessage[] = [];
  const there = await startSite((request, response) => {
    requests.push(request);
    const page = pages[request.url ?? ""];
    if (page) page(response, request);
    else response.writeHead(404, { "content-type": "text/html" }).end("<p>Not here");
  });
  return { requests, crawler: createCrawler(there), [Symbol.asyncDispose]: () => there[Symbol.asyncDispose]() };
}

export const html =
  (body: string | Buffer, headers: Record<string, string | string[]> = {}) =>
  (response: ServerResponse) =>
    response.writeHead(200, { "content-type": "text/html; charset=utf-8", ...headers }).end(body);
export const redirectTo =
  (location: string, status = 301) =>
  (response: ServerResponse) =>
    response.writeHead(status, { location }).end();
