import { z } from "zod";
import { changeField, roundMetric } from "../metric-fields.ts";
import type { Comparison } from "./compare-facts.ts";
import { compareValue } from "./compare-value.ts";
import type { Change } from "../../statistics/change.ts";
import { adjustPValues, judgeChange, VERDICTS, type Obstacle, type ChangeVerdict } from "../../statistics/verdict.ts";

export const ChangeField = changeField(
  z.object({
    before: z
      .number()
      .nullable()
      .describe(
        "Value of the earlier runs (`collect`) over the common cells. Null, like all fields up to p, if verdict says why there is no comparison.",
      ),
    after: z.number().nullable().describe("Value of this run over the common cells."),
    delta: z.number().nullable().describe("after minus before."),
    ci_low: z.number().nullable().describe("95 % interval of delta."),
    ci_high: z.number().nullable(),
    p: z
      .number()
      .nullable()
      .describe("Probability of a change this large by chance alone; for rivals, adjusted for their number."),
    verdict: z
      .enum(VERDICTS)
      .nullable()
      .describe(
        "moved: significant; moved_with_field: significant, and rivals moved too; first_sign: early signal; within_noise: not significant; insufficient_data: too little data; …_changed: the two sides are not comparable.",
      ),
    cells: z.int().describe("Pairs of prompt and source that both sides completed with the same method and model."),
    left_out: z.object({ one_side_only: z.int(), other_method: z.int(), other_model: z.int() }),
    compared_with: z.array(z.int()).describe("Numbers of the runs."),
    baseline: z.string().describe("These runs in words, with the reason why a run is left out or not comparable."),
  }),
).meta({ id: "Change" });
export type ChangeRow = z.input<typeof ChangeField>;

/** An unrounded change, before the changes of several brands are judged together. */
export interface UnjudgedChange {
  row: ChangeRow;
  obstacle: Obstacle | null;
  neighbour: Change | null;
  withField: boolean;
  isChosen: boolean;
}

export function toChangeRow(
  comparison: Comparison,
  brand: number,
  change: Change,
  baseline: Pick<ChangeRow, "compared_with" | "baseline">,
): ChangeRow {
  const { cells } = comparison;
  const { valueBefore, valueAfter } = compareValue(comparison, brand);
  return {
    before: valueBefore,
    after: valueAfter,
    ...change,
    verdict: null,
    cells: cells.commonCount,
    left_out: {
      one_side_only: comparison.unpairedCellCount,
      other_method: cells.otherMethod,
      other_model: cells.otherModel,
    },
    ...baseline,
  };
}

/**
 * Changes for which `alone` is true are judged individually, all others with adjusted p-values.
 * Collects chosen by the request give at most a first sign. Values are multiplied by `scale`.
 */
export function judgeChanges(
  changes: readonly (UnjudgedChange | undefined)[],
  alone: (index: number) => boolean,
  scale = 1,
): (ChangeRow | null)[] {
  const adjusted = adjustPValues(
    changes.map((one, index) => (!one || alone(index) || one.obstacle ? null : one.row.p)),
  );
  return changes.map((one, index) => {
    if (!one) return null;
    const p = alone(index) || one.obstacle ? one.row.p : (adjusted[index] ?? null);
    const verdict: ChangeVerdict = judgeChange({ delta: one.row.delta ?? 0, p }, one);
    const capped = one.isChosen && (verdict === "moved" || verdict === "moved_with_field") ? "first_sign" : verdict;
    if (one.obstacle || p === null) return { ...one.row, ...NO_VALUES, verdict: capped };
    return { ...scaleRow(one.row, scale), p: roundMetric(p), verdict: capped };
  });
}

/** An unjudged change shows no values, since a difference would be read as a change. */
const NO_VALUES = { before: null, after: null, delta: null, ci_low: null, ci_high: null, p: null };

function scaleRow(row: ChangeRow, scale: number): ChangeRow {
  const shown = (value: number | null) => (value === null ? null : roundMetric(value * scale));
  const { before, after, delta, ci_low, ci_high } = row;
  const sides = { before: shown(before), after: shown(after), delta: shown(delta) };
  return { ...row, ...sides, ci_low: shown(ci_low), ci_high: shown(ci_high) };
}
