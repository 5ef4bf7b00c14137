import { familiesAt } from "../share-of-voice.ts";
import { noAnswers, openFacts, packFacts, type CollectFacts, type FactRow } from "./collect-facts.ts";
import type { CollectPerception } from "./collect-perception.ts";
import { momentsOf, type Moments } from "../../statistics/interval.ts";

// A figure of some of the answers, such as those that name a brand, each of which counts for a value between 0 and 1: a rate has 0 and 1,
// a tie is a half. It is packed as places of brands are, so that the same functions cut, sum and compare it: of an answer with the value v,
// `FOR` has v in hundredths for a rank, and `AGAINST` what is left of 1. So the figure is the share of `FOR` in both.

export const FOR = 1;
export const AGAINST = 2;
/** Denominator of a score: values for and against. */
export const SCORED = familiesAt([FOR, AGAINST]);
const HUNDREDTHS = 100;

/** What an answer counts for. `run` is its place among the answers to the question that were shown. */
export interface ScoredAnswer {
  question: number;
  run: number;
  /** 0 to 1, by hundredths. */
  value: number;
  /** How many places in it the value rests on; 1 by default. */
  places?: number;
}

/** Facts by question of the answers that count. An answer counts once. */
export function scoredFacts(
  { answers, wayOf, ways }: Pick<CollectPerception, "answers" | "wayOf" | "ways">,
  scored: Iterable<ScoredAnswer>,
): CollectFacts {
  const rows: FactRow[] = [];
  for (const { question, run, value, places = 1 } of scored) {
    const own = Math.round(value * HUNDREDTHS);
    const row = (brand: number, rank: number): FactRow => {
      return { keyword: question, run, brand, rank, brandRank: rank, mentions: places };
    };
    rows.push(row(FOR, own), row(AGAINST, HUNDREDTHS - own));
  }
  const keywords = Array.from(answers, (count, question) => {
    return { ...noAnswers(), answers: count, way: ways[(wayOf[question] ?? 0) - 1] ?? null };
  });
  return openFacts(packFacts(keywords, rows));
}

/** The value that a rank stands for. */
export function scoreOf(rank: number): number {
  return rank / HUNDREDTHS;
}

/** The values of the answers that count, of some prompts, and how many places each rests on. */
export function* valuesIn(
  all: readonly CollectFacts[],
  prompts: Iterable<number>,
): Generator<{ value: number; places: number }> {
  for (const prompt of prompts) {
    for (const { starts, brands, ranks, mentions } of all) {
      for (let at = starts[prompt] ?? 0; at < (starts[prompt + 1] ?? 0); at += 1) {
        if (brands[at] === FOR) yield { value: scoreOf(ranks[at] ?? 0), places: mentions[at] ?? 0 };
      }
    }
  }
}

/** Sums by prompt over facts of several sources and collects: `n` answers that count, `x` their values. Prompts without one do not count. */
export function scoreMoments(all: readonly CollectFacts[], prompts: readonly number[]): Moments {
  return momentsOf(
    prompts.map((prompt) => {
      const sums = { x: 0, n: 0 };
      for (const { starts, brands, ranks } of all) {
        for (let at = starts[prompt] ?? 0; at < (starts[prompt + 1] ?? 0); at += 1) {
          if (brands[at] !== FOR) continue;
          sums.n += 1;
          sums.x += ranks[at] ?? 0;
        }
      }
      return { x: scoreOf(sums.x), n: sums.n };
    }),
  );
}
