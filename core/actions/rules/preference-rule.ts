import { iterateAttributeScores, iteratePreferences } from "../../metrics/facts/preferences.ts";
import { findAnswerKey } from "../../metrics/facts/collect-perception.ts";
import type { ScoredAnswer } from "../../metrics/facts/scored-facts.ts";
import { MIN_PROMPTS, computeMeanInterval, sumMoments, type Interval } from "../../statistics/interval.ts";
import type { Source } from "../../sources/sources.ts";
import type { RuleInput, Steps } from "../finding.ts";
import {
  estimateInterval,
  indexPromptsByQuestion,
  groupShares,
  sumShare,
  type CountedAnswer,
  type OpinionView,
  type SourceOpinions,
} from "../opinion-view.ts";

/** Min clauses behind a score (docs/measurement.md, section 5). */
const MIN_CLAUSES = 10;

/** Comparison with a competitor: by attribute or aspect at all sources, or all at one source. */
export interface ComparisonField {
  rivalId: string;
  /** Attribute or aspect that is compared; null if all comparisons at one source are. */
  about: string | null;
  source: Source | null;
  /** Answers with a preference: 1 for the own brand, 0 for the competitor, 0.5 for both. */
  compared: CountedAnswer[];
  /** Answers that score the attribute of own brand and competitor; 0 to 1 for -5 to 5. */
  own: CountedAnswer[];
  rivalScores: CountedAnswer[];
  comparison: BrandStanding;
  scoreStanding: BrandStanding;
}

interface BrandPair {
  ownId: string;
  rivalId: string;
}

/** Behind: significantly worse. Ahead: a win rate above one half or a higher score. */
type BrandStanding = "behind" | "ahead" | null;

/** Field in which answers prefer a competitor, with those in which they prefer the own brand. */
export interface LostField extends ComparisonField {
  otherFields: ComparisonField[];
}

/** Fields lost to competitors that the own brand beats in at least one other field. */
export function* findLossesToRivals({ compared }: Pick<RuleInput, "compared">, view: OpinionView): Steps<LostField[]> {
  const lost: LostField[] = [];
  for (const rivalId of compared.rivalIds) {
    const grounds: ComparisonField[] = [];
    for (const ground of listComparisonFields(view, { ownId: compared.ownId, rivalId })) {
      grounds.push(compareField(view, { ownId: compared.ownId, rivalId }, ground));
      yield;
    }
    const otherFields = grounds.filter(isAhead);
    lost.push(...grounds.flatMap((one) => (isBehind(one) && otherFields.length > 0 ? [{ ...one, otherFields }] : [])));
  }
  return lost;
}

function isBehind({ comparison, scoreStanding: score }: ComparisonField): boolean {
  return (comparison === "behind" || score === "behind") && comparison !== "ahead" && score !== "ahead";
}

function isAhead({ comparison, scoreStanding: score }: ComparisonField): boolean {
  return (comparison === "ahead" || score === "ahead") && comparison !== "behind" && score !== "behind";
}

function listComparisonFields(
  view: OpinionView,
  { ownId, rivalId }: BrandPair,
): Pick<ComparisonField, "about" | "source">[] {
  const pair = new Set([view.numberByBrandId.get(ownId), view.numberByBrandId.get(rivalId)]);
  const times = new Map(view.attributes.map((attribute) => [attribute, Infinity]));
  for (const { perception } of view.sources) {
    const { betterBrands, worseBrands, aspects } = perception.comparisons;
    const names = perception.aspects.map(view.canonicalAspect);
    for (const [at, better] of betterBrands.entries()) {
      const name = names[(aspects[at] ?? 0) - 1];
      if (name === undefined || !pair.has(better) || !pair.has(worseBrands[at])) continue;
      times.set(name, (times.get(name) ?? 0) + 1);
    }
  }
  const abouts = [...times].flatMap(([about, answers]) => (answers >= MIN_PROMPTS ? [about] : []));
  return [
    ...abouts.map((about) => ({ about, source: null })),
    ...view.sources.map(({ source }) => ({ about: null, source })),
  ];
}

function compareField(
  view: OpinionView,
  { ownId, rivalId }: BrandPair,
  { about, source }: Pick<ComparisonField, "about" | "source">,
): ComparisonField {
  const compared = countPreferences(view, { ownId, rivalId }, { about, source });
  const scored = (brandId: string) => (about === null ? [] : countScores(view, brandId, about));
  const [own, rival] = [scored(ownId), scored(rivalId)];
  const all = {
    rivalId,
    about,
    source,
    compared,
    own: own.map(omitClauseCount),
    rivalScores: rival.map(omitClauseCount),
  };
  return { ...all, comparison: judgePreferences(compared), scoreStanding: judgeScores(own, rival) };
}

/** Preferences between two brands by attribute, aspect or source: 1 for the own brand. */
export function countPreferences(
  view: OpinionView,
  { ownId, rivalId }: BrandPair,
  { about, source }: Pick<ComparisonField, "about" | "source">,
): CountedAnswer[] {
  const [brand, other] = [view.numberByBrandId.get(ownId), view.numberByBrandId.get(rivalId)];
  if (brand === undefined || other === undefined) return [];
  const isCounted = (aspect: string | null) =>
    about === null ? aspect === null : aspect !== null && view.canonicalAspect(aspect) === about;
  // Prompts that name only one of the two are biased towards it.
  const prompts = view.prompts.map((prompt) => {
    const isFair = prompt.brandIds.includes(ownId) === prompt.brandIds.includes(rivalId);
    return { ...prompt, questions: isFair ? prompt.questions : [] };
  });
  const sources = view.sources.filter((one) => source === null || one.source === source);
  return countAnswers({ prompts, sources }, ({ perception }) =>
    iteratePreferences(perception, { brand, other }, isCounted),
  );
}

interface ScoredCount extends CountedAnswer {
  clauseCount: number;
}

/** Answers that score an attribute of a brand; 0 to 1 for -5 to 5. */
export function countScores(view: OpinionView, brandId: string, attribute: string): ScoredCount[] {
  const brand = view.numberByBrandId.get(brandId);
  if (brand === undefined) return [];
  return countAnswers(view, ({ perception }) => iterateAttributeScores(perception, { brand, attribute }));
}

function countAnswers(
  view: Pick<OpinionView, "prompts" | "sources">,
  scored: (of: SourceOpinions) => Iterable<ScoredAnswer>,
): ScoredCount[] {
  const places = indexPromptsByQuestion(view);
  return view.sources.flatMap((one) =>
    [...scored(one)].flatMap((answer): ScoredCount[] => {
      const prompt = places.get(answer.question);
      if (prompt === undefined) return [];
      const { value, passageCount: clauseCount = 1 } = answer;
      return [{ source: one.source, prompt, key: findAnswerKey(one.perception, answer), value, clauseCount }];
    }),
  );
}

function omitClauseCount({ clauseCount: _clauses, ...one }: ScoredCount): CountedAnswer {
  return one;
}

/** Behind if the interval of the win rate is below one half. */
function judgePreferences(compared: readonly CountedAnswer[]): BrandStanding {
  const prompts = groupShares(compared, "prompt");
  if (prompts.size < MIN_PROMPTS) return null;
  const { n, x } = sumShare(compared);
  if ((estimateInterval(prompts.values())?.high ?? 1) < 0.5) return "behind";
  return x > n / 2 ? "ahead" : null;
}

/** Behind if the intervals of the two scores do not overlap. */
function judgeScores(own: readonly ScoredCount[], rival: readonly ScoredCount[]): BrandStanding {
  const isTold = [own, rival].every((all) => all.reduce((sum, { clauseCount }) => sum + clauseCount, 0) >= MIN_CLAUSES);
  const [ours, theirs] = [computeScoreInterval(own), computeScoreInterval(rival)];
  if (!isTold || ours === null || theirs === null) return null;
  if (ours.high < theirs.low) return "behind";
  return computeMean(own) > computeMean(rival) ? "ahead" : null;
}

/** 95 % interval of a mean of values from 0 to 1, in steps of one point of the score. */
export function computeScoreInterval(scored: readonly CountedAnswer[]): Interval | null {
  return computeMeanInterval(sumMoments(groupShares(scored, "prompt").values()), { min: 0, max: 1, step: 0.1 });
}

function computeMean(scored: readonly CountedAnswer[]): number {
  const { n, x } = sumShare(scored);
  return n === 0 ? 0 : x / n;
}
