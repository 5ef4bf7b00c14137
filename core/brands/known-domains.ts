import SITE_TYPES from "../../lists/site-types.json" with { type: "json" };
import type { CompetitorType } from "../sources/sources.ts";

/** `source` is "wikipedia: ARTICLE", or "site: STATEMENT" for the site's own words. */
export interface KnownDomain {
  host: string;
  type: CompetitorType;
  source: string;
}

export const KNOWN_DOMAIN_ROWS = SITE_TYPES as readonly KnownDomain[];

/** Types by host; an entry also covers its subdomains. */
export const KNOWN_DOMAINS: ReadonlyMap<string, CompetitorType> = new Map(
  KNOWN_DOMAIN_ROWS.map(({ host, type }) => [host, type]),
);
