import { registrableDomain } from "../identity/domains.ts";

/** Max length of a page's URL. */
const MAX_LENGTH = 2000;

/**
 * Normalises an address: http or https, without credentials and fragment. Returns null for other
 * text, and for a relative address without base.
 */
export function normaliseAddress(text: string, base?: string): string | null {
  if (text.length > MAX_LENGTH || !URL.canParse(text, base)) return null;
  const url = new URL(text, base);
  if (!["http:", "https:"].includes(url.protocol) || url.username !== "" || url.password !== "") return null;
  url.hash = "";
  return url.href.length > MAX_LENGTH ? null : url.href;
}

/** True for addresses of the same registrable domain. */
export function isSameSite(address: string, website: string): boolean {
  return registrableDomain(address) === registrableDomain(website);
}
