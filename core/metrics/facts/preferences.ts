import { type CollectPerception, iterateAnswers, type AnswerRows } from "./collect-perception.ts";
import type { ScoredAnswer } from "./scored-facts.ts";

const TIE_VALUE = 0.5;

export interface BrandNumberPair {
  brand: number;
  other: number;
}

/** `both` for a draw, or if each brand is preferred in a sentence. */
export type PairPreference = "brand" | "other" | "both";

const PREFERENCE_VALUES: Readonly<Record<PairPreference, number>> = { brand: 1, other: 0, both: TIE_VALUE };

export function* iteratePreferences(
  perception: CollectPerception,
  pair: BrandNumberPair,
  counted: (aspect: string | null) => boolean,
): Generator<ScoredAnswer> {
  const isCounted = listAspects(perception).map(counted);
  for (const answer of iterateAnswers(perception.comparisons)) {
    const preference = findPreference(perception, answer, pair, (aspect) => isCounted[aspect] ?? false);
    if (preference)
      yield { question: answer.question, runIndex: answer.runIndex, value: PREFERENCE_VALUES[preference] };
  }
}

/** `counted` takes indexes of `listAspects`; undefined without a comparison. */
export function findPreference(
  { comparisons: { betterBrands, worseBrands, aspects } }: CollectPerception,
  { from, to }: AnswerRows,
  { brand, other }: BrandNumberPair,
  counted: (aspect: number) => boolean,
): PairPreference | undefined {
  let [wins, loses] = [false, false];
  for (let at = from; at < to; at += 1) {
    if (!counted(aspects[at] ?? 0)) continue;
    wins ||= betterBrands[at] === brand && worseBrands[at] === other;
    loses ||= betterBrands[at] === other && worseBrands[at] === brand;
  }
  if (wins && loses) return "both";
  return wins ? "brand" : loses ? "other" : undefined;
}

/** Reasons for answers without a preference, as values. */
const NO_PREFERENCE_VALUES = { brandMissing: 1, aspectsOnly: TIE_VALUE, noPick: 0 } as const;

function keyOf({ question, runIndex }: Pick<AnswerRows, "question" | "runIndex">): string {
  return `${question} ${runIndex}`;
}

/** Answers that prefer neither of two as a whole, with the reason as value. */
export function* iterateNoPreferences(perception: CollectPerception, pair: BrandNumberPair): Generator<ScoredAnswer> {
  const { answers, opinions, comparisons } = perception;

  const naming = [...iterateAnswers(opinions)].filter(({ from, to }) => {
    const brands = new Set(opinions.brands.slice(from, to));
    return brands.has(pair.brand) && brands.has(pair.other);
  });
  const comparing = [...iterateAnswers(comparisons)].filter((answer) =>
    findPreference(perception, answer, pair, () => true),
  );
  const preferring = comparing.filter((answer) => findPreference(perception, answer, pair, (aspect) => aspect === 0));
  const [named, compared, preferred] = [naming, comparing, preferring].map((all) => new Set(all.map(keyOf)));
  for (const [question, runs] of answers.entries()) {
    for (let runIndex = 0; runIndex < runs; runIndex += 1) {
      const key = keyOf({ question, runIndex });
      if (preferred?.has(key)) continue;
      const reason = compared?.has(key) ? "aspectsOnly" : named?.has(key) ? "noPick" : "brandMissing";
      yield { question, runIndex, value: NO_PREFERENCE_VALUES[reason] };
    }
  }
}

/** By the index used in comparisons; null is "no aspect". */
export function listAspects({ aspects }: CollectPerception): readonly (string | null)[] {
  return [null, ...aspects];
}

/** Answers that name both brands: 1 if the first has the better stance, 0.5 if equal, else 0. */
export function* compareStances(
  perception: CollectPerception,
  { brand, other }: BrandNumberPair,
): Generator<ScoredAnswer> {
  const { opinions } = perception;
  for (const { question, runIndex, from, to } of iterateAnswers(opinions)) {
    let [own, others] = [-1, -1];
    for (let at = from; at < to; at += 1) {
      if (opinions.brands[at] === brand) own = opinions.stanceIndexes[at] ?? -1;
      if (opinions.brands[at] === other) others = opinions.stanceIndexes[at] ?? -1;
    }
    if (own === -1 || others === -1) continue;
    // Compared by index, because STANCES lists the best stance first.
    yield { question, runIndex, value: own === others ? TIE_VALUE : Number(own < others) };
  }
}

// Clauses score an attribute from -5 to 5. Each answer counts once with its mean, so that
// repetition within an answer has no weight.

export const MIN_SCORE = -5;
const MAX_SCORE = 5;
const SCORE_RANGE = MAX_SCORE - MIN_SCORE;

export interface BrandAttribute {
  brand: number;
  attribute: string;
}

/** Mean per answer: 0 to 1 for −5 to 5, rounded to tenths of a point. */
export function* iterateAttributeScores(
  perception: CollectPerception,
  attribute: BrandAttribute,
): Generator<ScoredAnswer> {
  for (const answer of iterateAnswers(perception.attributes)) {
    const scores = findScores(perception, answer, attribute);
    if (scores.length === 0) continue;
    const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
    const value = toValue(Math.round(mean * 10) / 10);
    yield { question: answer.question, runIndex: answer.runIndex, value, passageCount: scores.length };
  }
}

export function findScores(
  { attributes, attributeNames }: CollectPerception,
  { from, to }: AnswerRows,
  { brand, attribute }: BrandAttribute,
): number[] {
  const index = attributeNames.indexOf(attribute);
  const scores: number[] = [];
  for (let at = from; at < to; at += 1) {
    if (attributes.brands[at] !== brand || attributes.attributes[at] !== index) continue;
    scores.push((attributes.scores[at] ?? 0) + MIN_SCORE);
  }
  return scores;
}

function toValue(score: number): number {
  return (score - MIN_SCORE) / SCORE_RANGE;
}

export function toScore(value: number): number {
  return MIN_SCORE + value * SCORE_RANGE;
}

/** Converts differences of values to differences of scores. */
export const SCORES_PER_VALUE = SCORE_RANGE;
