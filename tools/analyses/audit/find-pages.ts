import { isBundled } from "../../../core/audit/bundled-site.ts";
import type { PageFinder } from "../../../core/audit/page-finder.ts";
import type { Instant } from "../../../core/time.ts";
import { refuseFaults } from "../setup-faults.ts";
import { setupFaults, type GeoAuditSetup } from "./geo-audit-setup.ts";

/** What finding the pages of a site may take when an audit is priced (audits.md). */
const PRICING_MS = 10_000;

/** True for a setup that names no pages and is right so far. VALIDATION_FAILED for one that is wrong whatever is found. */
export function needsPages(given: GeoAuditSetup, now: Instant): boolean {
  if (given.urls !== undefined) return false;
  refuseFaults(setupFaults(given, now));
  return true;
}

export function lacksPages({ pages, found }: GeoAuditSetup): string | undefined {
  if ((pages ?? found?.pages ?? null) !== null) return undefined;
  return "The website's pages could not be found: its sitemap could not be read. Give urls, or another sitemap_url.";
}

/** The setup with the pages that its sitemap lists, or else that its start page links to; with none where neither can be read. */
export async function findPages(
  setup: GeoAuditSetup,
  { pageFinder }: { pageFinder: PageFinder },
  { timeoutMs = PRICING_MS }: { timeoutMs?: number } = {},
): Promise<GeoAuditSetup> {
  const { website, sitemap_url: sitemapUrl, max_pages: most } = setup;
  const found = await pageFinder.findPages({ website, sitemapUrl, most }, { timeoutMs });
  const bundled = isBundled(website) ? [BUNDLED_NOTE] : [];
  return { ...setup, found: { ...found, notes: [...bundled, ...found.notes] } };
}

const BUNDLED_NOTE = "This site comes with the program: its pages are invented, and nothing is fetched.";
