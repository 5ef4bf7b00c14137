/**
 * Origin of the bundled demo site, audited without a network. Names below .example are never
 * registered (RFC 2606).
 */
export const BUNDLED_ORIGIN = "https://www.kestrova.example";

/** True for pages of the bundled site, which are never fetched. */
export function isBundledUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  return hostname === "kestrova.example" || hostname === "www.kestrova.example";
}
