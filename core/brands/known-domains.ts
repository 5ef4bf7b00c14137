import type { CompetitorType } from "../sources.ts";
import { COMPARISONS } from "./site-types/comparisons.ts";
import { CREATORS } from "./site-types/creators.ts";
import { ENCYCLOPEDIAS } from "./site-types/encyclopedias.ts";
import { FORUMS } from "./site-types/forums.ts";
import { HELP_SITES } from "./site-types/help-sites.ts";
import { INSTITUTIONS } from "./site-types/institutions.ts";
import { NEWS_COUNTRIES } from "./site-types/news-countries.ts";
import { NEWS_ENGLISH } from "./site-types/news-english.ts";
import { REVIEWS } from "./site-types/reviews.ts";
import { SHOPS } from "./site-types/shops.ts";
import { SMALL_VENDORS } from "./site-types/small-vendors.ts";
import { SPECIALISTS } from "./site-types/specialists.ts";
import { VENDORS_A_TO_K } from "./site-types/vendors-a-to-k.ts";
import { VENDORS_L_TO_Z } from "./site-types/vendors-l-to-z.ts";

const TABLES: [CompetitorType, string][] = [
  ["RETAIL_ECOMMERCE", SHOPS],
  ["WIKI_ENCYCLOPEDIA", ENCYCLOPEDIAS],
  ["QA_FORUM", FORUMS],
  ["COMMUNITY_HELP_CENTER", HELP_SITES],
  ["COMPARISON_SITE", COMPARISONS],
  ["PRODUCT_REVIEW_SITE", REVIEWS],
  ["NEWS_MEDIA", NEWS_ENGLISH],
  ["NEWS_MEDIA", NEWS_COUNTRIES],
  ["GOVERNMENT_ACADEMIC", INSTITUTIONS],
  ["INFLUENCER_CREATOR_BLOG", CREATORS],
  ["SPECIALIST_BLOG", SPECIALISTS],
  ["BRANDED_WEBSITE", VENDORS_A_TO_K],
  ["BRANDED_WEBSITE", VENDORS_L_TO_Z],
  ["BRANDED_WEBSITE", SMALL_VENDORS],
];

/** `source`: where the kind of site can be checked: "wikipedia: ARTICLE", or "site: WHAT" as its own pages say it. */
export interface KnownDomain {
  host: string;
  type: CompetitorType;
  source: string;
}

/** Every row of the tables: a host, a space, and the source of the judgement. */
export const KNOWN_DOMAIN_ROWS: readonly KnownDomain[] = TABLES.flatMap(([type, rows]) =>
  rows
    .trim()
    .split("\n")
    .map((row) => {
      const space = row.indexOf(" ");
      return { host: row.slice(0, space), type, source: row.slice(space + 1) };
    }),
);

/** By host; entries stand for their subdomains too. */
export const KNOWN_DOMAINS: ReadonlyMap<string, CompetitorType> = new Map(
  KNOWN_DOMAIN_ROWS.map(({ host, type }) => [host, type]),
);
