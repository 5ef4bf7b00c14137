import type { TrackedBrand } from "../reading/capture.ts";
import { parseHost, lookUpHost } from "../identity/domains.ts";
import { KNOWN_DOMAINS } from "./known-domains.ts";
import type { CompetitorType } from "../sources/sources.ts";

const GOVERNMENT_DOMAIN_PATTERN = /(?:^|\.)(?:gov|edu|mil|ac|gouv|gob|europa)(?:\.[a-z]{2,3})?$/;

/** Matches forums and help desks on subdomains, whose type differs from their site's type. */
const FORUM_SUBDOMAIN_PATTERN = /^(?:forums?|discuss|discussions)\./;
const HELP_SUBDOMAIN_PATTERN = /^(?:support|help|community)\./;

/** Host patterns by type, for hosts that are not in the table. */
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
 * Path patterns by type, used after host patterns because they are weaker. Titles are not used:
 * vendors write "the best …" about themselves. A blog in a subfolder belongs to a vendor.
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
  // A short name directly below the root is a product page; articles have longer names.
  [/^(?:\/[a-z]{2}(?:[-_][a-z]{2,4})?)?\/[a-z\d]+(?:-[a-z\d]+){0,3}(?:\.html?)?\/$/i, "BRANDED_WEBSITE"],
];

export interface CitedPage {
  url: string;
  brand: TrackedBrand | undefined;
}

/** By own and competitors' domains, known domains, TLD, host and path; else UNKNOWN. */
export function detectCompetitorType({ url, brand }: CitedPage): CompetitorType {
  if (brand && brand.relationship !== "other") return "BRANDED_WEBSITE";
  const host = parseHost(url);
  const exact = KNOWN_DOMAINS.get(host);
  if (exact) return exact;
  if (FORUM_SUBDOMAIN_PATTERN.test(host)) return "QA_FORUM";
  if (HELP_SUBDOMAIN_PATTERN.test(host)) return "COMMUNITY_HELP_CENTER";
  const known = lookUpHost(KNOWN_DOMAINS, host);
  if (known) return known;
  if (brand) return "BRANDED_WEBSITE";
  if (GOVERNMENT_DOMAIN_PATTERN.test(host)) return "GOVERNMENT_ACADEMIC";
  const path = URL.canParse(url) ? `${new URL(url).pathname.toLowerCase()}/`.replace(/(?<!\/)\/+$/, "/") : "";
  const match =
    HOST_PATTERNS.find(([pattern]) => pattern.test(host)) ?? PATH_PATTERNS.find(([pattern]) => pattern.test(path));
  return match?.[1] ?? "UNKNOWN";
}

/** Type of a brand's first known domain, else a branded website. */
export function getBrandCompetitorType(brand: Pick<TrackedBrand, "domains">): CompetitorType {
  const hosts = brand.domains.map(parseHost).filter((host) => host !== "");
  for (const host of hosts) {
    const known = lookUpHost(KNOWN_DOMAINS, host);
    if (known) return known;
  }
  return hosts.length > 0 ? "BRANDED_WEBSITE" : "UNKNOWN";
}
