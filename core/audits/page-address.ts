import { registrableDomain } from "../identity/domains.ts";

const MAX_LENGTH = 2000;

/** Drops the fragment; null unless http or https without credentials. */
export function normaliseAddress(text: string, base?: string): string | null {
  if (text.length > MAX_LENGTH || !URL.canParse(text, base)) return null;
  const url = new URL(text, base);
  if (!["http:", "https:"].includes(url.protocol) || url.username !== "" || url.password !== "") return null;
  url.hash = "";
  return url.href.length > MAX_LENGTH ? null : url.href;
}

/** Compares registrable domains. */
export function isSameSite(address: string, website: string): boolean {
  return registrableDomain(address) === registrableDomain(website);
}
