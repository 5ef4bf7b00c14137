import type { VisibilityInput } from "./visibility-request.ts";
import type { Dimension } from "./visibility-groups.ts";
import { FIGURE_COLUMNS, type VisibilityRow } from "./visibility-row.ts";

/** True for a row that `only: moved` keeps. */
export function hasMoved({ change }: VisibilityRow): boolean {
  return ["moved", "moved_with_field", "first_sign"].includes(change?.verdict ?? "");
}

const SORTED_BY = {
  ...FIGURE_COLUMNS,
  rank: "average_rank",
  answers: "answers",
} as const;

/** Ties keep the order of the setup and of brands' names. */
export function ordered(
  rows: readonly VisibilityRow[],
  input: VisibilityInput,
  dimensions: readonly Dimension[],
): VisibilityRow[] {
  const sort = input.sort ?? (dimensions.includes("collect") ? undefined : input.figure);
  if (sort === undefined) return input.sort_direction === "desc" ? rows.toReversed() : [...rows];
  const value = (row: VisibilityRow) => (sort === "change" ? (row.change?.delta ?? null) : row[SORTED_BY[sort]]);
  const falling = (input.sort_direction ?? (sort === "rank" ? "asc" : "desc")) === "desc";
  return rows.toSorted((a, b) => {
    const [left, right] = [value(a), value(b)];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    return (falling ? right - left : left - right) || 0;
  });
}
