import type { TrackedBrand } from "../reading/capture.ts";
import { hostOf, lookUpHost } from "../identity/domains.ts";
import { KNOWN_DOMAINS } from "./known-domains.ts";
import type { CompetitorType } from "../sources/sources.ts";

const GOVERNMENT_ACADEMIC = /(?:^|\.)(?:gov|edu|mil|ac|gouv|gob|europa)(?:\.[a-z]{2,3})?$/;

/** A forum or a help desk that stands on a known site is not that site. */
const OWN_FORUM = /^(?:forums?|discuss|discussions)\./;
const OWN_HELP = /^(?:support|help|community)\./;

/** Parts of a host that say what kind of site it is, where the table of known domains does not. */
const HOST_PATTERNS: [RegExp, CompetitorType][] = [
  [/(?:^|[.-])(?:support|help|helpcenter|community|communities)\./, "COMMUNITY_HELP_CENTER"],
  [/(?:^|[.-])(?:forums?|board|discuss)[.-]|forums?\./, "QA_FORUM"],
  [/(?:^|[.-])wiki[.-]|wiki\.|pedia\./, "WIKI_ENCYCLOPEDIA"],
  [/(?:^|[.-])(?:shop|store|buy)[.-]|(?:shop|store)\./, "RETAIL_ECOMMERCE"],
  [/(?:news|times|herald|tribune|gazette|chronicle|zeitung|journal)[.-]/, "NEWS_MEDIA"],
  [/^(?:blogs?|docs|app|api)\.|\.(?:ai|app|io|dev|cloud)$/, "BRANDED_WEBSITE"],
  [/reviews?[.-]|(?:^|[.-])review/, "PRODUCT_REVIEW_SITE"],
  [/compare|vergleich|comparat/, "COMPARISON_SITE"],
];

/**
 * Paths that say what kind of site a page is on; weaker than the host, so they come after it. Titles say what a page is about, not
 * whose it is: vendors write "the best …" about themselves. A blog in a folder of its own belongs to who offers something beside it.
 */
const PATH_PATTERNS: [RegExp, CompetitorType][] = [
  [/^\/wiki\//, "WIKI_ENCYCLOPEDIA"],
  [/\/(?:forums?|threads?|questions|topic|t)\/|\/(?:showthread|viewtopic)\.php/, "QA_FORUM"],
  [/\/(?:hc|help|support|knowledge-?base|community)\//, "COMMUNITY_HELP_CENTER"],
  [/\/(?:alternatives?|competitors|compare|vergleich)\//, "COMPARISON_SITE"],
  [/\/(?:[^/]*-)?blogs?(?:\/|-[^/])/, "BRANDED_WEBSITE"],
  [/\/(?:dp|cart|collections|product-category)\//, "RETAIL_ECOMMERCE"],
  [/\/(?:reviews?|best-picks|buying-guides?)\//, "PRODUCT_REVIEW_SITE"],
  [/\/(?:news|articles?|story|\d{4}\/\d\d(?:\/\d\d)?)\//, "NEWS_MEDIA"],
  [/^(?:\/[a-z]{2}(?:[-_][a-z]{2,4})?)?\/(?:index\.\w+\/?)?$/i, "BRANDED_WEBSITE"],
  [
    /\/(?:resources?|learn|academy|guides?|hub|tools?|apps?|features?|solutions?|use-?cases?|products?|services?|platform|pricing|integrations?|customers|download|docs)\//,
    "BRANDED_WEBSITE",
  ],
  [/\/(?:[^/]*-)?(?:review|best|top)-[^/]|[^/]-reviews?\//, "SPECIALIST_BLOG"],
  // A page right under the root that is named in a few words is an offer; articles have long names.
  [/^(?:\/[a-z]{2}(?:[-_][a-z]{2,4})?)?\/[a-z\d]+(?:-[a-z\d]+){0,3}(?:\.html?)?\/$/i, "BRANDED_WEBSITE"],
];

export interface CitedPage {
  url: string;
  /** The brand of the catalog whose domain this is. */
  brand: TrackedBrand | undefined;
}

/** Own and competitors' domains, then known domains, TLD, patterns of the host and of the path, else UNKNOWN. */
export function competitorTypeOfPage({ url, brand }: CitedPage): CompetitorType {
  if (brand && brand.relationship !== "other") return "BRANDED_WEBSITE";
  const host = hostOf(url);
  const exact = KNOWN_DOMAINS.get(host);
  if (exact) return exact;
  if (OWN_FORUM.test(host)) return "QA_FORUM";
  if (OWN_HELP.test(host)) return "COMMUNITY_HELP_CENTER";
  const known = lookUpHost(KNOWN_DOMAINS, host);
  if (known) return known;
  if (brand) return "BRANDED_WEBSITE";
  if (GOVERNMENT_ACADEMIC.test(host)) return "GOVERNMENT_ACADEMIC";
  const path = URL.canParse(url) ? `${new URL(url).pathname.toLowerCase()}/`.replace(/(?<!\/)\/+$/, "/") : "";
  const match =
    HOST_PATTERNS.find(([pattern]) => pattern.test(host)) ?? PATH_PATTERNS.find(([pattern]) => pattern.test(path));
  return match?.[1] ?? "UNKNOWN";
}

/** What kind of site a brand itself is: that of the first of its domains that is known, else a branded website. */
export function brandCompetitorType(brand: Pick<TrackedBrand, "domains">): CompetitorType {
  const hosts = brand.domains.map(hostOf).filter((host) => host !== "");
  for (const host of hosts) {
    const known = lookUpHost(KNOWN_DOMAINS, host);
    if (known) return known;
  }
  return hosts.length > 0 ? "BRANDED_WEBSITE" : "UNKNOWN";
}
