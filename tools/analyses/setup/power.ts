import { z } from "zod";
import { SPREAD_BASES, type MeasuredSpread } from "../../../core/statistics/measured-spread.ts";
import { computePower } from "../../../core/statistics/power.ts";
import { formatInteger } from "../../../core/shared/format-count.ts";

export const Power = z
  .object({
    points: z
      .number()
      .nullable()
      .describe(
        "Smallest change of presence, in percentage points, that two runs detect with 80 % power; null for none.",
      ),
    keywords_for_five_points: z
      .int()
      .nullable()
      .describe("Generic or unaided prompts needed to detect a change of 5 points."),
    rests_on: z
      .enum(SPREAD_BASES)
      .describe(
        "assumed: a presence of 30 % and typical variance; partly_measured: variance between repeats of the latest run; measured: presence and variance of the last two runs.",
      ),
  })
  .meta({ id: "Power" });
export type Power = z.output<typeof Power>;

export function computeSetupPower(
  asked: Omit<Parameters<typeof computePower>[0], "spread">,
  measured: MeasuredSpread | undefined,
): Power {
  const { detectableChange, promptsForFivePoints } = computePower({
    ...asked,
    ...(measured && { spread: measured.spread }),
  });
  return {
    points: detectableChange === null ? null : Math.round(1000 * detectableChange) / 10,
    keywords_for_five_points: promptsForFivePoints,
    rests_on: measured?.basis ?? "assumed",
  };
}

const ESTIMATE_BASIS_TEXTS = {
  assumed: "assumed, before there is enough data",
  partly_measured: "partly measured, in the latest run",
  measured: "measured in the last two runs",
} as const satisfies Record<Power["rests_on"], string>;

export function powerLines({ promptsNoun }: { promptsNoun: string }, power: Power | null): string[] {
  if (power === null) return [];
  const { points, keywords_for_five_points: keywords, rests_on: restsOn } = power;
  const shown =
    points === null
      ? `With so few ${promptsNoun}, two runs show no change of presence.`
      : `Two runs show a change of presence of ${points} points or more in 80 % of cases (${ESTIMATE_BASIS_TEXTS[restsOn]}).`;
  if (keywords === null || (points !== null && points <= 5)) return [shown];
  return [`${shown} To detect 5 points, track ${formatInteger(keywords)} ${promptsNoun}; more repeats may not help.`];
}
