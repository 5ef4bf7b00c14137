import { z } from "zod";
import { changeField, rounded } from "../figure-fields.ts";
import type { Comparison } from "./compare-facts.ts";
import { comparedFigure } from "./compared-figure.ts";
import type { Change } from "../../statistics/change.ts";
import { adjust, verdictOf, VERDICTS, type Obstacle, type Verdict } from "../../statistics/verdict.ts";

export const ChangeField = changeField(
  z.object({
    before: z
      .number()
      .nullable()
      .describe(
        "The figure over the common cells of what it is compared with. Null, as all to p, where verdict says why it cannot be judged.",
      ),
    after: z.number().nullable().describe("The figure over the same cells."),
    delta: z.number().nullable().describe("after less before."),
    ci_low: z.number().nullable().describe("95 % interval of delta."),
    ci_high: z.number().nullable(),
    p: z
      .number()
      .nullable()
      .describe("Chance of as large a change where nothing changed; of rivals adjusted for their number."),
    verdict: z
      .enum(VERDICTS)
      .nullable()
      .describe("Whether it changed; insufficient_data and those that end in _changed say why that cannot be judged."),
    cells: z.int().describe("Keyword and source pairs that both sides completed in the same way."),
    left_out: z.object({ one_side_only: z.int(), other_method: z.int(), other_model: z.int() }),
    compared_with: z.array(z.int()).describe("Numbers of the collects."),
  }),
).meta({ id: "Change" });
export type ChangeRow = z.input<typeof ChangeField>;

/** A change before those of several brands are judged together, not rounded. */
export interface JudgedChange {
  row: ChangeRow;
  obstacle: Obstacle | null;
  neighbour: Change | null;
  withField: boolean;
  isChosen: boolean;
}

/** A brand's change as a row, without its verdict. `reference` are the numbers of the collects that it is compared with. */
export function changeRow(
  comparison: Comparison,
  brand: number,
  change: Change,
  reference: readonly number[],
): ChangeRow {
  const { cells } = comparison;
  const { before, after } = comparedFigure(comparison, brand);
  return {
    before,
    after,
    ...change,
    verdict: null,
    cells: cells.common,
    left_out: {
      one_side_only: comparison.oneSideOnly,
      other_method: cells.otherMethod,
      other_model: cells.otherModel,
    },
    compared_with: [...reference],
  };
}

/**
 * Judges changes that are shown together: the one at `alone` by itself, all others by their p-values adjusted for their number. Collects
 * that a request chose can give a first sign at most. A change that cannot be judged has no figures. Others are shown times `scale`, and
 * rounded here alone.
 */
export function judge(
  changes: readonly (JudgedChange | undefined)[],
  alone: (index: number) => boolean,
  scale = 1,
): (ChangeRow | null)[] {
  const adjusted = adjust(changes.map((one, index) => (!one || alone(index) || one.obstacle ? null : one.row.p)));
  return changes.map((one, index) => {
    if (!one) return null;
    const p = alone(index) || one.obstacle ? one.row.p : (adjusted[index] ?? null);
    const verdict: Verdict = verdictOf({ delta: one.row.delta ?? 0, p }, one);
    const capped = one.isChosen && (verdict === "moved" || verdict === "moved_with_field") ? "first_sign" : verdict;
    if (one.obstacle || p === null) return { ...one.row, ...NO_FIGURES, verdict: capped };
    return { ...asShown(one.row, scale), p: rounded(p), verdict: capped };
  });
}

/** Of a change that cannot be judged: a difference beside such a verdict would be read as one. */
const NO_FIGURES = { before: null, after: null, delta: null, ci_low: null, ci_high: null, p: null };

function asShown(row: ChangeRow, scale: number): ChangeRow {
  const shown = (value: number | null) => (value === null ? null : rounded(value * scale));
  const { before, after, delta, ci_low, ci_high } = row;
  const sides = { before: shown(before), after: shown(after), delta: shown(delta) };
  return { ...row, ...sides, ci_low: shown(ci_low), ci_high: shown(ci_high) };
}
