import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { openGuard, RejectedAddress, type GuardOptions } from "./guard.ts";
import type { Fetch } from "./http.ts";

export function createPublicFetch(options: GuardOptions = {}): Fetch {
  const guard = openGuard(options);
  return async (address, init = {}) => {
    const url = new URL(address instanceof Request ? address.url : address);
    const incoming = await guard.request(url, {
      method: init.method ?? "GET",
      headers: Object.fromEntries(new Headers(init.headers)),
      ...(typeof init.body === "string" ? { body: init.body } : {}),
      ...(init.signal ? { signal: init.signal } : {}),
    });
    return toResponse(incoming);
  };
}

export function createSecureFetch(fetch: Fetch, { allowsLocalHttp }: { allowsLocalHttp: boolean }): Fetch {
  return async (address, init) => {
    const { protocol, hostname } = new URL(address instanceof Request ? address.url : address);
    const isLocal = protocol === "http:" && ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
    if (protocol !== "https:" && !(allowsLocalHttp && isLocal)) throw new RejectedAddress("scheme");
    return fetch(address, init);
  };
}

function toResponse(incoming: IncomingMessage): Response {
  const headers = new Headers();
  for (const [name, values] of Object.entries(incoming.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value);
  }
  const status = incoming.statusCode ?? 502;
  const bodiless = status === 204 || status === 205 || status === 304;
  if (bodiless) incoming.resume();
  // Node.js types its web stream separately; the object is identical.
  const body = bodiless ? null : (Readable.toWeb(incoming) as ReadableStream);
  return new Response(body, { status, headers });
}
