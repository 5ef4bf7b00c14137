import type { Change } from "./change.ts";

/** At or below this chance a change is a first sign; where the next collect repeats it, it moved. */
export const FIRST_SIGN = 0.05;

/** At or below this chance a change moved at once. */
const AT_ONCE = 0.001;

export const VERDICTS = [
  "insufficient_data",
  "within_noise",
  "first_sign",
  "moved",
  "moved_with_field",
  "model_changed",
  "method_changed",
  "catalog_changed",
  "basket_changed",
] as const;
export type Verdict = (typeof VERDICTS)[number];

/** Cells (prompt × source × country × persona) of both sides, and why those are left out that only look common. */
export interface Cells {
  before: number;
  after: number;
  /** Completed on both sides with the same method and model. */
  common: number;
  otherMethod: number;
  otherModel: number;
}

/** Why two sides are not compared at all. */
export type Obstacle = Extract<Verdict, `${string}_changed`>;

/** Whether the two sides can be compared: read by one version, and at least half of the cells of either common to both. */
export function obstacleOf(cells: Cells, readByOneVersion: boolean): Obstacle | null {
  if (!readByOneVersion) return "catalog_changed";
  if (2 * cells.common >= Math.max(cells.before, cells.after)) return null;
  const missing = Math.max(cells.before, cells.after) - cells.common - cells.otherMethod - cells.otherModel;
  if (Math.max(cells.otherMethod, cells.otherModel) <= missing) return "basket_changed";
  return cells.otherMethod >= cells.otherModel ? "method_changed" : "model_changed";
}

/**
 * What a change is called. `neighbour` is that of the collect beside it (the one before the latest, the one after an
 * earlier one) against the very same reference: only the two together are a repetition. `withField` says that the rivals
 * moved too. The verdict says no more than the p and the interval of the change itself do.
 */
export function verdictOf(
  change: Pick<Change, "delta" | "p">,
  context: { obstacle: Obstacle | null; neighbour?: Pick<Change, "delta" | "p"> | null; withField?: boolean },
): Verdict {
  if (context.obstacle) return context.obstacle;
  if (change.p === null) return "insufficient_data";
  if (change.p > FIRST_SIGN) return "within_noise";
  if (context.withField) return "moved_with_field";
  return change.p <= AT_ONCE || repeats(change, context.neighbour) ? "moved" : "first_sign";
}

/**
 * p-values of many brands judged together, each raised so that of those at or below a rate no larger share is false:
 * adjusted by Benjamini and Hochberg (1995, JRSS B 57). In the order given; the family is all rivals of a selection, before
 * paging and sorting, and never the own brand, which is a question of its own. Null stays null and does not count.
 */
export function adjust(pValues: readonly (number | null)[]): (number | null)[] {
  const known = pValues.flatMap((p, at) => (p === null ? [] : [{ p, at }])).toSorted((a, b) => b.p - a.p);
  const adjusted: (number | null)[] = pValues.map(() => null);
  let least = 1;
  for (const [above, { p, at }] of known.entries()) {
    least = Math.min(least, (p * known.length) / (known.length - above));
    adjusted[at] = least;
  }
  return adjusted;
}

function repeats(
  change: Pick<Change, "delta" | "p">,
  neighbour: Pick<Change, "delta" | "p"> | null | undefined,
): boolean {
  if (!neighbour || neighbour.p === null) return false;
  return neighbour.p <= FIRST_SIGN && Math.sign(neighbour.delta) === Math.sign(change.delta);
}
