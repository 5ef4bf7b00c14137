import { getDomain, getHostname } from "tldts";

/** The host of an address or of a bare domain, lower case, without "www."; "" when there is none. */
export function hostOf(address: string): string {
  const host = (getHostname(address.trim()) ?? "")
    .toLowerCase()
    .replace(/^www\./, "")
    .replace(/\.$/, "");
  // A single word is a host only where a scheme says so.
  return host.includes(".") || address.includes("://") ? host : "";
}

/** The registrable domain ("shop.example.co.uk" gives "example.co.uk"); the host itself where there is none. */
export function registrableDomain(address: string): string {
  const host = hostOf(address);
  return getDomain(host) ?? host;
}

/** Finds the most specific entry for a host: the host itself, then each domain above it. */
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
