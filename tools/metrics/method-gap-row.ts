import { z } from "zod";
import { Id, SourceField } from "../../core/fields.ts";
import { meanField, rateField } from "../../core/figure-fields.ts";

export const GAP_VERDICTS = ["insufficient_data", "within_noise", "gap"] as const;

/** How far two methods of one source are apart for one brand. */
export const MethodGapRow = z
  .object({
    source: SourceField,
    name: z.string().describe("What people call it."),
    brand: z.string(),
    brand_id: Id,
    is_my_brand: z.boolean(),
    answers: z.int().describe("Of each method, to the prompts that both answered."),
    prompts: z.int(),
    api: rateField().nullable().describe("Presence in answers of the model's api: 0 to 1."),
    capture: rateField().nullable().describe("The same of answers that a vendor captured."),
    gap: z
      .number()
      .nullable()
      .describe("api less capture; above 0 the api names the brand more often. Null where it cannot be judged."),
    ci_low: z.number().nullable().describe("95 % interval of gap."),
    ci_high: z.number().nullable(),
    p: z
      .number()
      .nullable()
      .describe("Chance of as large a gap where there is none; of rivals adjusted for their number."),
    verdict: z.enum(GAP_VERDICTS).describe("gap: p of 0.05 or less. insufficient_data: fewer than six prompts differ."),
    rank_prompts: z.int().describe("Prompts in which both have the brand."),
    rank_api: meanField().nullable(),
    rank_capture: meanField().nullable(),
    rank_gap: z.number().nullable().describe("rank_api less rank_capture; below 0 the api ranks it better."),
    rank_ci_low: z.number().nullable().describe("95 % interval of rank_gap; null below 5 prompts."),
    rank_ci_high: z.number().nullable(),
  })
  .meta({ id: "MethodGapRow" });
export type MethodGapRow = z.input<typeof MethodGapRow>;
