import { lookup as systemLookup } from "node:dns";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { Readable } from "node:stream";
import type { Fetch } from "./http.ts";

// IANA special-purpose address registries (RFC 6890), and multicast. Of IPv6 only 2000::/3 is given out to hosts.
const NOT_PUBLIC_V4 = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const;
const NOT_PUBLIC_V6 = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const;

const special = new BlockList();
for (const [network, prefix] of NOT_PUBLIC_V4) special.addSubnet(network, prefix, "ipv4");
for (const [network, prefix] of NOT_PUBLIC_V6) special.addSubnet(network, prefix, "ipv6");
const givenOut = new BlockList();
givenOut.addSubnet("2000::", 3, "ipv6");

/** True for an address of the open internet: not of this machine, a local network, or a translation of one. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !special.check(address, "ipv4");
  return isIP(address) === 6 && givenOut.check(address, "ipv6") && !special.check(address, "ipv6");
}

/**
 * Fetches an address that a user entered, from the public internet only: a name is resolved once, refused where any of its addresses
 * is one of the inside, and connected to at the very address that was looked at, so that neither a name of the inside nor
 * one that changes between look-up and connection leads there. Redirects are given back, never followed.
 */
export function publicFetch(
  options: { lookup?: typeof systemLookup; mayReach?: (address: string) => boolean } = {},
): Fetch {
  const { lookup = systemLookup, mayReach = isPublicAddress } = options;

  const guardedLookup: LookupFunction = (hostname, wanted, answer) => {
    lookup(hostname, { ...wanted, all: true }, (error, addresses) => {
      if (error) return answer(error, "", 0);
      const [first] = addresses;
      if (!first || !addresses.every(({ address }) => mayReach(address))) return answer(refused(), "", 0);
      if (wanted.all) answer(null, addresses);
      else answer(null, first.address, first.family);
    });
  };

  return async (address, init = {}) => {
    const url = new URL(address instanceof Request ? address.url : address);
    const host = url.hostname.replace(/^\[|\]$/g, "");
    // A literal address is connected to without a look-up.
    if (isIP(host) !== 0 && !mayReach(host)) throw refused();
    const ask = url.protocol === "https:" ? httpsRequest : httpRequest;
    const headers = Object.fromEntries(new Headers(init.headers));
    const signal = init.signal ?? undefined;
    const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
      const request = ask(url, { method: init.method ?? "GET", headers, lookup: guardedLookup, agent: false, signal });
      request.on("response", resolve).on("error", reject);
      request.end(typeof init.body === "string" ? init.body : undefined);
    });
    return responseOf(incoming);
  };
}

/** Asks over https alone; `allowsLocalHttp` adds http on this machine. */
export function secureFetch(fetch: Fetch, { allowsLocalHttp }: { allowsLocalHttp: boolean }): Fetch {
  return async (address, init) => {
    const { protocol, hostname } = new URL(address instanceof Request ? address.url : address);
    const isLocal = protocol === "http:" && ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
    if (protocol !== "https:" && !(allowsLocalHttp && isLocal)) throw refused("only https is allowed");
    return fetch(address, init);
  };
}

function responseOf(incoming: IncomingMessage): Response {
  const headers = new Headers();
  for (const [name, values] of Object.entries(incoming.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value);
  }
  const status = incoming.statusCode ?? 502;
  const bodiless = status === 204 || status === 205 || status === 304;
  if (bodiless) incoming.resume();
  // Node's own stream of the web has the type of its module, and is the same thing.
  const body = bodiless ? null : (Readable.toWeb(incoming) as ReadableStream);
  return new Response(body, { status, headers });
}

function refused(message = "the name resolves to an address that is not public"): Error {
  return Object.assign(new Error(message), { code: "ADDRESS_REFUSED" });
}
