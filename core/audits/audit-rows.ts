import type { CheckEvidence, CheckOutcome } from "./check.ts";
import type { FetchedPage } from "./fetched-page.ts";
import type { PageType } from "./page-type.ts";
import type { AreaScores } from "./score-audit.ts";

/** Finding of one check for a page or site. */
export interface StoredFinding {
  check: string;
  outcome: CheckOutcome;
  message: string;
  evidence: readonly CheckEvidence[];
}

/** Check ids by outcome; passed checks are only counted. */
export interface PageOutcomes {
  fail: readonly string[];
  warn: readonly string[];
  skipped: readonly string[];
  passed: number;
}

/** A check whose outcome differs from the previous run. */
export interface PageChange {
  check: string;
  was: CheckOutcome;
  is: CheckOutcome;
}

/** Response without HTML, with the validators for later runs. */
export type StoredAddress = Omit<FetchedPage, "html" | "rendered"> & {
  /** SHA-256 of the HTML, hexadecimal. */
  digest: string;
  /**
   * SHA-256 of all other inputs of the page checks. Findings are reused if digest and basis are
   * equal.
   */
  basis: string;
};

/** Outcomes of one check over all pages of a run. */
export interface CheckCounts {
  pass: number;
  warn: number;
  fail: number;
  skipped: number;
  /** Pages that newly pass, and pages that newly fail or warn; null without a previous run. */
  fixed: number | null;
  broken: number | null;
}

/** Results of a run over all pages. */
export interface AuditSummary {
  scores: AreaScores;
  pages: { audited: number; skipped: number };
  /** Pages by outcome and by type. */
  outcomes: Record<CheckOutcome, number>;
  types: Partial<Record<PageType, number>>;
  /** Counts by check id. */
  checks: Record<string, CheckCounts>;
  /** The previous run and its scores; null for a first run. */
  before: { collectId: string; number: number; scores: AreaScores; siteChanges: PageChange[] } | null;
  /** Page ids with the lowest scores, worst first. */
  worst: readonly string[];
  /** The most frequent reasons, with the number of skipped pages. */
  skippedReasons: readonly { reason: string; pages: number }[];
  /** Parts left out of the run, in sentences. */
  notes: readonly string[];
}
