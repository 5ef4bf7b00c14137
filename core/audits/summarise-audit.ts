import { compareFindings } from "./audit-page.ts";
import type { AuditSummary, CheckCounts, PageChange, PageOutcomes, StoredFinding } from "./audit-rows.ts";
import type { CheckOutcome } from "./check.ts";
import type { PageType } from "./page-type.ts";
import { scoreAudit, type AreaScores } from "./score-audit.ts";

export interface PageSummary {
  pageId: string;
  outcome: CheckOutcome;
  /** Null if the page was checked. */
  skippedReason: string | null;
  pageType: PageType | null;
  score: number | null;
  scores: AreaScores | null;
  outcomes: PageOutcomes;
  changes: readonly PageChange[];
}

export interface RunResults {
  pages: readonly PageSummary[];
  checkIds: readonly string[];
  findings: readonly StoredFinding[];
  previousRun: PreviousRun | null;
  notes: readonly string[];
}

export interface PreviousRun {
  collectId: string;
  runNumber: number;
  scores: AreaScores;
  findings: readonly StoredFinding[];
}

const MAX_WORST_PAGES = 10;
const MAX_SKIPPED_REASONS = 10;

/** Linear in pages and checks. */
export function summariseAudit({ pages, checkIds, findings, previousRun, notes }: RunResults): AuditSummary {
  const audited = pages.filter(({ skippedReason }) => skippedReason === null);
  const skipped = pages.flatMap(({ skippedReason }) => skippedReason ?? []);
  const outcomes: Record<CheckOutcome, number> = { pass: 0, warn: 0, fail: 0, skipped: 0 };
  for (const { outcome } of pages) outcomes[outcome] += 1;
  return {
    scores: scoreAudit(audited.flatMap(({ scores }) => scores ?? [])),
    pages: { audited: audited.length, skipped: skipped.length },
    outcomes,
    types: Object.fromEntries(countValues(audited.flatMap(({ pageType }) => pageType ?? []))),
    checks: countChecks(audited, checkIds, previousRun !== null),
    before: previousRun && {
      collectId: previousRun.collectId,
      number: previousRun.runNumber,
      scores: previousRun.scores,
      siteChanges: compareFindings(findings, previousRun.findings),
    },
    worst: findWorstPages(audited),
    skippedReasons: countValues(skipped)
      .slice(0, MAX_SKIPPED_REASONS)
      .map(([reason, count]) => ({ reason, pages: count })),
    notes,
  };
}

function countChecks(pages: readonly PageSummary[], checks: readonly string[], isCompared: boolean) {
  const changed = isCompared ? 0 : null;
  const counts = new Map<string, CheckCounts>(
    checks.map((id) => [id, { pass: pages.length, warn: 0, fail: 0, skipped: 0, fixed: changed, broken: changed }]),
  );
  for (const { outcomes, changes } of pages) {
    for (const outcome of ["warn", "fail", "skipped"] as const) {
      for (const id of outcomes[outcome]) {
        const count = counts.get(id);
        if (!count) continue;
        count[outcome] += 1;
        count.pass -= 1;
      }
    }
    for (const { check, was, is } of changes) {
      const count = counts.get(check);
      if (!count || count.fixed === null || count.broken === null) continue;
      if (isFailOrWarn(was) && is === "pass") count.fixed += 1;
      if (was === "pass" && isFailOrWarn(is)) count.broken += 1;
    }
  }
  return Object.fromEntries(counts);
}

const isFailOrWarn = (outcome: CheckOutcome) => outcome === "fail" || outcome === "warn";

/** Ties are in input order. */
function findWorstPages(pages: readonly PageSummary[]): string[] {
  return pages
    .flatMap(({ pageId, score }) => (score === null ? [] : [{ pageId, score }]))
    .toSorted((a, b) => a.score - b.score)
    .slice(0, MAX_WORST_PAGES)
    .map(({ pageId }) => pageId);
}

/** Most frequent first. */
function countValues<Value extends string>(values: readonly Value[]): [Value, number][] {
  const counts = new Map<Value, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].toSorted(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
}
