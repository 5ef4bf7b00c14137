import type { Baseline, Effect } from "./action.ts";
import { outcomeOn, type PageView } from "./audit-view.ts";

export interface AuditedRun {
  id: string;
  runNumber: number;
  pages: readonly Pick<PageView, "id" | "outcomes">[];
  siteFindings: readonly { check: string; outcome: string }[];
}

/**
 * Pages that pass the check before and after, among pages checked by both runs; a site check counts
 * the site once. Any difference is a change, since checks are deterministic. Not compared without
 * the baseline's run.
 */
export function measureAuditEffect(
  subject: string,
  baseline: Baseline,
  runs: { before?: AuditedRun; now: AuditedRun },
): Effect {
  const { before, now } = runs;
  const after = { ...baseline.measured, collect_id: now.id, collect_number: now.runNumber, answers: 0, occurrences: 0 };
  if (!before) return { before: baseline.measured, after, p_value: null, verdict: "insufficient_data" };
  const [outcomesBefore, outcomesNow] = [mapOutcomesBySubject(before, subject), mapOutcomesBySubject(now, subject)];
  const both = [...outcomesBefore.keys()].filter((id) => outcomesNow.has(id));
  const passing = (outcomes: ReadonlyMap<string, string>) => both.filter((id) => outcomes.get(id) === "pass").length;
  const [passedThen, passNow] = [passing(outcomesBefore), passing(outcomesNow)];
  return {
    before: { ...baseline.measured, answers: both.length, occurrences: passedThen },
    after: { ...after, answers: both.length, occurrences: passNow },
    p_value: null,
    verdict: both.length === 0 ? "insufficient_data" : passedThen === passNow ? "within_noise" : "moved",
  };
}

function mapOutcomesBySubject(run: AuditedRun, subject: string): Map<string, string> {
  const [key = "", ...rest] = subject.split(":");
  const check = rest.join(":");
  const all: (readonly [string, string])[] =
    key === "site"
      ? run.siteFindings.filter((finding) => finding.check === check).map(({ outcome }) => ["site", outcome])
      : run.pages.map((page) => [page.id, outcomeOn(page, check)]);
  return new Map(all.filter(([, outcome]) => outcome !== "skipped"));
}
