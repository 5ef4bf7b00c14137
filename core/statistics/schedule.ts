import { changeOf, historyOf, MOST_HISTORY, type Change } from "./change.ts";
import type { Difference } from "./difference.ts";
import { FIRST_SIGN } from "./verdict.ts";

/** Number of earlier collects averaged as reference of a scheduled collect. */
const REFERENCE = 4;

/**
 * Max earlier collects that a change depends on: its reference, the previous one's, and the history
 * before.
 */
export const MOST_EARLIER = MOST_HISTORY + 1 + REFERENCE;

/** Change of a scheduled collect, its reference, and the previous collect's sign of it. */
export interface ScheduledChange {
  change: Change;
  /** Indexes of the collects in the reference. */
  reference: readonly number[];
  /** Previous collect's change against the same reference, if it was a first sign. */
  neighbour: Change | null;
}

/**
 * Change of the collect at an index of a schedule, against up to four collects before it. If the
 * previous collect gave a first sign, its reference is used again, so that both together can
 * confirm the change. `compare` returns an unjudged difference if the sides are not comparable.
 */
export function scheduledChange(
  at: number,
  compare: (after: number, reference: readonly number[]) => Difference,
): ScheduledChange {
  const alone = (position: number) => compare(position, referenceOf(position));
  const sign = at > 1 ? changeOf(alone(at - 1), historyBefore(at - 1, alone)) : null;
  if (sign?.p !== null && sign && sign.p <= FIRST_SIGN) {
    const reference = referenceOf(at - 1);
    return { change: changeOf(compare(at, reference), historyBefore(at - 1, alone)), reference, neighbour: sign };
  }
  return { change: changeOf(alone(at), historyBefore(at, alone)), reference: referenceOf(at), neighbour: null };
}

/** Lists each comparison that `scheduledChange` may request: an index and its reference. */
export function comparisonsFor(at: number): [after: number, reference: number[]][] {
  const alone = positions(Math.max(1, at - 1 - MOST_HISTORY), at + 1);
  const each = alone.map((position): [number, number[]] => [position, referenceOf(position)]);
  return at > 1 ? [...each, [at, referenceOf(at - 1)]] : each;
}

function referenceOf(at: number): number[] {
  return positions(Math.max(0, at - REFERENCE), at);
}

function historyBefore(at: number, alone: (position: number) => Difference) {
  const earlier = positions(Math.max(1, at - MOST_HISTORY), at).toReversed();
  return historyOf(earlier.map(alone).filter(({ judged }) => judged));
}

function positions(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, at) => from + at);
}
