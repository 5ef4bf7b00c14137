import { z } from "zod";
import { Id, outsideTextSchema, SourceField } from "../../core/shared/fields.ts";
import { meanField, rateField } from "../../core/metrics/metric-fields.ts";
import { ChangeField } from "../../core/metrics/changes/change-row.ts";
import { promptGroupFields } from "./awareness-row.ts";

const Grade = z.enum(["decision", "directional", "exploratory"]).optional();
const intervalEnd = () => z.number().nullable().optional();
const share = (count: string) =>
  rateField({ of: { count, total: "answers", noun: "answers", prompts: "prompts" } }).nullable();
const judgedRate = (count: string, interval: readonly [string, string]) =>
  rateField({ of: { count, total: "judged", noun: "answers", prompts: "judged_prompts" }, interval }).nullable();

const Point = z.object({
  phrase: outsideTextSchema().describe("The commonest wording."),
  head: outsideTextSchema().describe("What it is about: phrases with the same are one."),
  answers: z.int().describe("Answers that say so unasked."),
  asked: z.int().describe("Answers to prompts that ask for pros and cons; in no figure."),
});

const Quotation = z.object({
  answer_id: Id.describe("get_answer shows it whole."),
  source: SourceField,
  polarity: z.enum(["pro", "con"]),
  head: outsideTextSchema(),
  start: z.int().describe("Offsets in the text of the answer, UTF-16 code units, end exclusive."),
  end: z.int(),
  text: outsideTextSchema(),
});

export const PerceptionRow = z
  .object({
    ...promptGroupFields,
    answers: z.int().describe("Answers that name the brand, to prompts that ask for neither pros nor cons."),
    prompts: z.int(),
    winner: z.int(),
    winner_share: share("winner").describe("winner / answers: the best, or the pick."),
    recommended: z.int(),
    recommended_share: share("recommended").describe("recommended / answers, without a con in the same place."),
    caveated: z.int(),
    caveated_share: share("caveated").describe("caveated / answers: recommended with a con."),
    mentioned: z.int(),
    mentioned_share: share("mentioned").describe("mentioned / answers: no more than named."),
    discouraged: z.int(),
    discouraged_share: share("discouraged").describe("discouraged / answers: advised against."),
    judged: z.int().describe("Answers whose clauses were judged: in English."),
    judged_prompts: z.int(),
    unjudged: z.int().describe("Other answers; in no rate and no sentiment."),
    unjudged_because: z.enum(["no_lexicon_for_language"]).nullable(),
    with_pros: z.int(),
    pro_rate: judgedRate("with_pros", ["pro_ci_low", "pro_ci_high"]).describe("with_pros / judged: 0 to 1."),
    pro_ci_low: intervalEnd().describe("95 % interval of pro_rate, for prompts like these."),
    pro_ci_high: intervalEnd(),
    pro_grade: Grade,
    with_cons: z.int(),
    con_rate: judgedRate("with_cons", ["con_ci_low", "con_ci_high"]).describe("with_cons / judged: 0 to 1."),
    con_ci_low: intervalEnd().describe("95 % interval of con_rate, for prompts like these."),
    con_ci_high: intervalEnd(),
    con_grade: Grade,
    con_rate_change: ChangeField.nullable().optional(),
    more_pros: z.int().describe("Judged answers with more pros than cons."),
    more_cons: z.int(),
    with_either: z.int().describe("Judged answers with a pro or a con."),
    either_prompts: z.int(),
    sentiment: meanField({ interval: ["sentiment_ci_low", "sentiment_ci_high"] })
      .nullable()
      .describe("(more_pros - more_cons) / with_either: -1 to 1; null below 10 answers or 5 prompts."),
    sentiment_ci_low: intervalEnd().describe("95 % interval of sentiment, for prompts like these."),
    sentiment_ci_high: intervalEnd(),
    sentiment_grade: Grade,
    sentiment_change: ChangeField.nullable().optional(),
    pros: z.array(Point).describe("The commonest, by answers; at most five."),
    cons: z.array(Point),
    quotations: z.array(Quotation).describe("An answer for each of the two commonest pros and cons."),
  })
  .meta({ id: "BrandPerceptionRow" });
export type PerceptionRow = z.input<typeof PerceptionRow>;
