import { changeOf, historyOf, MOST_HISTORY, type Change } from "./change.ts";
import type { Difference } from "./difference.ts";
import { FIRST_SIGN } from "./verdict.ts";

/** The mean of as many collects before is what a collect of a schedule is compared with. */
const REFERENCE = 4;

/** How many collects before one its change can rest on: its reference, that of the one before, and the history before both. */
export const MOST_EARLIER = MOST_HISTORY + 1 + REFERENCE;

/** The change of a collect in a schedule, with what it is compared with, and the sign that the collect before gave of it. */
export interface ScheduledChange {
  change: Change;
  /** Positions of the collects that it is compared with. */
  reference: readonly number[];
  /** The change of the collect before against the same reference, where that was a first sign. */
  neighbour: Change | null;
}

/**
 * A brand's change in the collect at a position of a schedule, of which the first is 0: against up to four before it, or,
 * where the one before gave a first sign, against what that was compared with, so that the two together can repeat it.
 * `compare` sums what both sides have in common, not judged where they cannot be compared.
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

/** Everything that `scheduledChange` may ask for: a position, and those that it is compared with. */
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
