import { z } from "zod";
import { RESTS_ON, type MeasuredSpread } from "../../../core/statistics/measured-spread.ts";
import { powerOf } from "../../../core/statistics/power.ts";
import { count } from "../../../core/shared/counts.ts";

export const Power = z
  .object({
    points: z
      .number()
      .nullable()
      .describe("Least change of presence, in points of 100, that two collects show in 80 % of cases; null for none."),
    keywords_for_five_points: z
      .int()
      .nullable()
      .describe("Generic keywords, or unaided prompts, with which they show five points."),
    rests_on: z
      .enum(RESTS_ON)
      .describe(
        "assumed: a presence of 30 % and the chance that answers usually have; partly_measured: chance between the runs of the latest collect; measured: presence and chance of the last two collects.",
      ),
  })
  .meta({ id: "Power" });
export type Power = z.output<typeof Power>;

export function powerOfSetup(
  asked: Omit<Parameters<typeof powerOf>[0], "spread">,
  measured: MeasuredSpread | undefined,
): Power {
  const { points, promptsForFive } = powerOf({ ...asked, ...(measured && { spread: measured.spread }) });
  return {
    points: points === null ? null : Math.round(1000 * points) / 10,
    keywords_for_five_points: promptsForFive,
    rests_on: measured?.restsOn ?? "assumed",
  };
}

const RESTS_ON_WORDS = {
  assumed: "assumed, before there is enough data",
  partly_measured: "partly measured, in the runs of the latest collect",
  measured: "measured in the last two collects",
} as const satisfies Record<Power["rests_on"], string>;

export function powerInWords({ headline }: { headline: string }, power: Power | null): string[] {
  if (power === null) return [];
  const { points, keywords_for_five_points: keywords, rests_on: restsOn } = power;
  const shown =
    points === null
      ? `With so few ${headline}, two collects show no change of presence.`
      : `Two collects show a change of presence of ${points} points or more in 80 % of cases (${RESTS_ON_WORDS[restsOn]}).`;
  if (keywords === null || (points !== null && points <= 5)) return [shown];
  return [`${shown} For 5 points, ask ${count(keywords)} ${headline}: more runs alone may never do.`];
}
