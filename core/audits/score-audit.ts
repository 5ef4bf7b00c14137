import { AUDIT_AREAS, type AuditArea, type CheckDeclaration, type CheckOutcome } from "./check.ts";

export interface AreaScore {
  /** Integer from 0 to 100; null if all checks with a weight were skipped. */
  score: number | null;
  /** Weighted checks that were not skipped. */
  checks: number;
}
export type AreaScores = Readonly<Record<AuditArea, AreaScore>>;

export interface ScoredResult {
  check: Pick<CheckDeclaration, "area" | "weight" | "failureCap">;
  outcome: CheckOutcome;
}

const OUTCOME_SHARES: Readonly<Record<Exclude<CheckOutcome, "skipped">, number>> = { pass: 1, warn: 0.5, fail: 0 };

/**
 * Weighted share of passed checks, without skipped ones; a warning counts half. A hard failure caps
 * its area. Includes the site's checks.
 */
export function scorePage(results: readonly ScoredResult[]): AreaScores {
  return scoreAreas((area) => {
    let [weights, earned, checks, cap] = [0, 0, 0, 100];
    for (const { check, outcome } of results) {
      if (check.area !== area || check.weight === 0 || outcome === "skipped") continue;
      weights += check.weight;
      earned += check.weight * OUTCOME_SHARES[outcome];
      checks += 1;
      if (outcome === "fail") cap = Math.min(cap, check.failureCap ?? 100);
    }
    return { score: weights === 0 ? null : Math.min(cap, Math.round((100 * earned) / weights)), checks };
  });
}

/** Mean over pages with a score, and the sum of their checks. */
export function scoreAudit(pages: readonly AreaScores[]): AreaScores {
  return scoreAreas((area) => {
    const scored = pages.flatMap((page) => (page[area].score === null ? [] : [page[area].score]));
    const checks = pages.reduce((sum, page) => sum + page[area].checks, 0);
    const total = scored.reduce((sum, score) => sum + score, 0);
    return { score: scored.length === 0 ? null : Math.round(total / scored.length), checks };
  });
}

function scoreAreas(score: (area: AuditArea) => AreaScore): AreaScores {
  const [crawlability, semantic, content] = AUDIT_AREAS.map(score) as [AreaScore, AreaScore, AreaScore];
  return { crawlability, semantic, content };
}
