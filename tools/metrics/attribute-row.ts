import { z } from "zod";
import { Id, outsideTextSchema, SourceField } from "../../core/shared/fields.ts";
import { intervalFields, meanField } from "../../core/metrics/metric-fields.ts";
import { promptGroupFields } from "./awareness-row.ts";
import { ChangeField } from "../../core/metrics/changes/change-row.ts";

export const quotedFields = {
  answer_id: Id.describe("get_answer shows it whole."),
  source: SourceField,
  start: z.int().describe("Offsets in the text of the answer, UTF-16 code units, end exclusive."),
  end: z.int(),
  text: outsideTextSchema(),
};

export const AttributeRow = z
  .object({
    ...promptGroupFields,
    attribute: z.string(),
    spans: z.int().describe("Clauses that speak of it."),
    answers: z.int().describe("Answers that have one: each counts once, with the mean of its clauses."),
    prompts: z.int(),
    score: meanField({ interval: ["ci_low", "ci_high"] })
      .nullable()
      .describe("Mean over these answers, -5 to 5."),
    reason: z
      .enum(["too_few_spans", "no_lexicon_for_language"])
      .nullable()
      .describe("Why score is null: fewer than 10 clauses, or answers in languages whose clauses are not judged."),
    ...intervalFields("score"),
    change: ChangeField.nullable().optional(),
    others: meanField().nullable().describe("Mean score of the other compared brands."),
    named: z.int().describe("Answers that name the brand."),
    unjudged: z.int().describe("Those of them whose language is not judged, which is all but English."),
    quotations: z.array(z.object({ score: z.int(), ...quotedFields })).describe("One of the best, one of the worst."),
  })
  .meta({ id: "AttributeRow" });
export type AttributeRow = z.input<typeof AttributeRow>;
