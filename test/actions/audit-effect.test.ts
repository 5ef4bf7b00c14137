import { expect, test } from "vitest";
import { measureAuditEffect, type AuditedRun } from "../../core/actions/audit-effect.ts";
import { createBaseline } from "../../core/actions/effect.ts";
import { evidenceRow } from "../../core/actions/finding.ts";

const ROW = evidenceRow({ rule: "failed_check", collect_id: "run-1", answers: 4, occurrences: 1 });
const BASELINE = createBaseline({ id: "run-1", collectNumber: 1 }, [ROW]);

/** A run in which the check `c` had these outcomes, page by page: pass, fail, warn or skipped. */
function run(runNumber: number, outcomes: string, site = "pass"): AuditedRun {
  const pages = outcomes.split(" ").map((outcome, at) => {
    const idsOf = (kind: string) => (outcome === kind ? ["c"] : []);
    return {
      id: `p${at}`,
      outcomes: { fail: idsOf("fail"), warn: idsOf("warn"), skipped: idsOf("skipped"), passed: 1 },
    };
  });
  return { id: `run-${runNumber}`, runNumber, pages, siteFindings: [{ check: "c", outcome: site }] };
}

const counts = (subject: string, before: AuditedRun | undefined, now: AuditedRun) => {
  const effect = measureAuditEffect(subject, BASELINE, { now, ...(before ? { before } : {}) });
  return [effect.before, effect.after]
    .map(({ occurrences, answers }) => `${occurrences}/${answers}`)
    .concat(effect.verdict);
};

test("an effect counts passing pages before and after, among pages checked by both runs", () => {
  const [before, after] = [run(1, "pass fail fail warn fail"), run(2, "pass pass fail pass skipped")];
  expect(measureAuditEffect("check:c", BASELINE, { before, now: after })).toEqual({
    before: {
      collect_id: "run-1",
      collect_number: 1,
      answers: 4,
      occurrences: 1,
      rank: null,
      ci_low: null,
      ci_high: null,
    },
    after: {
      collect_id: "run-2",
      collect_number: 2,
      answers: 4,
      occurrences: 3,
      rank: null,
      ci_low: null,
      ci_high: null,
    },
    p_value: null,
    verdict: "moved",
  });
});

test("reports no change for equal counts, and no effect without a page checked twice", () => {
  expect(counts("check:c", run(1, "fail fail"), run(2, "fail fail"))).toEqual(["0/2", "0/2", "within_noise"]);
  expect(counts("check:c", run(1, "fail fail"), run(2, "skipped skipped"))).toEqual([
    "0/0",
    "0/0",
    "insufficient_data",
  ]);
  expect(counts("check:c", undefined, run(2, "pass pass"))).toEqual(["1/4", "0/0", "insufficient_data"]);
});

test("a site check counts the site once", () => {
  expect(counts("site:c", run(1, "pass", "fail"), run(2, "fail", "pass"))).toEqual(["0/1", "1/1", "moved"]);
  expect(counts("site:c", run(1, "pass", "fail"), run(2, "pass", "fail"))).toEqual(["0/1", "0/1", "within_noise"]);
});
