import type { CollectPerception } from "./collect-perception.ts";
import { answersIn, type AnswerRows } from "./said-rows.ts";
import type { ScoredAnswer } from "./scored-facts.ts";

// Clauses score a brand's attribute from −5 to 5. An answer counts once, with the mean of its clauses, so that one that says the same thing
// five times is no five answers; how many clauses there are is counted apart.

/** What scores are between. */
export const LEAST_SCORE = -5;
export const MOST_SCORE = 5;
const WIDTH = MOST_SCORE - LEAST_SCORE;

/** An attribute of a brand, by the brand's number. */
export interface BrandAttribute {
  brand: number;
  attribute: string;
}

/** Of each answer that speaks of a brand's attribute the mean score of its clauses, from 0 to 1 for −5 to 5, by tenths of a point. */
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
