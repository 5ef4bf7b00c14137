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
  prompt: z.string().describe("What was asked: the keyword's text."),
  source: SourceField,
  run: z.int().describe("1 for the first time that the collect asked this."),
  shown: z.boolean().describe("false: the source showed nothing, such as no AI overview, so metrics do not count it."),
  informative: z.boolean().describe("Names a brand of the catalog or links to one."),
  unread_reason: z
    .enum(UNREAD_REASONS)
    .nullable()
    .describe("Why the answer could not be read; metrics do not count it. too_slow: it took too long."),
  provider: z.string(),
  model: outsideTextSchema().nullable().describe("As the provider names it."),
  locale: z.string(),
  collection_method: z
    .enum(COLLECTION_METHODS)
    .describe("simulated: invented from a world file; no provider was asked. import: collected elsewhere."),
  cost: z.object({
    credits: z.int(),
    usd: z.number().nullable().describe("What the provider charged, US dollars; null where not known."),
  }),
  collected_at: InstantField,
};

const Fields = z.object(answerFields);

export function shapeAnswer(row: AnswerSummaryRow): z.input<typeof Fields> {
  return {
    ...toSnakeCase(row),
    keyword_id: row.questionId,
    shown: row.isShown,
    informative: row.isInformative,
    model: row.model === null ? null : removeInvisible(row.model),
    cost: { credits: row.costCredits, usd: row.costUsd },
  };
}
