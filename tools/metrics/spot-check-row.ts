import { z } from "zod";
import { Id, listQuery, outsideTextSchema } from "../../core/shared/fields.ts";
import { rateField, roundMetric } from "../../core/metrics/metric-fields.ts";
import { estimateSpotCheck, type AskedCell } from "../../core/statistics/spot-check.ts";
import { nameOrId } from "../name-or-id.ts";
import { VisibilityInput } from "../metric-reads/visibility/visibility-request.ts";
import { SOURCE_NAMES, type Source } from "../../core/sources/sources.ts";

const SEEN = ["never", "sometimes", "always"] as const;

export const SpotCheckInput = VisibilityInput.omit({
  group_by: true,
  brands: true,
  versus: true,
  figure: true,
  statistics: true,
  only: true,
  sort: true,
  sort_direction: true,
  prev_collect_ids: true,
  as_published: true,
  limit: true,
  cursor: true,
}).extend({
  collect_ids: VisibilityInput.shape.collect_ids.describe("Default: latest."),
  brand: nameOrId("brand").optional().describe("Default: yours."),
  seen: z.enum(SEEN).optional().describe("Prompts whose answers name it so often."),
  ...listQuery,
});

export const SpotCheckRow = z
  .object({
    source: z.string(),
    keyword: outsideTextSchema(),
    keyword_id: Id,
    answers: z.int().describe("Stored answers to the prompt."),
    occurrences: z.int().describe("Those with the brand."),
    seen: z.enum(SEEN).describe("In the stored answers."),
    answer_with_brand: Id.nullable().describe("Newest stored answer with the brand, for get_answer."),
    answer_without_brand: Id.nullable().describe("Newest stored answer without it."),
  })
  .meta({ id: "SpotCheckRow" });

const ASKS = { seen_once: 1, seen_of_3: 3, seen_of_5: 5 } as const;
type Chance = keyof typeof ASKS;

const chanceField = (name: Chance) => rateField({ interval: [`${name}_ci_low`, `${name}_ci_high`] }).nullable();
const boundField = z.number().nullable();

export const SpotCheckSource = z
  .object({
    source: z.string(),
    prompts: z.int(),
    answers: z.int(),
    occurrences: z.int().describe("Answers with the brand."),
    never: z.int().describe("Prompts without the brand in any stored answer."),
    sometimes: z.int(),
    always: z.int().describe("Prompts with the brand in each stored answer."),
    seen_once: chanceField("seen_once").describe("Share of people who see the brand when they ask once: 0 to 1."),
    seen_once_ci_low: boundField.describe("95 % confidence interval, for prompts like these."),
    seen_once_ci_high: boundField,
    seen_of_3: chanceField("seen_of_3").describe(
      "When they ask three times; null if no prompt has two answers: name more runs.",
    ),
    seen_of_3_ci_low: boundField,
    seen_of_3_ci_high: boundField,
    seen_of_5: chanceField("seen_of_5").describe("When they ask five times."),
    seen_of_5_ci_low: boundField,
    seen_of_5_ci_high: boundField,
  })
  .meta({ id: "SpotCheckSource" });

/** Answers to one prompt, by country and persona. */
export interface AskedPrompt {
  positions: readonly number[];
  cells: readonly AskedCell[];
}

export function countCells({ cells }: AskedPrompt): { answers: number; occurrences: number } {
  const sum = (key: keyof AskedCell) => cells.reduce((total, cell) => total + cell[key], 0);
  return { answers: sum("n"), occurrences: sum("x") };
}

export function describeSeen({ answers, occurrences }: ReturnType<typeof countCells>): (typeof SEEN)[number] {
  if (occurrences === 0) return "never";
  return occurrences === answers ? "always" : "sometimes";
}

export function buildSourceRow(source: Source, prompts: readonly AskedPrompt[]): z.input<typeof SpotCheckSource> {
  const counts = prompts.map(countCells);
  const seen = counts.map(describeSeen);
  const cells = prompts.map((prompt) => prompt.cells);
  const chances = Object.entries(ASKS).flatMap(([name, asks]) => {
    const { chance, interval } = estimateSpotCheck(cells, asks);
    const bounds = [
      [`${name}_ci_low`, interval?.low ?? null],
      [`${name}_ci_high`, interval?.high ?? null],
    ] as const;
    return [[name, chance] as const, ...bounds].map(([key, value]) => [key, roundMetric(value)]);
  });
  return {
    source: SOURCE_NAMES[source],
    prompts: prompts.length,
    answers: counts.reduce((sum, { answers }) => sum + answers, 0),
    occurrences: counts.reduce((sum, { occurrences }) => sum + occurrences, 0),
    never: seen.filter((one) => one === "never").length,
    sometimes: seen.filter((one) => one === "sometimes").length,
    always: seen.filter((one) => one === "always").length,
    ...(Object.fromEntries(chances) as Record<Chance | `${Chance}_ci_${"low" | "high"}`, number | null>), // safe: the keys of ASKS
  };
}
