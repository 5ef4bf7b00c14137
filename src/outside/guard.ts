import { lookup } from "node:dns/promises";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { isPublicAddress, isWebPort } from "./public-addresses.ts";
import { withTimeLimit } from "./http.ts";

/** Rejects with the error of `node:dns`. */
export type NameResolver = (name: string) => Promise<readonly string[]>;

export type SocketDialler = (addresses: readonly string[], port: number) => Socket;

export interface GuardOptions {
  resolver?: NameResolver;
  dialler?: SocketDialler;
  isAllowedAddress?: (address: string) => boolean;
}

export interface GuardedRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  signal?: AbortSignal;
  /** Includes TLS. */
  connectMs?: number;
  /** Counts from the connection to the first byte of the headers. */
  responseMs?: number;
}

export interface Guard {
  /** Resolves once, checks, and connects to a checked address. TLS is left to the caller. */
  connect(url: URL, signal: AbortSignal): Promise<Socket>;
  /** Leaves the body unread. Never follows redirects. */
  request(url: URL, question: GuardedRequest): Promise<IncomingMessage>;
}

const REJECTION_MESSAGES = {
  scheme: "the address is neither http nor https",
  credentials: "the address holds a user or a password",
  port: "the port is not one of the web",
  address: "the name resolves to an address that is not public",
};

export class RejectedAddress extends Error {
  override name = "RejectedAddress";
  readonly code = "ADDRESS_REFUSED";
  readonly rejection: keyof typeof REJECTION_MESSAGES;

  constructor(refusal: keyof typeof REJECTION_MESSAGES) {
    super(REJECTION_MESSAGES[refusal]);
    this.rejection = refusal;
  }
}

/** An untrusted certificate or protocol. */
export class TlsFailed extends Error {
  override name = "TlsFailed";
}

/** The peer sent endless interim responses (status 1xx) or switched protocols. */
export class InvalidResponse extends Error {
  override name = "InvalidResponse";
}

/** Real pages need at most a third. */
const MAX_HEADER_BYTES = 48 * 1024;
const MAX_INTERIM_RESPONSES = 10;
const CONNECT_MS = 10_000;
const RESPONSE_MS = 20_000;

/** Blocks internal addresses (SSRF). Connects only to checked addresses, against DNS rebinding. */
export function openGuard(options: GuardOptions = {}): Guard {
  const { resolver = resolveBySystem, dialler = dial, isAllowedAddress = isPublicAddress } = options;

  async function resolveHost(url: URL): Promise<readonly string[]> {
    // `URL` normalises every notation: decimal, octal, hexadecimal, short, and other digits.
    const host = url.hostname.replace(/^\[|\]$/g, "");
    const addresses = isIP(host) === 0 ? (findLoopbackAddresses(host) ?? (await resolver(host))) : [host];
    if (addresses.length === 0 || !addresses.every(isAllowedAddress)) throw new RejectedAddress("address");
    return addresses;
  }

  const guard: Guard = {
    async connect(url, signal) {
      checkUrl(url);
      const addresses = await resolveHost(url);
      signal.throwIfAborted();
      return waitForSocket(dialler(addresses, getPort(url)), "connect", signal);
    },
    async request(
      url,
      { method = "GET", headers = {}, body, signal, connectMs = CONNECT_MS, responseMs = RESPONSE_MS },
    ) {
      const socket = await withTimeLimit(connectMs, signal, async (limit) => {
        const open = await guard.connect(url, limit);
        return url.protocol === "https:" ? connectSecure(open, url, limit) : open;
      });
      const request = httpRequest({
        method,
        path: `${url.pathname}${url.search}`,
        headers: { host: url.host, connection: "close", ...headers },
        maxHeaderSize: MAX_HEADER_BYTES,
        createConnection: () => socket,
        ...(signal ? { signal } : {}),
      });
      const work = (limit: AbortSignal) =>
        new Promise<IncomingMessage>((resolve, reject) => {
          let interim = 0;
          let answer: IncomingMessage | undefined;
          request.on("information", () => {
            if (++interim > MAX_INTERIM_RESPONSES) request.destroy(new InvalidResponse("the answer never begins"));
          });
          request.on("upgrade", (_answer, upgraded) => {
            upgraded.destroy();
            reject(new InvalidResponse("the answer is of another protocol"));
          });
          request.on("response", (incoming) => resolve((answer = incoming)));
          // The request reports a broken body; passes the error to the body's reader.
          request.on("error", (error) => {
            reject(error);
            if (answer?.complete === false) answer.destroy(error);
          });
          limit.addEventListener("abort", () => void request.destroy());
          request.end(body);
        });
      return withTimeLimit(responseMs, signal, work).catch((error: unknown) => {
        request.destroy();
        throw error;
      });
    },
  };
  return guard;
}

/** RFC 6761 section 6.3: always this machine. */
function findLoopbackAddresses(name: string): readonly string[] | undefined {
  return /(?:^|\.)localhost\.?$/.test(name) ? ["127.0.0.1", "::1"] : undefined;
}

function checkUrl(url: URL): void {
  if (url.protocol !== "http:" && url.protocol !== "https:") throw new RejectedAddress("scheme");
  if (`${url.username}${url.password}` !== "") throw new RejectedAddress("credentials");
  if (!isWebPort(getPort(url))) throw new RejectedAddress("port");
}

function getPort(url: URL): number {
  if (url.port !== "") return Number(url.port);
  return url.protocol === "https:" ? 443 : 80;
}

async function resolveBySystem(name: string): Promise<readonly string[]> {
  const found = await lookup(name, { all: true });
  return found.map(({ address }) => address);
}

/** Happy Eyeballs (RFC 8305), without resolving the name again. */
function dial(addresses: readonly string[], port: number): Socket {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  const pinned: LookupFunction = (_name, wanted, answer) => {
    const [first] = found;
    if (wanted.all || !first) answer(null, found);
    else answer(null, first.address, first.family);
  };
  return connectTcp({ host: "checked.invalid", port, lookup: pinned, autoSelectFamily: true });
}

async function connectSecure(socket: Socket, url: URL, signal: AbortSignal): Promise<Socket> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  // RFC 6066 section 3: an IP address is no server name.
  const names = isIP(host) === 0 ? { servername: host } : { host };
  const secure = connectTls({ socket, ...names, ALPNProtocols: ["http/1.1"] });
  try {
    return await waitForSocket(secure, "secureConnect", signal);
  } catch (error) {
    socket.destroy();
    if (signal.aborted || (error as NodeJS.ErrnoException).code === "ECONNRESET") throw error;
    throw new TlsFailed("the connection could not be secured", { cause: error });
  }
}

async function waitForSocket<S extends Socket>(socket: S, event: "connect" | "secureConnect", signal: AbortSignal) {
  const giveUp = () => void socket.destroy(new Error("given up"));
  signal.addEventListener("abort", giveUp);
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once(event, resolve).once("error", reject);
      socket.once("close", () => reject(Object.assign(new Error("closed"), { code: "ECONNRESET" })));
    });
    return socket;
  } finally {
    signal.removeEventListener("abort", giveUp);
    // From here on, the request reports errors; without a request they are ignored.
    socket.on("error", () => undefined);
  }
}
