import { z } from "zod";
import { Id, outsideTextSchema } from "../../core/shared/fields.ts";
import { intervalFields, rateField } from "../../core/metrics/metric-fields.ts";
import { quotedFields } from "./attribute-row.ts";
import { promptGroupFields } from "./awareness-row.ts";
import { GapField } from "../../core/metrics/brand-gaps.ts";
import { ChangeField } from "../../core/metrics/changes/change-row.ts";

const { source, country, persona, collect, collect_id, collected_to } = promptGroupFields;
const counts = {
  wins: z.int().describe("Answers that prefer the brand to the rival."),
  losses: z.int().describe("Answers that prefer the rival."),
  both: z.int().describe("Draws: answers that call the two equal, or prefer each."),
};
export const ComparisonRow = z
  .object({
    brand: z.string().describe("Your brand or, grouped by brand, the first of each pair."),
    brand_id: Id.optional(),
    rival: z.string(),
    rival_id: Id,
    aspect: outsideTextSchema().nullable().optional().describe("Null: the pick or draw as a whole."),
    source,
    country,
    persona,
    collect,
    collect_id,
    collected_to,
    ...counts,
    answers: z.int().describe("wins + losses + both."),
    prompts: z.int(),
    win_rate: rateField({ interval: ["ci_low", "ci_high"] })
      .nullable()
      .describe("(wins + both / 2) / answers: 0 to 1."),
    ...intervalFields("win_rate"),
    change: ChangeField.nullable().optional(),
    gap: GapField.nullable()
      .optional()
      .describe("With versus: win_rate minus the rest, over the same answers that prefer one of the two."),
    no_preference: z.int().optional().describe("Answers outside win_rate: brand_missing + aspects_only + no_pick."),
    brand_missing: z
      .int()
      .optional()
      .describe("Answers to comparison prompts that do not name both brands: one is unknown or confused."),
    aspects_only: z.int().optional().describe("Answers that prefer a brand only in some aspect."),
    no_pick: z.int().optional().describe("Answers that name both and prefer neither."),
    stance_answers: z
      .int()
      .optional()
      .describe(
        "Answers that name both brands. Absent, like the fields from no_preference to second_rate, if grouped by aspect.",
      ),
    stance_rate: rateField()
      .nullable()
      .optional()
      .describe("Share of these answers in which the brand is rated higher; ties count half."),
    first_answers: z.int().optional().describe("Number of `answers` to comparison prompts that name the brand first."),
    first_rate: rateField().nullable().optional().describe("win_rate of these answers."),
    second_answers: z.int().optional(),
    second_rate: rateField()
      .nullable()
      .optional()
      .describe("win_rate of answers to prompts that name the brand second."),
    aspects: z
      .array(z.object({ aspect: outsideTextSchema(), ...counts }))
      .optional()
      .describe("Most compared aspects, up to 5."),
    quotations: z
      .array(z.object({ preferred: z.string(), aspect: outsideTextSchema().nullable(), ...quotedFields }))
      .describe("One sentence in favour of each brand."),
  })
  .meta({ id: "ComparisonRow" });
export type ComparisonRow = z.input<typeof ComparisonRow>;
