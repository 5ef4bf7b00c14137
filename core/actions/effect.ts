import { judgeDifference } from "../statistics/change.ts";
import { computeShareDifference, type Difference } from "../statistics/difference.ts";
import { sumMoments, computeRateInterval } from "../statistics/interval.ts";
import { sumShareMoments } from "../statistics/share-moments.ts";
import { MAX_FIRST_SIGN_P, judgeChange } from "../statistics/verdict.ts";
import { groupPositionsByPrompt } from "../metrics/prompt-clusters.ts";
import type { Source } from "../sources/sources.ts";
import type { Baseline, Effect, Evidence, MeasuredMetric } from "./action.ts";
import { countOpinions, isOpinion } from "./count-opinions.ts";
import type { OpinionView } from "./opinion-view.ts";
import type { CitedSites } from "./cited-sites.ts";
import { countCells, type CollectView } from "./collect-view.ts";
import { compareViews, type ViewComparison, type SourceKeywords } from "./compare-views.ts";
import { listPositions, type RuleInput, type Steps } from "./finding.ts";

export interface CollectEvidence {
  view: CollectView;
  cited: CitedSites;
  /** Opinions of the collect; null unless the analysis collects opinions. */
  opinions: OpinionView | null;
}

interface EvidenceCount {
  answers: number;
  occurrences: number;
  rankSum: number;
}

export function createBaseline(
  collect: { id: string; collectNumber: number },
  evidence: readonly Evidence[],
): Baseline {
  const rows = evidence.filter(({ counted }) => counted);
  const occurrences = rows.reduce((sum, row) => sum + row.occurrences, 0);
  const rankSum = rows.reduce((sum, row) => sum + row.occurrences * (row.rank ?? 0), 0);
  const answers = rows.reduce((sum, row) => sum + row.answers, 0);
  const rank = rankSum === 0 ? null : rankSum / occurrences;
  const ids = { collect_id: collect.id, collect_number: collect.collectNumber };
  return {
    measured: { ...ids, answers, occurrences, rank, ci_low: null, ci_high: null },
    rows: rows.map(({ rule, keyword_id, topic_id, source, domain, brand_id, opinion }) => {
      const { kind, about, fact_id } = opinion ?? {};
      const told = kind === undefined ? null : { kind, about: about ?? null, fact_id: fact_id ?? null };
      return { rule, keyword_id, topic_id, source, domain, brand_id, opinion: told };
    }),
  };
}

/**
 * Measures the effect of a brief in a later collect against the baseline's collect. After an
 * earlier first sign, this collect confirms it or not. Not compared without the baseline's collect.
 */
export function* measureEffect(
  baseline: Baseline,
  input: RuleInput,
  facts: { before: CollectEvidence | undefined; now: Omit<CollectEvidence, "view">; sign: Effect | null },
): Steps<Effect> {
  const { before: evidence, sign } = facts;
  const now = { view: input.collect, ...facts.now };
  const after = measureCollect(countBaselineRows(baseline, now, input), input.collect);
  const before = {
    ...baseline.measured,
    ...(evidence ? estimateInterval(countBaselineRows(baseline, evidence, input)) : NO_INTERVAL),
  };
  if (!evidence) return { before, after, p_value: null, verdict: "insufficient_data" };
  const { difference, obstacle, withField } = yield* compareSides(baseline, { before: evidence, after: now }, input);
  const change = judgeDifference(difference);
  const neighbour = sign && { delta: computeRate(sign.after) - computeRate(sign.before), p: sign.p_value };
  const isSign = change.p !== null && change.p <= MAX_FIRST_SIGN_P;
  const verdict = judgeChange(change, { obstacle, neighbour, withField: isSign && withField() });
  return { before, after, p_value: change.p, verdict };
}

type EvidenceSides = Record<"before" | "after", CollectEvidence>;

function* compareSides(baseline: Baseline, { before, after }: EvidenceSides, input: RuleInput): Steps<ViewComparison> {
  const parts = [
    ...toSourceKeywords({ rows: baseline.rows.filter((row) => !isOpinion(row)) }, [before.view, after.view], input),
    ...(baseline.rows.some(isOpinion) ? listOpinionKeywords([before, after]) : []),
  ];
  const of = { compared: input.compared, promptClusters: input.promptClusters, metric: "presence" as const };
  const comparison = yield* compareViews({ before: before.view, after: after.view }, parts, of);
  if (baseline.rows.every((row) => row.domain === null && !isOpinion(row))) return comparison;
  return { ...comparison, difference: shareChange(baseline, { before, after }, input), withField: () => false };
}

/** Both sides have different answers, so the share is a ratio of sums. */
function shareChange(baseline: Baseline, sides: EvidenceSides, input: RuleInput): Difference {
  const [before, after] = [
    countBaselineRows(baseline, sides.before, input),
    countBaselineRows(baseline, sides.after, input),
  ];
  const keywords = new Set([...before.keys(), ...after.keys()]);
  const prompts = [...keywords].map((keyword) => {
    const shares = [toShare(before.get(keyword)), toShare(after.get(keyword))];
    return { x: shares.map(({ x }) => x), n: shares.map(({ n }) => n) };
  });
  return computeShareDifference(sumShareMoments(prompts));
}

function toShare(count: EvidenceCount | undefined) {
  return { x: count?.occurrences ?? 0, n: count?.answers ?? 0 };
}

type CountsByKeyword = ReadonlyMap<number, EvidenceCount>;

function measureCollect(counts: CountsByKeyword, collect: CollectView): MeasuredMetric {
  const sum = (column: keyof EvidenceCount) => [...counts.values()].reduce((all, count) => all + count[column], 0);
  const rankSum = sum("rankSum");
  return {
    collect_id: collect.id,
    collect_number: collect.collectNumber,
    answers: sum("answers"),
    occurrences: sum("occurrences"),
    rank: rankSum === 0 ? null : rankSum / sum("occurrences"),
    ...estimateInterval(counts),
  };
}

const NO_INTERVAL = { ci_low: null, ci_high: null };

function estimateInterval(counts: CountsByKeyword): Pick<MeasuredMetric, "ci_low" | "ci_high"> {
  const sums = sumMoments([...counts.values()].map(toShare));
  // Several sources count as one, which is conservative: runs at one are more correlated.
  const interval = computeRateInterval(sums, { runs: Math.ceil(sums.n / sums.promptCount), sourceCount: 1 });
  return interval === null ? NO_INTERVAL : { ci_low: interval.low, ci_high: interval.high };
}

function countBaselineRows(baseline: Baseline, { view, cited, opinions }: CollectEvidence, input: RuleInput) {
  const counts = new Map<number, EvidenceCount>();
  const add = (keyword: number, { answers, occurrences, rankSum }: EvidenceCount) => {
    const known = counts.get(keyword) ?? { answers: 0, occurrences: 0, rankSum: 0 };
    counts.set(keyword, {
      answers: known.answers + answers,
      occurrences: known.occurrences + occurrences,
      rankSum: known.rankSum + rankSum,
    });
  };
  for (const { domain, source } of baseline.rows) {
    if (domain === null || source === null) continue;
    for (const [keyword, { answers, ownCited }] of cited.get(domain)?.sources.get(source)?.keywords ?? []) {
      add(keyword, { answers, occurrences: ownCited, rankSum: 0 });
    }
  }
  for (const row of baseline.rows.filter(isOpinion)) {
    for (const { prompt, value } of opinions ? countOpinions(opinions, row, input.compared.ownId) : []) {
      add(prompt, { answers: 1, occurrences: value, rankSum: 0 });
    }
  }
  const named = { rows: baseline.rows.filter((row) => row.domain === null && !isOpinion(row)) };
  for (const { source, keywords } of toSourceKeywords(named, [view], input)) {
    const views = view.sources.filter((one) => one.source === source);
    for (const prompt of groupPositionsByPrompt(keywords, input.promptClusters)) {
      const { answers, ownBrand } = countCells(views, prompt, input.compared);
      if (answers > 0) add(prompt[0] ?? 0, { answers, occurrences: ownBrand.occurrences, rankSum: ownBrand.rankSum });
    }
  }
  return counts;
}

function toSourceKeywords({ rows }: Pick<Baseline, "rows">, views: readonly CollectView[], { keywords }: RuleInput) {
  const all = new Set(views.flatMap(({ sources }) => sources.map(({ source }) => source)));
  const parts = new Map<Source, Set<number>>();
  for (const { keyword_id, topic_id, source } of rows) {
    const among = keywords.filter(({ id, topicId }) =>
      keyword_id === null ? topic_id === null || topicId === topic_id : id === keyword_id,
    );
    for (const each of source === null ? all : [source]) {
      const known = parts.get(each) ?? new Set();
      for (const position of among.flatMap(listPositions)) known.add(position);
      parts.set(each, known);
    }
  }
  return [...parts].map(([source, positions]) => ({ source, keywords: [...positions].toSorted((a, b) => a - b) }));
}

function listOpinionKeywords(sides: readonly CollectEvidence[]): SourceKeywords[] {
  const sources = new Set(sides.flatMap(({ view }) => view.sources.map(({ source }) => source)));
  const prompts = sides.flatMap(({ opinions }) => opinions?.prompts ?? []);
  const keywords = [...new Set(prompts.flatMap(({ questions }) => questions))].toSorted((a, b) => a - b);
  return [...sources].map((source) => ({ source, keywords }));
}

function computeRate({ answers, occurrences }: MeasuredMetric): number {
  return answers === 0 ? 0 : occurrences / answers;
}
