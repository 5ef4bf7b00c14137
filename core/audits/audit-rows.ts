import type { CheckEvidence, CheckOutcome } from "./check.ts";
import type { FetchedPage } from "./fetched-page.ts";
import type { PageType } from "./page-type.ts";
import type { AreaScores } from "./score-audit.ts";

/** What one check found of a page or a site. The check says the rest. */
export interface StoredFinding {
  check: string;
  outcome: CheckOutcome;
  message: string;
  evidence: readonly CheckEvidence[];
}

/** Ids of the checks of a page by outcome; those that passed are not listed. */
export interface PageOutcomes {
  fail: readonly string[];
  warn: readonly string[];
  skipped: readonly string[];
  passed: number;
}

/** A check of a page whose outcome is another one than in the run before. */
export interface PageChange {
  check: string;
  was: CheckOutcome;
  is: CheckOutcome;
}

/** An answer without its HTML, and what later runs need to ask whether the page has changed. */
export type StoredAddress = Omit<FetchedPage, "html" | "rendered"> & {
  /** Of the HTML, SHA-256 in hexadecimal. */
  digest: string;
  /** Likewise of all that the HTML was checked with: where that is the same, so is what is found of the same HTML. */
  basis: string;
};

/** What one check found over all pages of a run. */
export interface CheckCounts {
  pass: number;
  warn: number;
  fail: number;
  skipped: number;
  /** Pages on which it failed or warned in the run before and passes now, and the reverse; null without a run before. */
  fixed: number | null;
  broken: number | null;
}

/** What a run found over all of its pages. */
export interface AuditSummary {
  scores: AreaScores;
  pages: { audited: number; skipped: number };
  /** Pages by outcome and by type. */
  outcomes: Record<CheckOutcome, number>;
  types: Partial<Record<PageType, number>>;
  /** By id of the check. */
  checks: Record<string, CheckCounts>;
  /** The run that it is compared with, and its scores; null of a first run. */
  before: { collectId: string; number: number; scores: AreaScores; siteChanges: PageChange[] } | null;
  /** Ids of the pages with the lowest scores, the worst first. */
  worst: readonly string[];
  /** Why pages were skipped, with how many were: the most frequent reasons. */
  skippedReasons: readonly { reason: string; pages: number }[];
  /** What the run as a whole left out, in sentences. */
  notes: readonly string[];
}
