import { z } from "zod";
import { CLAIM_VERDICTS } from "../../core/claims/statement-verdict.ts";
import { Id, outsideTextSchema, SourceField } from "../../core/shared/fields.ts";
import { rateField } from "../../core/metrics/metric-fields.ts";
import { ChangeField } from "../../core/metrics/changes/change-row.ts";
import { promptGroupFields } from "./awareness-row.ts";

const ClaimPageSchema = z.object({
  url: outsideTextSchema(),
  contradicted: z.int().describe("Answers that cite the page and contradict the fact."),
  agreed: z.int(),
});

const ClaimQuotationSchema = z.object({
  answer_id: Id.describe("Answer id, for get_answer."),
  source: SourceField,
  verdict: z.enum(CLAIM_VERDICTS),
  start: z.int().describe("Offsets in the answer's text, UTF-16 code units, end exclusive."),
  end: z.int(),
  text: outsideTextSchema().describe("Sentence."),
  url: outsideTextSchema().nullable().describe("Page cited by the sentence."),
});

export const ClaimRow = z
  .object({
    ...promptGroupFields,
    attribute: z.string(),
    value: z.string().describe("Declared value, in words."),
    as_of: z.string().nullable(),
    source_url: z.string().nullable(),
    answers: z.int().describe("Answers that name the brand."),
    agreed: z.int(),
    contradicted: z.int(),
    not_mentioned: z.int().describe("answers - agreed - contradicted."),
    said: z.int().describe("agreed + contradicted."),
    prompts: z.int().describe("Prompts of these answers."),
    contradicted_rate: rateField({
      of: { count: "contradicted", total: "said", noun: "answers", prompts: "prompts" },
      interval: ["ci_low", "ci_high"],
    })
      .nullable()
      .describe("contradicted / said, 0 to 1; null below 10 answers or 5 prompts."),
    ci_low: z.number().nullable().optional().describe("95 % confidence interval, for prompts like these."),
    ci_high: z.number().nullable().optional(),
    grade: z.enum(["decision", "directional", "exploratory"]).optional(),
    change: ChangeField.nullable().optional(),
    pages: z.array(ClaimPageSchema).describe("Most cited pages, those behind contradictions first."),
    quotations: z.array(ClaimQuotationSchema),
  })
  .meta({ id: "ClaimRow" });
export type ClaimRow = z.input<typeof ClaimRow>;
