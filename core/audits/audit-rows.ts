import type { CheckEvidence, CheckOutcome } from "./check.ts";
import type { FetchedPage } from "./fetched-page.ts";
import type { PageType } from "./page-type.ts";
import type { AreaScores } from "./score-audit.ts";

export interface StoredFinding {
  check: string;
  outcome: CheckOutcome;
  message: string;
  evidence: readonly CheckEvidence[];
}

/** Check ids; passed checks are only counted. */
export interface PageOutcomes {
  fail: readonly string[];
  warn: readonly string[];
  skipped: readonly string[];
  passed: number;
}

export interface PageChange {
  check: string;
  was: CheckOutcome;
  is: CheckOutcome;
}

/** Without HTML, but with the validators for later runs. */
export type StoredAddress = Omit<FetchedPage, "html" | "rendered"> & {
  /** SHA-256 of the HTML, hexadecimal. */
  digest: string;
  /** SHA-256 of all other inputs of the page checks; equal digest and basis reuse findings. */
  basis: string;
};

export interface CheckCounts {
  pass: number;
  warn: number;
  fail: number;
  skipped: number;
  /** Null without a previous run; `broken` pages newly fail or warn. */
  fixed: number | null;
  broken: number | null;
}

export interface AuditSummary {
  scores: AreaScores;
  pages: { audited: number; skipped: number };
  outcomes: Record<CheckOutcome, number>;
  types: Partial<Record<PageType, number>>;
  /** By check id. */
  checks: Record<string, CheckCounts>;
  /** Null for a first run. */
  before: { collectId: string; number: number; scores: AreaScores; siteChanges: PageChange[] } | null;
  /** Page ids with the lowest scores, worst first. */
  worst: readonly string[];
  /** Most frequent first. */
  skippedReasons: readonly { reason: string; pages: number }[];
  /** Parts left out of the run, in sentences. */
  notes: readonly string[];
}
