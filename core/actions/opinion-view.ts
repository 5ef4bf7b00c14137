import type { CollectPerception } from "../metrics/facts/collect-perception.ts";
import { momentsOf, rateInterval, type Interval } from "../statistics/interval.ts";
import type { Source } from "../sources/sources.ts";

/** A prompt of a brand analysis that asks neither for pros or cons nor for an invented name: what answers say to it they say unasked. */
export interface OpinionPrompt {
  /** Id of its first question. */
  id: string;
  text: string;
  /** Positions of its questions in each country and as each persona. */
  questions: readonly number[];
  brandIds: readonly string[];
}

export interface SourceOpinions {
  source: Source;
  said: CollectPerception;
}

export interface OpinionView {
  prompts: readonly OpinionPrompt[];
  sources: readonly SourceOpinions[];
  numbers: ReadonlyMap<string, number>;
  /** Declared facts of the own brand, its sub-brands and products. */
  facts: readonly HeldAgainst[];
  attributes: readonly string[];
  /** What an aspect is called, so that "cheaper" and "its price" are one. */
  nameOf: (aspect: string) => string;
}

/** Answers that count, and the sum of their values from 0 to 1. */
export interface Share {
  n: number;
  x: number;
}

export interface Counted {
  source: Source;
  /** Place of its prompt in the view. */
  prompt: number;
  /** What its row is found by. */
  key: number;
  value: number;
}

/** Claim of an answer about a fact: 1 if it contradicts the fact, 0 if it agrees. */
export interface HeldClaim extends Counted {
  /** The page that it cites where it does. */
  url: string | null;
}

/** A declared fact of the own brand, its sub-brands or products, and what answers say of it. */
export interface HeldAgainst {
  id: string;
  attribute: string;
  declared: string;
  claims: readonly HeldClaim[];
}

/** Which prompt each question is of, by position; undefined of one that does not count. */
export function promptPlaces({ prompts }: Pick<OpinionView, "prompts">): ReadonlyMap<number, number> {
  return new Map(prompts.flatMap(({ questions }, at) => questions.map((question) => [question, at] as const)));
}

/** The answers that count, by prompt or by source. */
export function sharesBy<Key extends "prompt" | "source">(
  counted: readonly Counted[],
  key: Key,
): Map<Counted[Key], Share> {
  const shares = new Map<Counted[Key], Share>();
  for (const one of counted) {
    const own = shares.get(one[key]) ?? { n: 0, x: 0 };
    shares.set(one[key], { n: own.n + 1, x: own.x + one.value });
  }
  return shares;
}

export function shareOf(counted: readonly Counted[]): Share {
  return { n: counted.length, x: counted.reduce((sum, { value }) => sum + value, 0) };
}

/** 95 % interval of a share for prompts like these; null below five. Runs at several sources are taken for runs at one, which are more alike. */
export function intervalOf(shares: Iterable<Share>): Interval | null {
  const sums = momentsOf(shares);
  return rateInterval(sums, { runs: Math.ceil(sums.n / Math.max(1, sums.prompts)), sources: 1 });
}
