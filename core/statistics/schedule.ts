import { judgeDifference, estimateHistory, MAX_HISTORY, type Change } from "./change.ts";
import type { Difference } from "./difference.ts";
import { MAX_FIRST_SIGN_P } from "./verdict.ts";

export const REFERENCE_COLLECTS = 4;

/** The reference, the previous collect's reference, and the history before both. */
export const MAX_EARLIER_COLLECTS = MAX_HISTORY + 1 + REFERENCE_COLLECTS;

export interface ScheduledChange {
  change: Change;
  reference: readonly number[];
  /** Previous collect's change against the same reference, if it was a first sign. */
  neighbour: Change | null;
}

/**
 * Compares a collect with up to four before it. If the previous collect gave a first sign, its
 * reference is used again, so that both together can confirm the change. `compare` returns an
 * unjudged difference if the sides are not comparable.
 */
export function judgeScheduledChange(
  at: number,
  compare: (after: number, reference: readonly number[]) => Difference,
): ScheduledChange {
  const alone = (position: number) => compare(position, listReferenceIndexes(position));
  const sign = at > 1 ? judgeDifference(alone(at - 1), estimateHistoryBefore(at - 1, alone)) : null;
  if (sign?.p !== null && sign && sign.p <= MAX_FIRST_SIGN_P) {
    const reference = listReferenceIndexes(at - 1);
    return {
      change: judgeDifference(compare(at, reference), estimateHistoryBefore(at - 1, alone)),
      reference,
      neighbour: sign,
    };
  }
  return {
    change: judgeDifference(alone(at), estimateHistoryBefore(at, alone)),
    reference: listReferenceIndexes(at),
    neighbour: null,
  };
}

/** All comparisons that `judgeScheduledChange` may request: an index and its reference. */
export function listComparisons(at: number): [after: number, reference: number[]][] {
  const alone = listIndexes(Math.max(1, at - 1 - MAX_HISTORY), at + 1);
  const each = alone.map((position): [number, number[]] => [position, listReferenceIndexes(position)]);
  return at > 1 ? [...each, [at, listReferenceIndexes(at - 1)]] : each;
}

function listReferenceIndexes(at: number): number[] {
  return listIndexes(Math.max(0, at - REFERENCE_COLLECTS), at);
}

function estimateHistoryBefore(at: number, alone: (position: number) => Difference) {
  const earlier = listIndexes(Math.max(1, at - MAX_HISTORY), at).toReversed();
  return estimateHistory(earlier.map(alone).filter(({ isJudgeable }) => isJudgeable));
}

function listIndexes(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, at) => from + at);
}
