import { z } from "zod";
import { CLAIM_VERDICTS } from "../../core/claims/statement-verdict.ts";
import { Id, outsideTextSchema, SourceField } from "../../core/shared/fields.ts";
import { rateField } from "../../core/metrics/metric-fields.ts";
import { ChangeField } from "../../core/metrics/changes/change-row.ts";
import { promptGroupFields } from "./awareness-row.ts";

const ClaimPage = z.object({
  url: outsideTextSchema(),
  contradicted: z.int().describe("Answers that cite it where they contradict the fact."),
  agreed: z.int(),
});

const ClaimQuotation = z.object({
  answer_id: Id.describe("get_answer shows it whole."),
  source: SourceField,
  verdict: z.enum(CLAIM_VERDICTS),
  start: z.int().describe("Offsets in the text of the answer, UTF-16 code units, end exclusive."),
  end: z.int(),
  text: outsideTextSchema().describe("The sentence."),
  url: outsideTextSchema().nullable().describe("The page that it cites."),
});

export const ClaimRow = z
  .object({
    ...promptGroupFields,
    attribute: z.string(),
    value: z.string().describe("What the brand declares, in words."),
    as_of: z.string().nullable(),
    source_url: z.string().nullable(),
    answers: z.int().describe("Answers that name the brand."),
    agreed: z.int(),
    contradicted: z.int(),
    not_mentioned: z.int().describe("answers without the other two."),
    said: z.int().describe("agreed + contradicted."),
    prompts: z.int().describe("Prompts of these."),
    contradicted_rate: rateField({
      of: { count: "contradicted", total: "said", noun: "answers", prompts: "prompts" },
      interval: ["ci_low", "ci_high"],
    })
      .nullable()
      .describe("contradicted / said, 0 to 1; null below 10 answers or 5 prompts."),
    ci_low: z.number().nullable().optional().describe("95 % interval, for prompts like these."),
    ci_high: z.number().nullable().optional(),
    grade: z.enum(["decision", "directional", "exploratory"]).optional(),
    change: ChangeField.nullable().optional(),
    pages: z.array(ClaimPage).describe("Those that sentences cite most, contradicted ones first."),
    quotations: z.array(ClaimQuotation),
  })
  .meta({ id: "ClaimRow" });
export type ClaimRow = z.input<typeof ClaimRow>;
