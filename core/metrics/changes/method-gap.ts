import { atOnce } from "../../shared/in-turns.ts";
import { changeOf, type Change } from "../../statistics/change.ts";
import { meanInterval, momentsOf, type Interval } from "../../statistics/interval.ts";
import type { CollectFacts } from "../facts/collect-facts.ts";
import { compareFacts } from "./compare-facts.ts";
import { comparedFigure } from "./compared-figure.ts";
import { marksOf } from "../packed-columns.ts";
import type { Prompt } from "../prompt-clusters.ts";

/** Difference in a brand's metrics between two methods of one source, over the same prompts. */
export interface MethodGap {
  /** Answers per method to the common prompts, runs cut to the smaller number. */
  answers: number;
  prompts: number;
  /** Presence by method, and the change from `other` to `one`; null without common answers. */
  one: number | null;
  other: number | null;
  change: Change;
  rank: RankGap;
}

/** Over the prompts in which both methods have the brand. */
export interface RankGap {
  prompts: number;
  /** Mean over prompts of the mean rank per prompt; null without any. */
  one: number | null;
  other: number | null;
  /** `one` − `other` with its 95 % interval; null below five prompts. */
  gap: number | null;
  interval: Interval | null;
}

export interface TwoMethods {
  one: CollectFacts;
  other: CollectFacts;
}

/** Stands for the compared source on both sides. */
const HERE = "ASSISTANT_A";

/**
 * Gaps by brand number over the prompts answered by both methods. Presence: mean difference per
 * prompt with a paired t test (`pairDifference`). Rank: mean difference of mean ranks, d ± t·√V
 * with P − 1 degrees of freedom (`meanInterval`), where Σ(d_i − d)² is at least one rank squared.
 * `prompts` has each prompt as its cells.
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

/** Mean rank of a brand in the answers to some questions; null without any. */
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
