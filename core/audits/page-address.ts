import { registrableDomain } from "../identity/domains.ts";

/** Addresses of pages are shorter. */
const MOST_LENGTH = 2000;

/**
 * An address in the one form that audits keep: http or https, without credentials and without the part after `#`. Null for any other
 * text, and for an address relative to nothing.
 */
export function pageAddress(text: string, base?: string): string | null {
  if (text.length > MOST_LENGTH || !URL.canParse(text, base)) return null;
  const url = new URL(text, base);
  if (!["http:", "https:"].includes(url.protocol) || url.username !== "" || url.password !== "") return null;
  url.hash = "";
  return url.href.length > MOST_LENGTH ? null : url.href;
}

/** True for addresses of one site: those of one registrable domain, whatever their host. */
export function isOfSite(address: string, website: string): boolean {
  return registrableDomain(address) === registrableDomain(website);
}
