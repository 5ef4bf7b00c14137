import { runWithoutPauses } from "../../shared/run-generator.ts";
import { judgeDifference, type Change } from "../../statistics/change.ts";
import { computeMeanInterval, sumMoments, type Interval } from "../../statistics/interval.ts";
import type { CollectFacts } from "../facts/collect-facts.ts";
import { compareFacts } from "./compare-facts.ts";
import { compareValue } from "./compare-value.ts";
import { toMask } from "../packed-columns.ts";
import type { PromptPositions } from "../prompt-clusters.ts";
import type { Source } from "../../sources/sources.ts";

/** Compares two methods of one source over the same prompts. */
export interface MethodGap {
  /** Answers per method, runs cut to the smaller number. */
  answers: number;
  promptCount: number;
  /** Null without common answers; `change` is first − second. */
  firstPresence: number | null;
  secondPresence: number | null;
  change: Change;
  rank: RankGap;
}

/** Covers the prompts in which both methods have the brand. */
export interface RankGap {
  promptCount: number;
  /** Mean over prompts of the mean rank per prompt; null without any. */
  firstMeanRank: number | null;
  secondMeanRank: number | null;
  /** First − second; the 95 % interval is null below five prompts. */
  meanRankGap: number | null;
  interval: Interval | null;
}

/** Answers of one run. */
export interface TwoMethods {
  firstFacts: CollectFacts;
  secondFacts: CollectFacts;
}

/**
 * Gaps by brand number, each run paired with itself. Presence: mean difference per prompt with a paired t test
 * (`computePairDifference`). Rank: mean difference of mean ranks (`computeMeanInterval`), where
 * Σ(d_i − d)² is at least one rank squared. `prompts` has each prompt as its cells.
 */
export function computeMethodGaps(
  runs: readonly TwoMethods[],
  prompts: readonly (readonly PromptPositions[])[],
  brands: readonly number[],
): Map<number, MethodGap> {
  const [first, second] = [runs.map(({ firstFacts }) => firstFacts), runs.map(({ secondFacts }) => secondFacts)];
  const comparing = compareFacts(toSide(first), [toSide(second)], {
    prompts,
    comparedMetric: "presence",
    only: toMask(brands),
    comparesAcrossMethods: true,
  });
  const comparison = runWithoutPauses(comparing);
  return new Map(
    brands.map((brand): [number, MethodGap] => {
      const { valueBefore, valueAfter, difference } = compareValue(comparison, brand);
      return [
        brand,
        {
          answers: comparison.n,
          promptCount: comparison.promptCount,
          firstPresence: valueAfter,
          secondPresence: valueBefore,
          change: judgeDifference(difference),
          rank: computeRankGap({ first, second }, prompts, brand),
        },
      ];
    }),
  );
}

/** Comparisons need only a distinct key per run in place of the source. */
function toSide(runs: readonly CollectFacts[]) {
  return { sources: new Map(runs.map((facts, run) => [String(run) as Source, facts])) };
}

function computeRankGap(
  { first, second }: { first: readonly CollectFacts[]; second: readonly CollectFacts[] },
  prompts: readonly (readonly PromptPositions[])[],
  brand: number,
) {
  const pairs = prompts.flatMap((cells) => {
    const [mine, theirs] = [meanRank(first, cells.flat(), brand), meanRank(second, cells.flat(), brand)];
    return mine === null || theirs === null ? [] : [{ mine, theirs }];
  });
  const gaps = pairs.map(({ mine, theirs }) => mine - theirs);
  const moments = sumMoments(gaps.map((x) => ({ x, n: 1 })));
  return {
    promptCount: pairs.length,
    firstMeanRank: mean(pairs.map(({ mine }) => mine)),
    secondMeanRank: mean(pairs.map(({ theirs }) => theirs)),
    meanRankGap: mean(gaps),
    interval: computeMeanInterval(moments, { min: -Infinity, max: Infinity, step: 1 }),
  };
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function meanRank(runs: readonly CollectFacts[], questions: PromptPositions, brand: number): number | null {
  let [sum, count] = [0, 0];
  for (const { rowStarts: starts, brands, ranks } of runs) {
    for (const question of questions) {
      for (let at = starts[question] ?? 0; at < (starts[question + 1] ?? 0); at += 1) {
        if (brands[at] !== brand) continue;
        sum += ranks[at] ?? 0;
        count += 1;
      }
    }
  }
  return count === 0 ? null : sum / count;
}
