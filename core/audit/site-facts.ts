import type { SiteSubject } from "./check.ts";

/** A site as a run stores it: of the sitemap only what its own pages need. */
export type SiteFacts = Omit<SiteSubject, "sitemap"> & {
  sitemap: { urls: readonly string[]; files: readonly string[]; faults: readonly string[] } | { unread: string };
};

/** What checks look at, of what is stored. */
export function siteSubjectOf({ sitemap, ...site }: SiteFacts): SiteSubject {
  return { ...site, sitemap: "unread" in sitemap ? sitemap : { ...sitemap, urls: new Set(sitemap.urls) } };
}
