import type { Change } from "./change.ts";

/** A repetition in the next collect confirms a first sign. */
export const MAX_FIRST_SIGN_P = 0.05;

const MAX_IMMEDIATE_P = 0.001;

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
export type ChangeVerdict = (typeof VERDICTS)[number];

/** Cells (prompt × source × country × persona) of both sides; `other…` are on both but excluded. */
export interface CellTotals {
  beforeCount: number;
  afterCount: number;
  /** Cells completed on both sides with the same method and model. */
  commonCount: number;
  otherMethod: number;
  otherModel: number;
}

/** Reasons not to compare two sides. */
export type Obstacle = Extract<ChangeVerdict, `${string}_changed`>;

/** Comparable sides use one extraction version and share at least half of the cells of either. */
export function findObstacle(cells: CellTotals, readByOneVersion: boolean): Obstacle | null {
  if (!readByOneVersion) return "catalog_changed";
  if (2 * cells.commonCount >= Math.max(cells.beforeCount, cells.afterCount)) return null;
  const missing =
    Math.max(cells.beforeCount, cells.afterCount) - cells.commonCount - cells.otherMethod - cells.otherModel;
  if (Math.max(cells.otherMethod, cells.otherModel) <= missing) return "basket_changed";
  return cells.otherMethod >= cells.otherModel ? "method_changed" : "model_changed";
}

/**
 * `neighbour` is the adjacent collect's change against the same reference; both together form a
 * repetition. `withField` is true if the rivals changed too.
 */
export function judgeChange(
  change: Pick<Change, "delta" | "p">,
  context: { obstacle: Obstacle | null; neighbour?: Pick<Change, "delta" | "p"> | null; withField?: boolean },
): ChangeVerdict {
  if (context.obstacle) return context.obstacle;
  if (change.p === null) return "insufficient_data";
  if (change.p > MAX_FIRST_SIGN_P) return "within_noise";
  if (context.withField) return "moved_with_field";
  return change.p <= MAX_IMMEDIATE_P || isRepetition(change, context.neighbour) ? "moved" : "first_sign";
}

/**
 * Adjusts p-values for the false discovery rate (Benjamini and Hochberg, 1995, JRSS B 57), in input
 * order. Pass all rivals of a selection before paging, without the own brand. Nulls do not count.
 */
export function adjustPValues(pValues: readonly (number | null)[]): (number | null)[] {
  const known = pValues.flatMap((p, at) => (p === null ? [] : [{ p, at }])).toSorted((a, b) => b.p - a.p);
  const adjusted: (number | null)[] = pValues.map(() => null);
  let least = 1;
  for (const [above, { p, at }] of known.entries()) {
    least = Math.min(least, (p * known.length) / (known.length - above));
    adjusted[at] = least;
  }
  return adjusted;
}

function isRepetition(change: Pick<Change, "delta" | "p">, neighbour: Pick<Change, "delta" | "p"> | null | undefined) {
  if (!neighbour || neighbour.p === null) return false;
  return neighbour.p <= MAX_FIRST_SIGN_P && Math.sign(neighbour.delta) === Math.sign(change.delta);
}
