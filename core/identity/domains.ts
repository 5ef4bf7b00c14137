import { getDomain, getHostname } from "tldts";

/** Host of an address or bare domain, in lower case without "www."; "" without a host. */
export function parseHost(address: string): string {
  const host = (getHostname(address.trim()) ?? "")
    .toLowerCase()
    .replace(/^www\./, "")
    .replace(/\.$/, "");
  // A single word is a host only with a scheme.
  return host.includes(".") || address.includes("://") ? host : "";
}

/** Registrable domain ("example.co.uk" for "shop.example.co.uk"); the host if there is none. */
export function registrableDomain(address: string): string {
  const host = parseHost(address);
  return getDomain(host) ?? host;
}

/** Most specific entry of a host: the host, then each parent domain. */
export function lookUpHost<T>(table: ReadonlyMap<string, T>, host: string): T | undefined {
  let rest = host;
  while (rest !== "") {
    const found = table.get(rest);
    if (found !== undefined) return found;
    const dot = rest.indexOf(".");
    rest = dot === -1 ? "" : rest.slice(dot + 1);
  }
  return undefined;
}
