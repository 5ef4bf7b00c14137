import { z } from "zod";
import { Id, outsideTextSchema, SourceField } from "../../core/shared/fields.ts";
import { intervalFields, meanField } from "../../core/metrics/metric-fields.ts";
import { promptGroupFields } from "./awareness-row.ts";
import { ChangeField } from "../../core/metrics/changes/change-row.ts";

export const quotedFields = {
  answer_id: Id.describe("Answer id, for get_answer."),
  source: SourceField,
  start: z.int().describe("Offsets in the answer's text, UTF-16 code units, end exclusive."),
  end: z.int(),
  text: outsideTextSchema(),
};

export const AttributeRow = z
  .object({
    ...promptGroupFields,
    attribute: z.string(),
    spans: z.int().describe("Clauses about the attribute."),
    answers: z.int().describe("Answers with such a clause; each counts once, with the average of its clauses."),
    prompts: z.int(),
    score: meanField({ interval: ["ci_low", "ci_high"] })
      .nullable()
      .describe("Average over these answers, -5 to 5."),
    reason: z
      .enum(["too_few_spans", "no_lexicon_for_language"])
      .nullable()
      .describe("Reason for a null score: fewer than 10 clauses, or answers in a language that is not scored."),
    ...intervalFields("score"),
    change: ChangeField.nullable().optional(),
    score_of_others: meanField()
      .nullable()
      .describe("Average score of the other compared brands; null without an own score."),
    named: z.int().describe("Answers that name the brand."),
    unjudged: z.int().describe("Answers in a language that is not scored; only English is."),
    quotations: z
      .array(z.object({ score: z.int(), ...quotedFields }))
      .describe("One of the best clauses and one of the worst."),
  })
  .meta({ id: "AttributeRow" });
export type AttributeRow = z.input<typeof AttributeRow>;
