import { z } from "zod";
import type { Estimate } from "../statistics/interval.ts";

/** Marks a schema field as a metric and says how to present it; programs get the number. */
export const METRIC_PRESENTATION_KEY = "x-figure";

/** `of` and `interval` name columns of the metric's row. */
export interface MetricPresentation {
  /**
   * `rate`: 0 to 1, shown in percent. `mean`: shown unchanged. `figure`: like the metric that the
   * result's field `figure` names. `change`, `gap`: shown as a sentence.
   */
  kind: "rate" | "mean" | "figure" | "change" | "gap";
  /** Numerator and denominator of a rate. A total common to all rows is in the result itself. */
  of?: { count: string; total: string; noun: string; prompts?: string };
  /** If several metrics share the columns, the result's field `figure` names the metric. */
  interval?: readonly [low: string, high: string];
}

export const rateField = (words: Omit<MetricPresentation, "kind"> = {}) =>
  z.number().meta({ [METRIC_PRESENTATION_KEY]: { kind: "rate", ...words } satisfies MetricPresentation });

export const meanField = (words: Pick<MetricPresentation, "interval"> = {}) =>
  z.number().meta({ [METRIC_PRESENTATION_KEY]: { kind: "mean", ...words } satisfies MetricPresentation });

/** A value of the metric that the result's field `figure` names. */
export const namedMetricField = () =>
  z.number().meta({ [METRIC_PRESENTATION_KEY]: { kind: "figure" } satisfies MetricPresentation });

/** Changes the metric named by the result, by default a rate. */
export const changeField = <T extends z.ZodObject>(change: T): T =>
  change.meta({ [METRIC_PRESENTATION_KEY]: { kind: "change" } satisfies MetricPresentation });

/** Gap to another brand in the metric that the result names, by default a rate. */
export const gapField = <T extends z.ZodObject>(gap: T): T =>
  gap.meta({ [METRIC_PRESENTATION_KEY]: { kind: "gap" } satisfies MetricPresentation });

export const intervalFields = (figure: string) => ({
  ci_low: z.number().nullable().optional().describe(`95 % confidence interval of ${figure}, for prompts like these.`),
  ci_high: z.number().nullable().optional(),
  grade: z.enum(["decision", "directional", "exploratory"]).optional(),
});

/** Rounds to six decimals, so that results do not depend on summation order. */
export function roundMetric<Value extends number | null>(value: Value): Value extends null ? number | null : number;
export function roundMetric(value: number | null): number | null {
  return value === null ? null : Math.round(value * 1e6) / 1e6;
}

/** `shown` converts a share to the displayed scale. */
export function intervalColumns({ interval, grade }: Estimate, shown: (share: number) => number = (share) => share) {
  return {
    ci_low: interval && roundMetric(shown(interval.low)),
    ci_high: interval && roundMetric(shown(interval.high)),
    grade,
  };
}
