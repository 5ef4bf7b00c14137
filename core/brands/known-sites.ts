import { registrableDomain } from "../identity/domains.ts";
import { foldText } from "../reading/aliases/text-folding.ts";
import { KNOWN_DOMAIN_ROWS } from "./known-domains.ts";

/** Name of a site: "acme" for "https://shop.acme.co.uk/". */
export function toSiteName(url: string): string {
  return (registrableDomain(url).split(".")[0] ?? "").replaceAll("-", "");
}

/** Review, news, shop and forum sites, which answers name as sources; no vendors. */
const KNOWN_SITES = new Set(
  KNOWN_DOMAIN_ROWS.filter(({ host, type }) => type !== "BRANDED_WEBSITE" && registrableDomain(host) === host).map(
    ({ host }) => toSiteName(host),
  ),
);

/** Max length of a site name in a text, including spaces and apostrophes. */
export const MAX_SITE_NAME_LENGTH = 2 * Math.max(...[...KNOWN_SITES].map(({ length }) => length));

/** True for a known site name in any spelling: "Tom's Guide". */
export function isKnownSite(text: string): boolean {
  return KNOWN_SITES.has(foldText(text).lower.replaceAll(/[^\p{L}\p{N}]/gu, ""));
}
