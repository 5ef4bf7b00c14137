import { z } from "zod";
import { Id, InstantField, outsideTextSchema, SourceField } from "../../core/shared/fields.ts";
import { rateField } from "../../core/metrics/metric-fields.ts";
import { AWARENESS_VERDICTS } from "../../core/reading/capture.ts";
import { ChangeField } from "../../core/metrics/changes/change-row.ts";

const UNAIDED_INTERVAL_FIELDS = ["unaided_ci_low", "unaided_ci_high"] as const;
const AIDED_INTERVAL_FIELDS = ["aided_ci_low", "aided_ci_high"] as const;
const GradeField = z.enum(["decision", "directional", "exploratory"]).optional();
const intervalEndField = () => z.number().nullable().optional();

export const promptGroupFields = {
  brand: z.string(),
  brand_id: Id,
  is_my_brand: z.boolean(),
  source: z.string().optional(),
  country: z.string().optional(),
  persona: z.string().optional(),
  collect: z.int().optional().describe("Number of the run."),
  collect_id: Id.optional(),
  collected_to: InstantField.nullable().optional().describe("Time of the run's last answer."),
};

const QuotationSchema = z.object({
  answer_id: Id.describe("Answer id, for get_answer."),
  source: SourceField,
  name: z.string().describe("Name in the prompt: the brand's or an invented one."),
  is_look_alike: z.boolean(),
  verdict: z.enum(AWARENESS_VERDICTS),
  start: z.int().describe("Offsets in the answer's text, UTF-16 code units, end exclusive."),
  end: z.int(),
  text: outsideTextSchema(),
});

export const AwarenessRow = z
  .object({
    ...promptGroupFields,
    answers: z.int().describe("Answers to prompts about the category that name no brand."),
    prompts: z.int(),
    occurrences: z.int().describe("Number of `answers` that name the brand."),
    unaided: rateField({
      of: { count: "occurrences", total: "answers", noun: "answers", prompts: "prompts" },
      interval: UNAIDED_INTERVAL_FIELDS,
    })
      .nullable()
      .describe("occurrences / answers: 0 to 1."),
    unaided_ci_low: intervalEndField().describe("95 % confidence interval of unaided, for prompts like these."),
    unaided_ci_high: intervalEndField(),
    unaided_grade: GradeField,
    unaided_change: ChangeField.nullable().optional(),
    asked: z.int().describe("Answers to prompts that name the brand (aided)."),
    asked_prompts: z.int(),
    recognised: z.int().describe("Number of `asked` that say what the brand is, right or wrong."),
    not_recognised: z.int(),
    confused: z.int().describe("Number of `asked` that take the brand for another name or another kind of thing."),
    aided: rateField({
      of: { count: "recognised", total: "asked", noun: "answers", prompts: "asked_prompts" },
      interval: AIDED_INTERVAL_FIELDS,
    })
      .nullable()
      .describe("recognised / asked: 0 to 1."),
    aided_ci_low: intervalEndField().describe("95 % confidence interval of aided, for prompts like these."),
    aided_ci_high: intervalEndField(),
    aided_grade: GradeField,
    aided_change: ChangeField.nullable().optional(),
    look_alikes_asked: z.int().describe("Answers to the aided prompts with an invented name instead of the brand's."),
    look_alikes_recognised: z.int(),
    look_alikes: rateField({ of: { count: "look_alikes_recognised", total: "look_alikes_asked", noun: "answers" } })
      .nullable()
      .describe("look_alikes_recognised / look_alikes_asked: the aided rate of an unknown name."),
    difference: z
      .object({
        delta: z
          .number()
          .nullable()
          .describe("aided minus the rate of invented names, over prompts of the same template."),
        ci_low: z.number().nullable().describe("95 % confidence interval; null below 5 templates."),
        ci_high: z.number().nullable(),
        templates: z.int(),
      })
      .describe("If invented names reach a similar rate, aided says nothing about the brand."),
    quotations: z.array(QuotationSchema).describe("One answer per verdict, with the decisive sentence."),
  })
  .meta({ id: "BrandAwarenessRow" });
export type AwarenessRow = z.input<typeof AwarenessRow>;
