import { type CollectPerception, answersIn, type AnswerRows } from "./collect-perception.ts";
import type { ScoredAnswer } from "./scored-facts.ts";

// Two brands are compared by the answers that prefer one of them, and by those that name both.

const TIE = 0.5;

export interface Pair {
  brand: number;
  other: number;
}

/** What an answer prefers: the first of a pair, the other, or each in something. */
export type Preference = "brand" | "other" | "both";

const VALUES: Readonly<Record<Preference, number>> = { brand: 1, other: 0, both: TIE };

/** Of each answer that prefers one of a pair, in an aspect that is `counted`: 1 for the first, 0 for the other, a half for both. */
export function* preferences(
  said: CollectPerception,
  pair: Pair,
  counted: (aspect: string | null) => boolean,
): Generator<ScoredAnswer> {
  const isCounted = aspectsOf(said).map(counted);
  for (const answer of answersIn(said.comparisons)) {
    const preference = preferenceIn(said, answer, pair, (aspect) => isCounted[aspect] ?? false);
    if (preference) yield { question: answer.question, run: answer.run, value: VALUES[preference] };
  }
}

/** What an answer prefers, in some of the places of `aspectsOf`; undefined where it does not compare the two. */
export function preferenceIn(
  { comparisons: { betters, worses, aspects } }: CollectPerception,
  { from, to }: AnswerRows,
  { brand, other }: Pair,
  counted: (aspect: number) => boolean,
): Preference | undefined {
  let [wins, loses] = [false, false];
  for (let at = from; at < to; at += 1) {
    if (!counted(aspects[at] ?? 0)) continue;
    wins ||= betters[at] === brand && worses[at] === other;
    loses ||= betters[at] === other && worses[at] === brand;
  }
  if (wins && loses) return "both";
  return wins ? "brand" : loses ? "other" : undefined;
}

/** Aspects by the numbers that comparisons have: that of none is the first. */
export function aspectsOf({ aspects }: CollectPerception): readonly (string | null)[] {
  return [null, ...aspects];
}

/** Of each answer that names both: 1 where the first has the higher stance, 0 where the other has it, a half where they have the same. */
export function* higherStances(said: CollectPerception, { brand, other }: Pair): Generator<ScoredAnswer> {
  const { opinions } = said;
  for (const { question, run, from, to } of answersIn(opinions)) {
    let [own, others] = [-1, -1];
    for (let at = from; at < to; at += 1) {
      if (opinions.brands[at] === brand) own = opinions.stances[at] ?? -1;
      if (opinions.brands[at] === other) others = opinions.stances[at] ?? -1;
    }
    if (own === -1 || others === -1) continue;
    // The best stance is 0.
    yield { question, run, value: own === others ? TIE : Number(own < others) };
  }
}

// Clauses score a brand's attribute from −5 to 5. An answer counts once, with the mean of its clauses, so that one that says the same thing
// five times is no five answers; how many clauses there are is counted apart.

/** Bounds of scores. */
export const LEAST_SCORE = -5;
const MOST_SCORE = 5;
const WIDTH = MOST_SCORE - LEAST_SCORE;

export interface BrandAttribute {
  brand: number;
  attribute: string;
}

/** Mean clause score of each answer that rates a brand's attribute: 0 to 1 for −5 to 5, rounded to tenths of a point. */
export function* attributeScores(said: CollectPerception, of: BrandAttribute): Generator<ScoredAnswer> {
  for (const answer of answersIn(said.attributes)) {
    const scores = scoresIn(said, answer, of);
    if (scores.length === 0) continue;
    const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
    const value = valueOfScore(Math.round(mean * 10) / 10);
    yield { question: answer.question, run: answer.run, value, places: scores.length };
  }
}

/** The scores of an answer's clauses that speak of a brand's attribute. */
export function scoresIn(
  { attributes, attributeNames }: CollectPerception,
  { from, to }: AnswerRows,
  { brand, attribute }: BrandAttribute,
): number[] {
  const place = attributeNames.indexOf(attribute);
  const scores: number[] = [];
  for (let at = from; at < to; at += 1) {
    if (attributes.brands[at] !== brand || attributes.attributes[at] !== place) continue;
    scores.push((attributes.scores[at] ?? 0) + LEAST_SCORE);
  }
  return scores;
}

/** A score as a value between 0 and 1. */
function valueOfScore(score: number): number {
  return (score - LEAST_SCORE) / WIDTH;
}

/** The score that a value between 0 and 1, or a share of values, stands for. */
export function scoreOfValue(value: number): number {
  return LEAST_SCORE + value * WIDTH;
}

/** How much of a score a difference of values is. */
export const SCORES_OF_ONE = WIDTH;
