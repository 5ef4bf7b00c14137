import { z } from "zod";
import type { AnswerSummaryRow } from "../../db/answers/answer-lists.ts";
import { Id, InstantField, outsideTextSchema, SourceField, removeInvisible } from "../../core/shared/fields.ts";
import { toSnakeCase } from "../../core/shared/snake-case.ts";
import { UNREAD_REASONS } from "../../core/reading/capture.ts";
import { COLLECTION_METHODS } from "../../core/sources/sources.ts";

export const answerFields = {
  id: Id,
  analysis_id: Id,
  collect_id: Id,
  collect_number: z.int(),
  keyword_id: Id,
  prompt: z.string().describe("Text of the prompt (`keyword`)."),
  source: SourceField,
  run: z.int().describe("Repeat of this prompt in the run; the first is 1."),
  shown: z.boolean().describe("false: the source showed no answer, such as no AI overview. Metrics do not count it."),
  informative: z.boolean().describe("true: names a brand of the catalog or links to its site."),
  unread_reason: z
    .enum(UNREAD_REASONS)
    .nullable()
    .describe("Reason why extraction failed; metrics do not count the answer. too_slow: it took too long."),
  provider: z.string(),
  model: outsideTextSchema().nullable().describe("Model, as the provider names it."),
  locale: z.string(),
  collection_method: z
    .enum(COLLECTION_METHODS)
    .describe("simulated: invented from a world file, without any provider. import: collected elsewhere."),
  cost: z.object({
    credits: z.int(),
    usd: z.number().nullable().describe("Provider charge in US dollars; null if unknown."),
  }),
  collected_at: InstantField,
};

const AnswerFieldsSchema = z.object(answerFields);

export function shapeAnswer(row: AnswerSummaryRow): z.input<typeof AnswerFieldsSchema> {
  return {
    ...toSnakeCase(row),
    keyword_id: row.questionId,
    shown: row.isShown,
    informative: row.isInformative,
    model: row.model === null ? null : removeInvisible(row.model),
    cost: { credits: row.costCredits, usd: row.costUsd },
  };
}
