import type { CheckDeclaration, PageCheck, SiteCheck } from "./check.ts";
import { CONTENT_CHECKS } from "./content/content-checks.ts";
import { CRAWLABILITY_PAGE_CHECKS, CRAWLABILITY_SITE_CHECKS } from "./crawlability/crawlability-checks.ts";
import { SEMANTIC_CHECKS } from "./semantic/semantic-checks.ts";

/** One more with every change of what checks find; runs of different rules are compared all the same. */
export const CHECKS_VERSION = 1;

/** What every page is checked with, in the order in which results list it. */
export const PAGE_CHECKS: readonly PageCheck[] = [...CRAWLABILITY_PAGE_CHECKS, ...SEMANTIC_CHECKS, ...CONTENT_CHECKS];

/** What every site is checked with, once a run. */
export const SITE_CHECKS: readonly SiteCheck[] = [...CRAWLABILITY_SITE_CHECKS];

const BY_ID: ReadonlyMap<string, CheckDeclaration> = new Map(
  [...PAGE_CHECKS, ...SITE_CHECKS].map((check) => [check.id, check]),
);

/** What a check says of itself; undefined for one that there is no longer. */
export function checkOf(id: string): CheckDeclaration | undefined {
  return BY_ID.get(id);
}
