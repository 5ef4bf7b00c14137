import { atOnce } from "../../shared/in-turns.ts";
import { changeOf, type Change } from "../../statistics/change.ts";
import { meanInterval, momentsOf, type Interval } from "../../statistics/interval.ts";
import type { CollectFacts } from "../facts/collect-facts.ts";
import { compareFacts } from "./compare-facts.ts";
import { comparedFigure } from "./compared-figure.ts";
import { marksOf } from "../packed-columns.ts";
import type { Prompt } from "../prompt-clusters.ts";

/** What answers of one source by one method say of a brand that others of the same prompts by another method do not. */
export interface MethodGap {
  /** Answers of each method to the prompts that both answered, runs cut to the smaller number. */
  answers: number;
  prompts: number;
  /** The presence by each, and by `one` less by `other`, with interval and p; null where neither answered. */
  one: number | null;
  other: number | null;
  change: Change;
  rank: RankGap;
}

/** Over the prompts in which both methods have the brand. */
export interface RankGap {
  prompts: number;
  /** Means over these prompts of a prompt's mean rank; null without any. */
  one: number | null;
  other: number | null;
  /** `one` less `other`, and its 95 % interval: null below five prompts. */
  gap: number | null;
  interval: Interval | null;
}

export interface TwoMethods {
  one: CollectFacts;
  other: CollectFacts;
}

/** The one name of the source in a comparison of it with itself. */
const HERE = "ASSISTANT_A";

/**
 * The gap of each brand, by number, over the prompts that both methods answered: of a presence the mean of the differences per prompt with
 * the t-test of paired data (`pairDifference`), of a rank the mean difference of a prompt's mean ranks, d ± t·√V with P − 1 degrees
 * (`meanInterval`), where Σ(d_i − d)² counts as that of one place at least. `prompts` has each as its cells.
 */
export function methodGaps(
  { one, other }: TwoMethods,
  prompts: readonly (readonly Prompt[])[],
  brands: readonly number[],
): Map<number, MethodGap> {
  const comparing = compareFacts(side(one), [side(other)], {
    prompts,
    compared: "presence",
    only: marksOf(brands),
    acrossWays: true,
  });
  const comparison = atOnce(comparing);
  return new Map(
    brands.map((brand): [number, MethodGap] => {
      const { before, after, difference } = comparedFigure(comparison, brand);
      return [
        brand,
        {
          answers: comparison.n,
          prompts: comparison.prompts,
          one: after,
          other: before,
          change: changeOf(difference),
          rank: rankGap({ one, other }, prompts, brand),
        },
      ];
    }),
  );
}

function side(facts: CollectFacts) {
  return { sources: new Map([[HERE, facts]] as const) };
}

function rankGap({ one, other }: TwoMethods, prompts: readonly (readonly Prompt[])[], brand: number): RankGap {
  const pairs = prompts.flatMap((cells) => {
    const [mine, theirs] = [meanRank(one, cells.flat(), brand), meanRank(other, cells.flat(), brand)];
    return mine === null || theirs === null ? [] : [{ mine, theirs }];
  });
  const gaps = pairs.map(({ mine, theirs }) => mine - theirs);
  const moments = momentsOf(gaps.map((x) => ({ x, n: 1 })));
  return {
    prompts: pairs.length,
    one: mean(pairs.map(({ mine }) => mine)),
    other: mean(pairs.map(({ theirs }) => theirs)),
    gap: mean(gaps),
    interval: meanInterval(moments, { least: -Infinity, most: Infinity, step: 1 }),
  };
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** A brand's mean rank in the answers to some questions; null where it is in none. */
function meanRank({ starts, brands, ranks }: CollectFacts, questions: Prompt, brand: number): number | null {
  let [sum, count] = [0, 0];
  for (const question of questions) {
    for (let at = starts[question] ?? 0; at < (starts[question + 1] ?? 0); at += 1) {
      if (brands[at] !== brand) continue;
      sum += ranks[at] ?? 0;
      count += 1;
    }
  }
  return count === 0 ? null : sum / count;
}
