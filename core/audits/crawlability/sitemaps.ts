import SOURCES from "../../../lists/rule-sources.json" with { type: "json" };
import { passed, skipped, warned, definePageChecks, defineSiteChecks } from "../check.ts";
import { countNoun } from "../count-noun.ts";
import { createTextEvidence } from "./site-robots.ts";

export const SITEMAP_SITE_CHECKS = defineSiteChecks("crawlability", [
  {
    id: "sitemap_readable",
    title: "The site has a sitemap without faults",
    weight: 2,
    howToFix:
      "Publish an XML sitemap with the full URL of every page that engines should find, name it in robots.txt, and fix the listed faults.",
    source: SOURCES.SITEMAPS_ORG,
    strength: "documented_by_an_engine",
    run({ sitemap }) {
      if ("unread" in sitemap) return skipped(sitemap.unread);
      if (sitemap.files.length === 0) return warned("No sitemap was found.");
      if (sitemap.faults.length === 0) return passed(`${countNoun(sitemap.files.length, "sitemap")} could be read.`);
      return warned(
        `The sitemap has ${countNoun(sitemap.faults.length, "fault")}.`,
        sitemap.faults.map(createTextEvidence),
      );
    },
  },
]);

export const SITEMAP_PAGE_CHECKS = definePageChecks("crawlability", [
  {
    id: "sitemap_lists_page",
    of: "address",
    title: "The sitemap lists the page",
    weight: 1,
    howToFix: "Add the page's own address to the sitemap, as it answers without a redirect.",
    source: SOURCES.GOOGLE_SITEMAPS,
    strength: "documented_by_an_engine",
    run({ fetched: { url, finalUrl, status }, site: { sitemap } }) {
      if ("unread" in sitemap) return skipped(sitemap.unread);
      if (sitemap.files.length === 0) return skipped("No sitemap was found.");
      if (status < 200 || status >= 300) return skipped(`The page answers with status ${status}.`);
      if (sitemap.urls.includes(normaliseEntry(finalUrl))) return passed("The sitemap lists the page.");
      if (sitemap.urls.includes(normaliseEntry(url)))
        return warned("The sitemap lists an address that redirects to the page.");
      if (sitemap.urls.includes(toggleTrailingSlash(finalUrl)))
        return warned("The sitemap lists the page's address with a different trailing slash.");
      return warned("The sitemap does not list the page.");
    },
  },
]);

/** The form used for sitemap entries. */
function normaliseEntry(address: string): string {
  const url = new URL(address);
  url.hash = "";
  return url.href;
}

function toggleTrailingSlash(address: string): string {
  const url = new URL(normaliseEntry(address));
  url.pathname = url.pathname.endsWith("/") ? url.pathname.slice(0, -1) : `${url.pathname}/`;
  return url.href;
}
