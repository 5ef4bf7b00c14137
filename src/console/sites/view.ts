import type { SiteList } from "../shared/read-sites.ts";
import type { z } from "zod";
import type { listQueries } from "../../../tools/metrics/list-queries.ts";
import type { BrandChoices, MetricsView } from "../shared/filters.ts";

export type Searches = z.output<typeof listQueries.output>;
export type SearchQueryRow = Searches["data"][number];

export interface SitesView extends MetricsView {
  shownList: { sites: SiteList } | { searches: Searches };
  /** Sites cited in answers that name each brand; own brand first. */
  citedWith: readonly { brand_id: string; brand: string; sites: SiteList }[];
  /** Cited pages in answers that do not name the own brand. */
  gapSites: SiteList;
  searches: Searches;
  brands: BrandChoices;
}

const SITE_TYPE_NAMES: Readonly<Record<string, string>> = {
  QA_FORUM: "Q&A forum",
  INFLUENCER_CREATOR_BLOG: "Creator blog",
  GOVERNMENT_ACADEMIC: "Government & academic",
};

export function formatSiteType(type: string): string {
  const name = SITE_TYPE_NAMES[type];
  if (name !== undefined) return name;
  const words = type.toLowerCase().replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
