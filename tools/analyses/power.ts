import { z } from "zod";
import { powerOf } from "../../core/statistics/power.ts";

/** What a comparison of two collects of a setup can find. */
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
  })
  .meta({ id: "Power" });
export type Power = z.output<typeof Power>;

/** Of so many prompts, with points to one decimal. */
export function powerOfSetup(asked: Parameters<typeof powerOf>[0]): Power {
  const { points, promptsForFive } = powerOf(asked);
  return { points: points === null ? null : Math.round(1000 * points) / 10, keywords_for_five_points: promptsForFive };
}

/** In a line, for the person who is asked to confirm a price; none for a setup that collects nothing. */
export function powerInWords<Setup>(
  { power: powerIn, headline }: { power: (setup: Setup) => Power | null; headline: string },
  setup: Setup,
): string[] {
  const power = powerIn(setup);
  if (power === null) return [];
  const { points, keywords_for_five_points: keywords } = power;
  const shown =
    points === null
      ? `With so few ${headline}, two collects show no change of presence.`
      : `Two collects show a change of presence of ${points} points or more in 80 % of cases.`;
  if (keywords === null || (points !== null && points <= 5)) return [shown];
  return [`${shown} For 5 points, ask ${keywords.toLocaleString("en-US")} ${headline}: more runs alone may never do.`];
}
