import { z } from "zod";
import { findAnalysis } from "../../db/measuring/analyses.ts";
import { listAnswers as listAnswerRows } from "../../db/measuring/answers.ts";
import { notFound } from "../../core/errors.ts";
import { analysisPath, Id, listOf, listQuery, outsideText, SourceField, withoutInvisible } from "../../core/fields.ts";
import { pageOf, readPage } from "../../core/page.ts";
import { endpoint } from "../endpoint.ts";
import { answerFields, shapeAnswer } from "./answer.ts";

const AnswerSummary = z
  .object({
    ...answerFields,
    excerpt: outsideText().describe("Beginning of the text; get_answer gives the whole."),
    length: z.int().describe("Characters of the whole text; 0 where the source showed nothing."),
  })
  .meta({ id: "AnswerSummary" });

export const listAnswers = endpoint({
  name: "listAnswers",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/analyses/:analysis_id/answers",
  group: "Analyses",
  summary: "List the answers of an analysis",
  description:
    "Use this to find what assistants and search engines answered: by collect, keyword, source or brand, with the beginning of each text.",
  access: { workspace: "viewer" },
  input: z.strictObject({
    ...analysisPath,
    collect_id: Id.optional().describe("Answers of this collect; list_collects gives it."),
    keyword_id: Id.optional().describe("Answers to this keyword; list_keywords gives it."),
    sources: z.array(SourceField).min(1).optional().describe("Answers of these channels."),
    brand_id: Id.optional().describe("Answers in which this brand appears; list_brands gives it."),
    absent_brand_id: Id.optional().describe("Answers in which this brand does not; list_brands gives it."),
    eligible: z.boolean().optional().describe("true: those that metrics count; false: the others."),
    ...listQuery,
  }),
  output: listOf(AnswerSummary),
  async handle(input, { tenant }) {
    if (!(await findAnalysis(tenant, input.analysis_id))) throw notFound("analysis");
    const { collect_id: collectId, keyword_id: keywordId, sources, brand_id: brandId, eligible } = input;
    const filter = { collectId, keywordId, sources, brandId, absentBrandId: input.absent_brand_id, eligible };
    const rows = await listAnswerRows(tenant, input.analysis_id, filter, readPage("answers", input));
    return pageOf("answers", input, rows, {
      key: (row) => [row.id],
      row: (row) => ({ ...shapeAnswer(row), excerpt: withoutInvisible(row.excerpt), length: row.length }),
    });
  },
});
