import type { CollectPerception } from "./collect-perception.ts";
import { answersIn, type AnswerRows } from "./said-rows.ts";
import type { ScoredAnswer } from "./scored-facts.ts";

// Two brands are compared by the answers that prefer one of them, and by those that name both.

const TIE = 0.5;

/** Two brands, by number. */
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
