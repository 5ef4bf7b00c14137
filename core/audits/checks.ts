import type { CheckDeclaration, PageCheck, SiteCheck } from "./check.ts";
import { CONTENT_CHECKS } from "./content/content-checks.ts";
import { CRAWLABILITY_PAGE_CHECKS, CRAWLABILITY_SITE_CHECKS } from "./crawlability/crawlability-checks.ts";
import { SEMANTIC_CHECKS } from "./semantic/semantic-checks.ts";

/** Raise with each change of findings. Runs of different versions are still compared. */
export const CHECKS_VERSION = 1;

/** Digest of all check ids; a test prints the new value when CHECKS_VERSION must be raised. */
export const CHECKS_DIGEST = "d3f0767e2920";

/** In display order. */
export const PAGE_CHECKS: readonly PageCheck[] = [...CRAWLABILITY_PAGE_CHECKS, ...SEMANTIC_CHECKS, ...CONTENT_CHECKS];

export const SITE_CHECKS: readonly SiteCheck[] = [...CRAWLABILITY_SITE_CHECKS];

const CHECKS_BY_ID: ReadonlyMap<string, CheckDeclaration> = new Map(
  [...PAGE_CHECKS, ...SITE_CHECKS].map((check) => [check.id, check]),
);

/** Undefined if the check no longer exists. */
export function findCheck(id: string): CheckDeclaration | undefined {
  return CHECKS_BY_ID.get(id);
}
