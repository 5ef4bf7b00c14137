import { LEAST_FOR_CHANGE, SIGNIFICANCE, twoProportionPValue, wilsonInterval } from "../measuring/statistics.ts";
import type { Baseline, Effect, Evidence, Measured } from "./action.ts";
import type { CitedSites } from "./cited-sites.ts";
import { countCells, type CollectView, type SourceView } from "./collect-view.ts";
import type { RuleInput } from "./finding.ts";

/** Where an implementation starts from: the counted rows of the evidence, and their sums. */
export function baselineOf(collect: { id: string; number: number }, evidence: readonly Evidence[]): Baseline {
  const rows = evidence.filter(({ counted }) => counted);
  const occurrences = rows.reduce((sum, row) => sum + row.occurrences, 0);
  const rankSum = rows.reduce((sum, row) => sum + row.occurrences * (row.rank ?? 0), 0);
  const answers = rows.reduce((sum, row) => sum + row.answers, 0);
  return {
    measured: measuredOf(collect, { answers, occurrences, rankSum }),
    rows: rows.map(({ rule, keyword_id, topic_id, source, domain }) => ({
      rule,
      keyword_id,
      topic_id,
      source,
      domain,
    })),
  };
}

/** The same questions again, in a later collect. `before` is the collect of the baseline, for how it was measured. */
export function effectOf(
  baseline: Baseline,
  input: RuleInput,
  facts: { before: CollectView | undefined; cited: CitedSites },
): Effect {
  const counts = baseline.rows.map((row) =>
    row.domain === null ? countRow(row, input) : countSite(row.domain, row.source, facts.cited),
  );
  const sum = (column: "answers" | "occurrences" | "rankSum") => counts.reduce((all, count) => all + count[column], 0);
  const after = measuredOf(input.collect, {
    answers: sum("answers"),
    occurrences: sum("occurrences"),
    rankSum: sum("rankSum"),
  });
  const before = baseline.measured;
  const pValue = twoProportionPValue(shareOf(before), shareOf(after));
  return { before, after, p_value: pValue, verdict: verdictOf(baseline, input, facts.before, pValue, after) };
}

function measuredOf(
  collect: { id: string; number: number },
  { answers, occurrences, rankSum }: { answers: number; occurrences: number; rankSum: number },
): Measured {
  const interval = wilsonInterval({ occurrences, total: answers });
  return {
    collect_id: collect.id,
    collect_number: collect.number,
    answers,
    occurrences,
    rank: rankSum === 0 ? null : rankSum / occurrences,
    ci_low: interval?.low ?? null,
    ci_high: interval?.high ?? null,
  };
}

function countRow(row: Baseline["rows"][number], { collect, keywords, compared }: RuleInput) {
  const among = keywords.filter((keyword) =>
    row.keyword_id === null ? row.topic_id === null || keyword.topicId === row.topic_id : keyword.id === row.keyword_id,
  );
  const positions = among.map(({ position }) => position);
  const { answers, own } = countCells(sourcesOf(collect, row.source), positions, compared);
  return { answers, occurrences: own.occurrences, rankSum: own.rankSum };
}

function countSite(domain: string, source: SourceView["source"] | null, cited: CitedSites) {
  const count = source === null ? undefined : cited.get(domain)?.sources.get(source);
  return { answers: count?.answers ?? 0, occurrences: count?.ownCited ?? 0, rankSum: 0 };
}

function verdictOf(
  baseline: Baseline,
  { collect }: RuleInput,
  before: CollectView | undefined,
  pValue: number | null,
  after: Measured,
): Effect["verdict"] {
  const changed = baseline.rows.some(({ source }) =>
    sourcesOf(collect, source).some((now) => {
      const then = before?.sources.find((one) => one.source === now.source);
      return then !== undefined && then.method !== now.method;
    }),
  );
  if (changed) return "model_changed";
  if (pValue === null || Math.min(baseline.measured.answers, after.answers) < LEAST_FOR_CHANGE) {
    return "insufficient_data";
  }
  return pValue < SIGNIFICANCE ? "moved" : "within_noise";
}

function sourcesOf({ sources }: CollectView, source: SourceView["source"] | null): readonly SourceView[] {
  return source === null ? sources : sources.filter((one) => one.source === source);
}

function shareOf({ answers, occurrences }: Measured) {
  return { occurrences, total: answers };
}
