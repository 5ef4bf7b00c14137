import { z } from "zod";
import { Id, outsideTextSchema, SourceField } from "../../core/shared/fields.ts";
import { intervalFields, meanField, rateField } from "../../core/metrics/metric-fields.ts";
import { ChangeField } from "../../core/metrics/changes/change-row.ts";
import { promptGroupFields } from "./awareness-row.ts";

const GradeField = z.enum(["decision", "directional", "exploratory"]).optional();
const intervalEndField = () => z.number().nullable().optional();
const shareField = (count: string) =>
  rateField({ of: { count, total: "answers", noun: "answers", prompts: "prompts" } }).nullable();
const judgedRateField = (count: string, interval: readonly [string, string]) =>
  rateField({ of: { count, total: "judged", noun: "answers", prompts: "judged_prompts" }, interval }).nullable();

const Point = z.object({
  phrase: outsideTextSchema().describe("Most common wording."),
  head: outsideTextSchema().describe("Subject of the point; wordings with the same subject are merged."),
  answers: z.int().describe("Answers that mention the point unprompted."),
  asked: z
    .int()
    .describe("Answers that mention the point if the prompt asks for pros or cons; not counted in metrics."),
});

const QuotationSchema = z.object({
  answer_id: Id.describe("Answer id, for get_answer."),
  source: SourceField,
  polarity: z.enum(["pro", "con"]),
  head: outsideTextSchema(),
  start: z.int().describe("Offsets in the answer's text, UTF-16 code units, end exclusive."),
  end: z.int(),
  text: outsideTextSchema(),
});

export const PerceptionRow = z
  .object({
    ...promptGroupFields,
    answers: z.int().describe("Answers that name the brand, except to prompts that ask for pros or cons."),
    prompts: z.int(),
    winner: z.int(),
    winner_share: shareField("winner").describe("winner / answers: called the best, or the pick."),
    recommended: z.int(),
    recommended_share: shareField("recommended").describe("recommended / answers: recommended without reservations."),
    recommended_share_change: ChangeField.nullable().optional(),
    caveated: z.int(),
    caveated_share: shareField("caveated").describe("caveated / answers: recommended with reservations."),
    caveated_share_change: ChangeField.nullable().optional(),
    mentioned: z.int(),
    mentioned_share: shareField("mentioned").describe("mentioned / answers: only mentioned."),
    discouraged: z.int(),
    discouraged_share: shareField("discouraged").describe("discouraged / answers: advised against."),
    judged: z.int().describe("Answers with scored clauses (English)."),
    judged_prompts: z.int(),
    unjudged: z.int().describe("Answers in other languages; not counted in rates and sentiment."),
    unjudged_because: z.enum(["no_lexicon_for_language"]).nullable(),
    with_pros: z.int(),
    pro_rate: judgedRateField("with_pros", ["pro_ci_low", "pro_ci_high"]).describe("with_pros / judged: 0 to 1."),
    pro_ci_low: intervalEndField().describe("95 % confidence interval of pro_rate, for prompts like these."),
    pro_ci_high: intervalEndField(),
    pro_grade: GradeField,
    with_cons: z.int(),
    con_rate: judgedRateField("with_cons", ["con_ci_low", "con_ci_high"]).describe("with_cons / judged: 0 to 1."),
    con_ci_low: intervalEndField().describe("95 % confidence interval of con_rate, for prompts like these."),
    con_ci_high: intervalEndField(),
    con_grade: GradeField,
    con_rate_change: ChangeField.nullable().optional(),
    more_pros: z.int().describe("Scored answers with more pros than cons."),
    more_cons: z.int(),
    with_either: z.int().describe("Scored answers with a pro or a con."),
    either_prompts: z.int(),
    sentiment: meanField({ interval: ["sentiment_ci_low", "sentiment_ci_high"] })
      .nullable()
      .describe("(more_pros - more_cons) / with_either: -1 to 1; null below 10 answers or 5 prompts."),
    sentiment_ci_low: intervalEndField().describe("95 % confidence interval of sentiment, for prompts like these."),
    sentiment_ci_high: intervalEndField(),
    sentiment_grade: GradeField,
    sentiment_change: ChangeField.nullable().optional(),
    pros: z.array(Point).describe("Most common points by answers, at most five."),
    cons: z.array(Point),
    quotations: z.array(QuotationSchema).describe("One answer for each of the two most common pros and cons."),
  })
  .meta({ id: "BrandPerceptionRow" });
export type PerceptionRow = z.input<typeof PerceptionRow>;

const THEME_COUNTS = { count: "theme_answers", total: "answers", noun: "answers", prompts: "prompts" };

/** A pro or con, if rows are grouped by theme. */
export const ThemeRow = z
  .object({
    ...promptGroupFields,
    polarity: z.enum(["pro", "con"]),
    theme: outsideTextSchema().describe("Most common wording of the pro or con."),
    head: outsideTextSchema().describe("Subject of the theme; wordings with the same subject are one theme."),
    theme_answers: z.int().describe("Answers that mention the theme for the brand."),
    answers: z.int(),
    prompts: z.int(),
    theme_share: rateField({ of: THEME_COUNTS, interval: ["ci_low", "ci_high"] }).describe("theme_answers / answers."),
    brand_share: rateField()
      .optional()
      .describe("With brand: share of the brand in theme_answers of all compared brands."),
    ...intervalFields("theme_share"),
  })
  .meta({ id: "BrandThemeRow" });
export type ThemeRow = z.input<typeof ThemeRow>;
