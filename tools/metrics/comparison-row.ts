import { z } from "zod";
import { Id, outsideTextSchema } from "../../core/shared/fields.ts";
import { intervalFields, rateField } from "../../core/metrics/metric-fields.ts";
import { quotedFields } from "./attribute-row.ts";
import { promptGroupFields } from "./awareness-row.ts";
import { ChangeField } from "../../core/metrics/changes/change-row.ts";

const { source, country, persona, collect, collect_id, collected_to } = promptGroupFields;
const counts = {
  wins: z.int().describe("Answers that prefer the brand to the rival."),
  losses: z.int().describe("Answers that prefer the rival."),
  both: z.int().describe("Answers that prefer each in something."),
};
export const ComparisonRow = z
  .object({
    brand: z.string().describe("Yours, or by brand the first of each pair."),
    brand_id: Id.optional(),
    rival: z.string(),
    rival_id: Id,
    aspect: outsideTextSchema().nullable().optional().describe("Null where none is named."),
    source,
    country,
    persona,
    collect,
    collect_id,
    collected_to,
    ...counts,
    answers: z.int().describe("Those that prefer one of the two: wins, losses and both."),
    prompts: z.int(),
    win_rate: rateField({ interval: ["ci_low", "ci_high"] })
      .nullable()
      .describe("(wins + both / 2) / answers: 0 to 1."),
    ...intervalFields("win_rate"),
    change: ChangeField.nullable().optional(),
    stance_answers: z.int().optional().describe("Answers that name both. Not told by aspect, as all that follows."),
    stance_rate: rateField()
      .nullable()
      .optional()
      .describe("Share of them in which the brand has the higher stance; ties count as a half."),
    first_answers: z.int().optional().describe("Of answers, those to comparison prompts that name the brand first."),
    first_rate: rateField().nullable().optional().describe("Their win_rate."),
    second_answers: z.int().optional(),
    second_rate: rateField().nullable().optional().describe("The same where it is named second."),
    aspects: z
      .array(z.object({ aspect: outsideTextSchema(), ...counts }))
      .optional()
      .describe("What is compared most, up to 5."),
    quotations: z
      .array(z.object({ preferred: z.string(), aspect: outsideTextSchema().nullable(), ...quotedFields }))
      .describe("A sentence for each of the two."),
  })
  .meta({ id: "ComparisonRow" });
export type ComparisonRow = z.input<typeof ComparisonRow>;
