import { changesOf } from "./audit-page.ts";
import type { AuditSummary, CheckCounts, PageChange, PageOutcomes, StoredFinding } from "./audit-rows.ts";
import type { CheckOutcome } from "./check.ts";
import type { PageType } from "./page-type.ts";
import { scoreAudit, type AreaScores } from "./score-audit.ts";

export interface SummedPage {
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

export interface SummedRun {
  pages: readonly SummedPage[];
  /** Ids of the page checks. */
  checks: readonly string[];
  findings: readonly StoredFinding[];
  before: RunBefore | null;
  notes: readonly string[];
}

export interface RunBefore {
  collectId: string;
  number: number;
  scores: AreaScores;
  findings: readonly StoredFinding[];
}

const MOST_WORST = 10;
const MOST_REASONS = 10;

/** Summarises a run. Linear in pages and checks. */
export function summarise({ pages, checks, findings, before, notes }: SummedRun): AuditSummary {
  const audited = pages.filter(({ skippedReason }) => skippedReason === null);
  const skipped = pages.flatMap(({ skippedReason }) => skippedReason ?? []);
  const outcomes: Record<CheckOutcome, number> = { pass: 0, warn: 0, fail: 0, skipped: 0 };
  for (const { outcome } of pages) outcomes[outcome] += 1;
  return {
    scores: scoreAudit(audited.flatMap(({ scores }) => scores ?? [])),
    pages: { audited: audited.length, skipped: skipped.length },
    outcomes,
    types: Object.fromEntries(counted(audited.flatMap(({ pageType }) => pageType ?? []))),
    checks: countChecks(audited, checks, before !== null),
    before: before && {
      collectId: before.collectId,
      number: before.number,
      scores: before.scores,
      siteChanges: changesOf(findings, before.findings),
    },
    worst: worstOf(audited),
    skippedReasons: counted(skipped)
      .slice(0, MOST_REASONS)
      .map(([reason, count]) => ({ reason, pages: count })),
    notes,
  };
}

function countChecks(pages: readonly SummedPage[], checks: readonly string[], isCompared: boolean) {
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
      if (isWrong(was) && is === "pass") count.fixed += 1;
      if (was === "pass" && isWrong(is)) count.broken += 1;
    }
  }
  return Object.fromEntries(counts);
}

const isWrong = (outcome: CheckOutcome) => outcome === "fail" || outcome === "warn";

/** Ties in input order. */
function worstOf(pages: readonly SummedPage[]): string[] {
  return pages
    .flatMap(({ pageId, score }) => (score === null ? [] : [{ pageId, score }]))
    .toSorted((a, b) => a.score - b.score)
    .slice(0, MOST_WORST)
    .map(({ pageId }) => pageId);
}

/** Frequency of each value, most frequent first. */
function counted<Value extends string>(values: readonly Value[]): [Value, number][] {
  const counts = new Map<Value, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].toSorted(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
}
