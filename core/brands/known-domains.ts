import SITE_TYPES from "../../lists/site-types.json" with { type: "json" };
import type { CompetitorType } from "../sources/sources.ts";

/** `source`: where the type can be checked: "wikipedia: ARTICLE", or "site: WHAT" as its own pages say it. */
export interface KnownDomain {
  host: string;
  type: CompetitorType;
  source: string;
}

export const KNOWN_DOMAIN_ROWS = SITE_TYPES as readonly KnownDomain[];

/** By host; entries stand for their subdomains too. */
export const KNOWN_DOMAINS: ReadonlyMap<string, CompetitorType> = new Map(
  KNOWN_DOMAIN_ROWS.map(({ host, type }) => [host, type]),
);
