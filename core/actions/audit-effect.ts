import type { Baseline, Effect } from "./action.ts";
import { outcomeOn, type PageView } from "./audit-view.ts";

export interface AuditedRun {
  id: string;
  number: number;
  pages: readonly Pick<PageView, "id" | "outcomes">[];
  siteFindings: readonly { check: string; outcome: string }[];
}

/**
 * How many pages pass the check of an action's subject before and after, of those that both runs could check; of a check of the site
 * the site is the one thing. Nothing of it is left to chance: what differs has moved. Without the run of the baseline nothing is compared.
 */
export function mendingEffect(
  subject: string,
  baseline: Baseline,
  runs: { before?: AuditedRun; now: AuditedRun },
): Effect {
  const { before, now } = runs;
  const after = { ...baseline.measured, collect_id: now.id, collect_number: now.number, answers: 0, occurrences: 0 };
  if (!before) return { before: baseline.measured, after, p_value: null, verdict: "insufficient_data" };
  const [then, since] = [outcomesIn(before, subject), outcomesIn(now, subject)];
  const both = [...then.keys()].filter((id) => since.has(id));
  const passing = (outcomes: ReadonlyMap<string, string>) => both.filter((id) => outcomes.get(id) === "pass").length;
  const [passedThen, passNow] = [passing(then), passing(since)];
  return {
    before: { ...baseline.measured, answers: both.length, occurrences: passedThen },
    after: { ...after, answers: both.length, occurrences: passNow },
    p_value: null,
    verdict: both.length === 0 ? "insufficient_data" : passedThen === passNow ? "within_noise" : "moved",
  };
}

function outcomesIn(run: AuditedRun, subject: string): Map<string, string> {
  const [of = "", ...rest] = subject.split(":");
  const check = rest.join(":");
  const all: (readonly [string, string])[] =
    of === "site"
      ? run.siteFindings.filter((finding) => finding.check === check).map(({ outcome }) => ["site", outcome])
      : run.pages.map((page) => [page.id, outcomeOn(page, check)]);
  return new Map(all.filter(([, outcome]) => outcome !== "skipped"));
}
