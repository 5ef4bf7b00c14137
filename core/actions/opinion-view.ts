import type { CollectPerception } from "../metrics/facts/collect-perception.ts";
import { sumMoments, computeRateInterval, type Interval } from "../statistics/interval.ts";
import type { PromptKind } from "../prompts/brand-prompt.ts";
import type { Source } from "../sources/sources.ts";

/** Names no invented brand. */
export interface OpinionPrompt {
  kind: PromptKind;
  /** Opinions in its answers are prompted, and count for declared facts only. */
  asksProsCons: boolean;
  id: string;
  text: string;
  /** Positions of its questions, one per country and persona. */
  questions: readonly number[];
  brandIds: readonly string[];
}

export interface SourceOpinions {
  source: Source;
  perception: CollectPerception;
}

export interface OpinionView {
  prompts: readonly OpinionPrompt[];
  sources: readonly SourceOpinions[];
  numberByBrandId: ReadonlyMap<string, number>;
  /** Declared facts of the own brand, its sub-brands and products. */
  facts: readonly FactWithClaims[];
  attributes: readonly string[];
  /** Canonical name of an aspect, so that "cheaper" and "its price" are equal. */
  canonicalAspect: (aspect: string) => string;
}

/** Number of answers, and the sum of their values from 0 to 1. */
export interface OpinionShare {
  n: number;
  x: number;
}

export interface CountedAnswer {
  source: Source;
  /** Index of the prompt in the view. */
  prompt: number;
  /** Row key of the counted answer. */
  key: number;
  value: number;
}

/** Claim of an answer about a fact: 1 if it contradicts the fact, 0 if it agrees. */
export interface FactClaim extends CountedAnswer {
  /** Page that the answer cites for the claim. */
  url: string | null;
}

export interface FactWithClaims {
  id: string;
  attribute: string;
  declaredValue: string;
  claims: readonly FactClaim[];
}

/** Prompt index by question position; only counted prompts, by default those with unprompted opinions. */
export function indexPromptsByQuestion(
  { prompts }: Pick<OpinionView, "prompts">,
  isCounted: (prompt: OpinionPrompt) => boolean = ({ asksProsCons }) => !asksProsCons,
): ReadonlyMap<number, number> {
  return new Map(
    prompts.flatMap((prompt, at) =>
      isCounted(prompt) ? prompt.questions.map((question) => [question, at] as const) : [],
    ),
  );
}

export function groupShares<Key extends "prompt" | "source">(
  counted: readonly CountedAnswer[],
  key: Key,
): Map<CountedAnswer[Key], OpinionShare> {
  const shares = new Map<CountedAnswer[Key], OpinionShare>();
  for (const one of counted) {
    const own = shares.get(one[key]) ?? { n: 0, x: 0 };
    shares.set(one[key], { n: own.n + 1, x: own.x + one.value });
  }
  return shares;
}

export function sumShare(counted: readonly CountedAnswer[]): OpinionShare {
  return { n: counted.length, x: counted.reduce((sum, { value }) => sum + value, 0) };
}

/** 95 % interval over prompts; null below five. Sources count as one, which is conservative. */
export function estimateInterval(shares: Iterable<OpinionShare>): Interval | null {
  const sums = sumMoments(shares);
  return computeRateInterval(sums, { runs: Math.ceil(sums.n / Math.max(1, sums.promptCount)), sourceCount: 1 });
}
