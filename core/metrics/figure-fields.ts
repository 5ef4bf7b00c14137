import { z } from "zod";
import type { Estimate } from "../statistics/interval.ts";

/** Marks a field that is a figure, and says how a person reads it. Programs get the number. */
export const FIGURE = "x-figure";

/** How a figure is put into words with what stands beside it in its row, by the names of these columns. */
export interface FigureWords {
  /** `rate`: 0 to 1, written in percent. `mean`: written as it is. `change`: a sentence. */
  kind: "rate" | "mean" | "change";
  /** What a rate counts. A total that is the same for all rows stands beside them. */
  of?: { count: string; total: string; noun: string; prompts?: string };
  /** Columns of its interval. Where several figures name the same, the result's field `figure` says whose it is. */
  interval?: readonly [low: string, high: string];
}

/** A share of something, 0 to 1. */
export const rateField = (words: Omit<FigureWords, "kind"> = {}) =>
  z.number().meta({ [FIGURE]: { kind: "rate", ...words } satisfies FigureWords });

/** A figure that is no share of 1, and may have an interval. */
export const meanField = (words: Pick<FigureWords, "interval"> = {}) =>
  z.number().meta({ [FIGURE]: { kind: "mean", ...words } satisfies FigureWords });

/** What changed in the figure that its result names, or else in a rate. */
export const changeField = <T extends z.ZodObject>(change: T): T =>
  change.meta({ [FIGURE]: { kind: "change" } satisfies FigureWords });

/** Columns of an interval, and what it is good for, in rows that have them on request. */
export const intervalFields = (figure: string) => ({
  ci_low: z.number().nullable().optional().describe(`95 % interval of ${figure}, for prompts like these.`),
  ci_high: z.number().nullable().optional(),
  grade: z.enum(["decision", "directional", "exploratory"]).optional(),
});

/** Figures are rounded to six decimals, so that they do not depend on the order in which they were summed. */
export function rounded<Value extends number | null>(value: Value): Value extends null ? number | null : number;
export function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(value * 1e6) / 1e6;
}

/** An interval with its grade as columns; `shown` is what the share is shown as. */
export function intervalColumns({ interval, grade }: Estimate, shown: (share: number) => number = (share) => share) {
  return {
    ci_low: interval && rounded(shown(interval.low)),
    ci_high: interval && rounded(shown(interval.high)),
    grade,
  };
}
