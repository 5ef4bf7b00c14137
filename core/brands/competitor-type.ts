import type { TrackedBrand } from "../reading/capture.ts";
import { hostOf, lookUpHost } from "../domains.ts";
import { KNOWN_DOMAINS } from "./known-domains.ts";
import type { CompetitorType } from "../sources.ts";

const GOVERNMENT_ACADEMIC = /(?:^|\.)(?:gov|edu|mil|ac|gouv|gob|europa)(?:\.[a-z]{2,3})?$/;

/** A forum or a help desk that stands on a known site is not that site. */
const OWN_FORUM = /^(?:forums?|discuss|discussions)\./;
const OWN_HELP = /^(?:support|help|community)\./;

/** Parts of a host that say what kind of site it is, where the table of known domains does not. */
const HOST_PATTERNS: [RegExp, CompetitorType][] = [
  [/(?:^|[.-])(?:support|help|helpcenter|community|communities)\./, "COMMUNITY_HELP_CENTER"],
  [/(?:^|[.-])(?:forums?|board|discuss|answers)[.-]|forums?\./, "QA_FORUM"],
  [/(?:^|[.-])wiki[.-]|wiki\.|pedia\./, "WIKI_ENCYCLOPEDIA"],
  [/(?:^|[.-])(?:shop|store|buy)[.-]|(?:shop|store)\./, "RETAIL_ECOMMERCE"],
  [/(?:^|[.-])(?:news|times|herald|tribune|gazette)[.-]|(?:news|times|herald|tribune|gazette)\./, "NEWS_MEDIA"],
  [/reviews?[.-]|(?:^|[.-])review/, "PRODUCT_REVIEW_SITE"],
  [/compare|vergleich|comparat/, "COMPARISON_SITE"],
  [/\.(?:blogspot|wordpress|substack|medium|tumblr)\.com$/, "INFLUENCER_CREATOR_BLOG"],
];

/** Paths and titles that say what kind of page it is; weaker than the host, so they come after it. */
const PAGE_PATTERNS: [RegExp, CompetitorType][] = [
  [/\/(?:wiki)\//, "WIKI_ENCYCLOPEDIA"],
  [/\/(?:forum|forums|threads?|questions?|topic)\//, "QA_FORUM"],
  [/\/(?:hc|help|support|knowledge-?base|community)\//, "COMMUNITY_HELP_CENTER"],
  [/\/(?:compare|comparison|vergleich)\/|-vs-|\bvs\.? | compared\b|\bcomparison\b/, "COMPARISON_SITE"],
  [
    /\/(?:reviews?|tests?|best-picks|buying-guides?)\/|\breviews?\b|\/best-|^best | best \w+ (?:of|for|in) /,
    "PRODUCT_REVIEW_SITE",
  ],
  [/\/(?:cart|products?|dp|shop|collections)\//, "RETAIL_ECOMMERCE"],
  [/\/(?:news|article|articles|story)\//, "NEWS_MEDIA"],
  [/\/(?:blog|blogs|posts?)\/|\bblog\b/, "SPECIALIST_BLOG"],
];

export interface CitedPage {
  url: string;
  title: string | undefined;
  /** The brand of the catalog whose domain this is. */
  brand: TrackedBrand | undefined;
}

/** Own and competitors' domains, then known domains, TLD, patterns of the URL and the title, else UNKNOWN. */
export function competitorTypeOfPage({ url, title, brand }: CitedPage): CompetitorType {
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
  const path = URL.canParse(url) ? new URL(url).pathname.toLowerCase() : "";
  const page = `${path}/ ${(title ?? "").toLowerCase()}`;
  const match =
    HOST_PATTERNS.find(([pattern]) => pattern.test(host)) ?? PAGE_PATTERNS.find(([pattern]) => pattern.test(page));
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
