/** The site that comes with the program, for a first audit without a network. Names below .example are never registered (RFC 2606). */
export const BUNDLED_ORIGIN = "https://www.kestrova.example";

/** True for addresses of that site: its pages are invented, and nothing is fetched for them. */
export function isBundled(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  return hostname === "kestrova.example" || hostname === "www.kestrova.example";
}
