import { registrableDomain } from "../identity/domains.ts";
import { foldText } from "../reading/aliases/text-folding.ts";
import { KNOWN_DOMAIN_ROWS } from "./known-domains.ts";

/** "acme" of "https://shop.acme.co.uk/": what a site is called. */
export function siteName(url: string): string {
  return (registrableDomain(url).split(".")[0] ?? "").replaceAll("-", "");
}

/** Sites of reviews, news, shops and forums: answers name them as their sources, not as brands to choose from, as those of vendors are. */
const KNOWN_SITES = new Set(
  KNOWN_DOMAIN_ROWS.filter(({ host, type }) => type !== "BRANDED_WEBSITE" && registrableDomain(host) === host).map(
    ({ host }) => siteName(host),
  ),
);

/** More characters has no such name in a text, with its spaces and apostrophes. */
export const LONGEST_SITE_TEXT = 2 * Math.max(...[...KNOWN_SITES].map(({ length }) => length));

/** True for the name of such a site, however it is written: "Tom's Guide". */
export function isKnownSite(text: string): boolean {
  return KNOWN_SITES.has(foldText(text).lower.replaceAll(/[^\p{L}\p{N}]/gu, ""));
}
