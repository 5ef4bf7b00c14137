import { createSocket } from "node:dgram";
import { once, setMaxListeners } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { connect, createServer as createTcpServer, type AddressInfo, type Server, type Socket } from "node:net";
import { AUTHORITATIVE_ANSWER, decode, encode, type Answer } from "dns-packet";
import type { Crawler } from "../../core/audits/crawler.ts";
import type { SocketDialler, NameResolver } from "../../src/outside/guard.ts";
import { openCrawler, type CrawlerStandIn } from "../../src/outside/crawler/open-crawler.ts";

/**
 * The address that names of sites have in tests: of the public internet, and connected to on
 * loopback.
 */
export const PUBLIC_ADDRESS = "93.184.215.14";

const resolvePublic: NameResolver = () => Promise.resolve([PUBLIC_ADDRESS]);

const CONFIG = { BASE_URL: "https://visibility.example", PORT: 0, DNS_SERVERS: undefined, CHROMIUM_PATH: undefined };

export function createCrawler(standIn: CrawlerStandIn, chromiumPath?: string): Crawler {
  const { signal } = new AbortController();
  setMaxListeners(0, signal);
  return openCrawler({ ...CONFIG, CHROMIUM_PATH: chromiumPath }, signal, standIn);
}

async function listen(server: Server, address = "127.0.0.1", port = 0): Promise<number> {
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, address, resolve));
  return (server.address() as AddressInfo).port;
}

async function closed(servers: readonly Server[], sockets: Iterable<Socket>): Promise<void> {
  for (const socket of sockets) socket.destroy();
  for (const server of servers) await new Promise((resolve) => server.close(resolve));
}

/** Sockets of a server, so that it can be closed while some are open. */
function socketsOf(server: Server): Set<Socket> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
  });
  return sockets;
}

/** A site of the internet: every name is at PUBLIC, which is connected to here. */
export async function startSite(answer: RequestListener) {
  const server = createServer(answer);
  const sockets = socketsOf(server);
  const port = await listen(server);
  const dialler: SocketDialler = () => connect(port, "127.0.0.1");
  return {
    port,
    resolver: resolvePublic,
    dialler,
    [Symbol.asyncDispose]: () => closed([server], sockets),
  };
}

/** A raw TCP server for HTTP that no library would send. `sent` counts its bytes. */
export async function startRawSite(speak: (socket: Socket, request: string) => void) {
  const server = createTcpServer((socket) => {
    socket.once("data", (request) => speak(socket, request.toString("latin1")));
  });
  const sockets = socketsOf(server);
  const port = await listen(server);
  return {
    resolver: resolvePublic,
    dialler: (() => connect(port, "127.0.0.1")) satisfies SocketDialler,
    open: () => sockets.size,
    [Symbol.asyncDispose]: () => closed([server], sockets),
  };
}

/**
 * Servers that must not be reached: one port on several loopback addresses, TCP and UDP. Counts
 * connections.
 */
export async function startCanary() {
  const reached: string[] = [];
  const servers: Server[] = [];
  let sockets: Socket[] = [];
  let port = 0;
  for (const address of ["127.0.0.1", "127.0.0.2", "::1"]) {
    const server = createServer((request, response) => {
      reached.push(`${request.method ?? ""} ${request.url ?? ""}`);
      response.writeHead(200, { "content-type": "text/html", "access-control-allow-origin": "*" }).end("<p>CANARY");
    });
    server.on("connection", (socket: Socket) => {
      reached.push("tcp");
      sockets.push(socket);
    });
    server.on("upgrade", (request, socket) => {
      reached.push(`upgrade ${request.url ?? ""}`);
      socket.destroy();
    });
    port = await listen(server, address, port);
    servers.push(server);
  }
  const udp = createSocket("udp4").on("message", ({ length }) => void reached.push(`udp ${length}`));
  udp.bind(port, "127.0.0.1");
  await once(udp, "listening");
  return {
    port,
    /** Connections since the last call. */
    taken: () => reached.splice(0),
    async [Symbol.asyncDispose]() {
      await closed(servers, sockets);
      sockets = [];
      udp.close();
    },
  };
}

/** A DNS server on loopback with these answers per name in order, repeating the last. */
export async function startAddressServer(names: Record<string, readonly (readonly string[])[]>) {
  const socket = createSocket("udp4");
  const asked: string[] = [];
  socket.on("message", (message, { port, address }) => {
    const { id, questions = [] } = decode(message);
    const [question] = questions;
    const name = question?.name.toLowerCase() ?? "";
    const type = question?.type === "AAAA" ? "AAAA" : "A";
    const given = names[name];
    const turn = asked.filter((earlier) => earlier === `${type} ${name}`).length;
    asked.push(`${type} ${name}`);
    const addresses = given?.[Math.min(turn, given.length - 1)] ?? [];
    const answers = addresses
      .filter((data) => data.includes(":") === (type === "AAAA"))
      .map((data): Answer => ({ type, name, ttl: 0, data }));
    // RFC 1035 section 4.1.1: 3 is NXDOMAIN.
    const flags = AUTHORITATIVE_ANSWER | (given ? 0 : 3);
    socket.send(encode({ type: "response", id: id ?? 0, flags, questions, answers }), port, address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    async [Symbol.asyncDispose]() {
      socket.close();
      await once(socket, "close");
    },
  };
}
