import { setMaxListeners } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { Transform, type Duplex } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Guard } from "../guard.ts";
import { withTimeLimit } from "../http.ts";
import { readBody } from "./read-body.ts";

export interface ProxyLimits {
  maxBytes: number;
  maxRequests: number;
}

export interface GuardingProxy {
  port: number;
  close(): Promise<void>;
}

const CONNECT_MS = 10_000;
const MAX_SENT_BYTES = 1024 * 1024;
/** Hop-by-hop headers (RFC 9110 section 7.6.1), and headers that the guard sets itself. */
const DROPPED_HEADERS = new Set([
  "connection",
  "host",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Closes rejected requests without a response. */
export async function openGuardingProxy(guard: Guard, limits: ProxyLimits): Promise<GuardingProxy> {
  const closing = new AbortController();
  // Removes the limit of listeners: every request in flight adds one.
  setMaxListeners(0, closing.signal);
  const openSockets = new Set<Duplex>();
  let requests = 0;
  let bytes = 0;

  const trackSocket = <S extends Duplex>(socket: S): S => {
    openSockets.add(socket);
    socket.on("error", () => socket.destroy()).on("close", () => openSockets.delete(socket));
    return socket;
  };
  const counted = () =>
    new Transform({
      transform(chunk: Buffer, _encoding, done) {
        bytes += chunk.length;
        done(bytes > limits.maxBytes ? new Error("the page loads too much") : null, chunk);
      },
    });
  const admit = () => {
    if (++requests > limits.maxRequests) throw new Error("the page sends too many requests");
  };

  async function forwardRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    admit();
    const url = new URL(request.url ?? "");
    // Accepts only the absolute form (RFC 9112 section 3.2.2); https arrives by CONNECT.
    if (url.protocol !== "http:") throw new Error("not a proxy request");
    const { bytes: body, isTruncated } = await readBody(request, undefined, MAX_SENT_BYTES);
    if (isTruncated) throw new Error("the page sends too much");
    const incoming = await guard.request(url, {
      method: request.method ?? "GET",
      headers: Object.fromEntries(toForwardedHeaders(request.rawHeaders)),
      signal: closing.signal,
      ...(body.length > 0 ? { body } : {}),
    });
    response.writeHead(incoming.statusCode ?? 502, toForwardedHeaders(incoming.rawHeaders).flat());
    await pipeline(incoming, counted(), response);
  }

  async function openTunnel(request: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    admit();
    const url = new URL(`https://${request.url ?? ""}`);
    if (url.pathname !== "/" || url.search !== "") throw new Error("not a tunnel address");
    const socket = trackSocket(await withTimeLimit(CONNECT_MS, closing.signal, (limit) => guard.connect(url, limit)));
    client.write("HTTP/1.1 200 OK\r\n\r\n");
    socket.write(head);
    await Promise.all([pipeline(client, socket), pipeline(socket, counted(), client)]);
  }

  const server = createServer((request, response) => {
    forwardRequest(request, response).catch(() => request.socket.destroy());
  });
  server.on("connection", (socket: Socket) => void trackSocket(socket));
  server.on("connect", (request, client: Duplex, head: Buffer) => {
    openTunnel(request, client, head).catch(() => client.destroy());
  });
  server.on("upgrade", (_request, client: Duplex) => client.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(0, "127.0.0.1", resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      closing.abort(new Error("the page is done"));
      for (const socket of openSockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function toForwardedHeaders(raw: readonly string[]): [name: string, value: string][] {
  const named = raw.flatMap((name, at): [string, string][] => (at % 2 === 0 ? [[name, raw[at + 1] ?? ""]] : []));
  return named.filter(([name]) => !DROPPED_HEADERS.has(name.toLowerCase()));
}
