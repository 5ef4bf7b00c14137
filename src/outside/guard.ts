import { lookup } from "node:dns/promises";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { isPublicAddress, isWebPort } from "./public-addresses.ts";
import { withTimeLimit } from "./http.ts";

/** All addresses of a name. Rejects with the error of `node:dns`. */
export type Resolver = (name: string) => Promise<readonly string[]>;

/** Begins a connection to one of these addresses, which were checked. Tests stand in for the internet with one of their own. */
export type Dialler = (addresses: readonly string[], port: number) => Socket;

export interface GuardOptions {
  resolver?: Resolver;
  dialler?: Dialler;
  /** Which addresses are connected to; the public ones by default. */
  mayReach?: (address: string) => boolean;
}

export interface Question {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  signal?: AbortSignal;
  /** Until the connection is there, secure where it is https. */
  connectMs?: number;
  /** Until the first byte of the answer's headers, from then on. */
  answerMs?: number;
}

/** Connects to addresses that tenants and pages name. */
export interface Guard {
  /** A connection to the host of this address: resolved once, checked, and made to what was checked. Not secured yet. */
  connect(url: URL, signal: AbortSignal): Promise<Socket>;
  /** Sends a request and gives the answer's headers, its body unread. Redirects are given back, never followed. */
  ask(url: URL, question: Question): Promise<IncomingMessage>;
}

const REFUSALS = {
  scheme: "the address is neither http nor https",
  credentials: "the address holds a user or a password",
  port: "the port is not one of the web",
  address: "the name resolves to an address that is not public",
};

/** An address that is not connected to. */
export class RefusedAddress extends Error {
  override name = "RefusedAddress";
  readonly code = "ADDRESS_REFUSED";
  readonly refusal: keyof typeof REFUSALS;

  constructor(refusal: keyof typeof REFUSALS) {
    super(REFUSALS[refusal]);
    this.refusal = refusal;
  }
}

/** A connection that was there and could not be secured: a certificate or a protocol that is not trusted. */
export class NotSecure extends Error {
  override name = "NotSecure";
}

/** An answer that is of HTTP, but not one to a request: interim ones (status 1xx) without end, or another protocol. */
export class InvalidAnswer extends Error {
  override name = "InvalidAnswer";
}

/** What the headers of one answer may take; what pages need is within a third of it. */
const MOST_HEADER_BYTES = 48 * 1024;
const MOST_INTERIM_ANSWERS = 10;
const CONNECT_MS = 10_000;
const ANSWER_MS = 20_000;

/**
 * The guard before every address that a tenant, a client or a page names. A name is resolved once, refused where any of its
 * addresses is one of the inside, and connected to at the very addresses that were looked at: neither a name of the inside
 * nor one that changes between look-up and connection leads there. Neither settings nor variables of a proxy matter.
 */
export function openGuard(options: GuardOptions = {}): Guard {
  const { resolver = namesOfSystem, dialler = dial, mayReach = isPublicAddress } = options;

  async function addressesOf(url: URL): Promise<readonly string[]> {
    // `URL` has made one form of every way to write an address: decimal, octal, hexadecimal, short, in other digits.
    const host = url.hostname.replace(/^\[|\]$/g, "");
    const addresses = isIP(host) === 0 ? (addressesOfThisMachine(host) ?? (await resolver(host))) : [host];
    if (addresses.length === 0 || !addresses.every(mayReach)) throw new RefusedAddress("address");
    return addresses;
  }

  const guard: Guard = {
    async connect(url, signal) {
      checkForm(url);
      const addresses = await addressesOf(url);
      signal.throwIfAborted();
      return settled(dialler(addresses, portOf(url)), "connect", signal);
    },
    async ask(url, { method = "GET", headers = {}, body, signal, connectMs = CONNECT_MS, answerMs = ANSWER_MS }) {
      const socket = await withTimeLimit(connectMs, signal, async (limit) => {
        const open = await guard.connect(url, limit);
        return url.protocol === "https:" ? secured(open, url, limit) : open;
      });
      const request = httpRequest({
        method,
        path: `${url.pathname}${url.search}`,
        headers: { host: url.host, connection: "close", ...headers },
        maxHeaderSize: MOST_HEADER_BYTES,
        createConnection: () => socket,
        ...(signal ? { signal } : {}),
      });
      const work = (limit: AbortSignal) =>
        new Promise<IncomingMessage>((resolve, reject) => {
          let interim = 0;
          let answer: IncomingMessage | undefined;
          request.on("information", () => {
            if (++interim > MOST_INTERIM_ANSWERS) request.destroy(new InvalidAnswer("the answer never begins"));
          });
          request.on("upgrade", (_answer, upgraded) => {
            upgraded.destroy();
            reject(new InvalidAnswer("the answer is of another protocol"));
          });
          request.on("response", (incoming) => resolve((answer = incoming)));
          // What is wrong with a body is known to the request, and told to those who read the body.
          request.on("error", (error) => {
            reject(error);
            if (answer?.complete === false) answer.destroy(error);
          });
          limit.addEventListener("abort", () => void request.destroy());
          request.end(body);
        });
      return withTimeLimit(answerMs, signal, work).catch((error: unknown) => {
        request.destroy();
        throw error;
      });
    },
  };
  return guard;
}

/** Of names that mean this machine whatever a name server says of them (RFC 6761, section 6.3). */
function addressesOfThisMachine(name: string): readonly string[] | undefined {
  return /(?:^|\.)localhost\.?$/.test(name) ? ["127.0.0.1", "::1"] : undefined;
}

function checkForm(url: URL): void {
  if (url.protocol !== "http:" && url.protocol !== "https:") throw new RefusedAddress("scheme");
  if (`${url.username}${url.password}` !== "") throw new RefusedAddress("credentials");
  if (!isWebPort(portOf(url))) throw new RefusedAddress("port");
}

function portOf(url: URL): number {
  if (url.port !== "") return Number(url.port);
  return url.protocol === "https:" ? 443 : 80;
}

/** As this machine's programs resolve names, its file of hosts included. */
async function namesOfSystem(name: string): Promise<readonly string[]> {
  const found = await lookup(name, { all: true });
  return found.map(({ address }) => address);
}

/** To whichever of the addresses answers first (RFC 8305). The name stands for them, and is never looked up. */
function dial(addresses: readonly string[], port: number): Socket {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  const pinned: LookupFunction = (_name, wanted, answer) => {
    const [first] = found;
    if (wanted.all || !first) answer(null, found);
    else answer(null, first.address, first.family);
  };
  return connectTcp({ host: "checked.invalid", port, lookup: pinned, autoSelectFamily: true });
}

/** Verified by the certificates that Node.js trusts, for the host of the address. */
async function secured(socket: Socket, url: URL, signal: AbortSignal): Promise<Socket> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  // RFC 6066 section 3: an address is no server name.
  const names = isIP(host) === 0 ? { servername: host } : { host };
  const secure = connectTls({ socket, ...names, ALPNProtocols: ["http/1.1"] });
  try {
    return await settled(secure, "secureConnect", signal);
  } catch (error) {
    socket.destroy();
    if (signal.aborted || (error as NodeJS.ErrnoException).code === "ECONNRESET") throw error;
    throw new NotSecure("the connection could not be secured", { cause: error });
  }
}

/** The socket once it has said so. It is destroyed where it fails or is given up. */
async function settled<S extends Socket>(
  socket: S,
  event: "connect" | "secureConnect",
  signal: AbortSignal,
): Promise<S> {
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
    // What fails from here on is told to the request, or to nothing where there is none yet.
    socket.on("error", () => undefined);
  }
}
