/** Demo site, audited without a network; .example is never registered (RFC 2606). */
export const BUNDLED_ORIGIN = "https://www.kestrova.example";

/** Bundled pages are never fetched. */
export function isBundledUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  return hostname === "kestrova.example" || hostname === "www.kestrova.example";
}
