import { createFamilies } from "../share-of-voice.ts";
import { createKeywordAnswers, unpackFacts, packFacts, type CollectFacts, type FactRow } from "./collect-facts.ts";
import type { CollectPerception } from "./collect-perception.ts";
import { sumMoments, type Moments } from "../../statistics/interval.ts";

// Values from 0 to 1 of some answers (a tie is 0.5) are packed like ranks, so that the same
// functions cut, sum and compare them. `SCORE_FOR` has the value in hundredths as rank,
// `SCORE_AGAINST` the rest to 1; the metric is the share of `SCORE_FOR` in both.

export const SCORE_FOR = 1;
export const SCORE_AGAINST = 2;
export const SCORE_FAMILIES = createFamilies([SCORE_FOR, SCORE_AGAINST]);
const HUNDREDTHS_PER_UNIT = 100;

/** `runIndex` is an index among the shown answers to the question. */
export interface ScoredAnswer {
  question: number;
  runIndex: number;
  /** 0 to 1, stored in hundredths. */
  value: number;
  /** Passages behind the value; 1 by default. */
  passageCount?: number;
}

/** Takes at most one score per answer. */
export function buildScoredFacts(
  { answers, wayOf, ways }: Pick<CollectPerception, "answers" | "wayOf" | "ways">,
  scored: Iterable<ScoredAnswer>,
): CollectFacts {
  const rows: FactRow[] = [];
  for (const { question, runIndex, value, passageCount = 1 } of scored) {
    const own = Math.round(value * HUNDREDTHS_PER_UNIT);
    const row = (brand: number, rank: number): FactRow => {
      return { keyword: question, runIndex, brand, rank, brandRank: rank, mentions: passageCount };
    };
    rows.push(row(SCORE_FOR, own), row(SCORE_AGAINST, HUNDREDTHS_PER_UNIT - own));
  }
  const keywords = Array.from(answers, (count, question) => {
    return { ...createKeywordAnswers(), answers: count, way: ways[(wayOf[question] ?? 0) - 1] ?? null };
  });
  return unpackFacts(packFacts(keywords, rows));
}

export function scoreOfRank(rank: number): number {
  return rank / HUNDREDTHS_PER_UNIT;
}

export function* iterateValues(
  all: readonly CollectFacts[],
  prompts: Iterable<number>,
): Generator<{ value: number; passageCount: number }> {
  for (const prompt of prompts) {
    for (const { rowStarts, brands, ranks, mentions } of all) {
      for (let at = rowStarts[prompt] ?? 0; at < (rowStarts[prompt + 1] ?? 0); at += 1) {
        if (brands[at] === SCORE_FOR) yield { value: scoreOfRank(ranks[at] ?? 0), passageCount: mentions[at] ?? 0 };
      }
    }
  }
}

/** Over sources and collects: n scored answers per prompt, x the sum of values. */
export function computeScoreMoments(all: readonly CollectFacts[], prompts: readonly number[]): Moments {
  return sumMoments(
    prompts.map((prompt) => {
      const sums = { x: 0, n: 0 };
      for (const { rowStarts, brands, ranks } of all) {
        for (let at = rowStarts[prompt] ?? 0; at < (rowStarts[prompt + 1] ?? 0); at += 1) {
          if (brands[at] !== SCORE_FOR) continue;
          sums.n += 1;
          sums.x += ranks[at] ?? 0;
        }
      }
      return { x: scoreOfRank(sums.x), n: sums.n };
    }),
  );
}
