import { z } from "zod";
import { CHECK_OUTCOMES } from "../../core/audits/check.ts";
import { Id, outsideTextSchema, SourceField, removeInvisible } from "../../core/shared/fields.ts";
import { ACTION_RULES, OPINION_KINDS, type Evidence as EvidenceRow } from "../../core/actions/action.ts";

const countField = z.int().nullable();
const rankField = z.number().nullable();

const valueField = z.number().nullable();

const OpinionSchema = z.object({
  kind: z.enum(OPINION_KINDS),
  about: outsideTextSchema().nullable().describe("Con, attribute or aspect; null: all aspects."),
  fact_id: Id.nullable(),
  prompts: z.int(),
  said: outsideTextSchema().nullable().describe("Wording in the answers."),
  declared: z.string().nullable(),
  value: valueField.describe(
    "Share of the answers, 0 to 1; for comparisons the win rate, ties count half; for scores -5 to 5.",
  ),
  ci_low: valueField,
  ci_high: valueField,
  brand_value: valueField.describe("The competitor's score."),
  brand_ci_low: valueField,
  brand_ci_high: valueField,
});

const AuditedCheckSchema = z.object({
  check: z.string(),
  page_id: Id.nullable().describe("Audited page; null for all pages or the website itself."),
  outcome: z.enum(CHECK_OUTCOMES),
  message: z.string().nullable(),
  excerpt: outsideTextSchema().nullable(),
  line: z.int().nullable().describe("Line of the HTML."),
  cited_in: z.int().describe("Answers of other analyses that cite the page."),
  read_for: z.int().describe("Answers for which the assistant read the page but did not cite it."),
});

export const EvidenceSchema = z
  .object({
    rule: z.enum(ACTION_RULES).nullable(),
    counted: z.boolean().describe("false: the row is an example of other rows; exclude it from sums."),
    collect_id: Id,
    previous_collect_id: Id.nullable().describe("Baseline of a loss."),
    keyword_id: Id.nullable().describe("Null: all Generic prompts of the topic or analysis."),
    keyword: z.string().nullable(),
    topic_id: Id.nullable(),
    topic: z.string().nullable(),
    source: SourceField.nullable().describe("Null: all sources."),
    search_volume: countField,
    answers: z.int().describe("Counted answers; for a domain, answers that cite it."),
    occurrences: z
      .int()
      .describe("Counted answers with your brand; for a domain, answers that also cite your domains."),
    previous_answers: countField,
    previous_occurrences: countField,
    rank: rankField.describe("Average rank of your brand in the answers that mention it."),
    previous_rank: rankField,
    brand_id: Id.nullable().describe("Competitor with the most answers."),
    brand: z.string().nullable(),
    brand_occurrences: countField,
    brand_rank: rankField,
    domain: outsideTextSchema().nullable(),
    url: outsideTextSchema().nullable().describe("Most cited page of the domain."),
    answer_ids: z.array(Id).describe("Ids of some of these answers, for get_answer."),
    opinion: OpinionSchema.nullable().describe(
      "Opinion in answers of a brand analysis. occurrences then counts the answers that mention the con, contradict the fact, prefer your brand or praise it.",
    ),
    audit: AuditedCheckSchema.nullable().describe(
      "Finding of an audit check. answers then counts checked pages, and occurrences counts pages that pass.",
    ),
  })
  .meta({ id: "ActionEvidence" });

export function shapeEvidence(row: EvidenceRow): z.input<typeof EvidenceSchema> {
  const { domain, url, opinion, audit } = row;
  return {
    ...row,
    domain: toVisibleText(domain),
    url: toVisibleText(url),
    opinion: opinion ? { ...opinion, about: toVisibleText(opinion.about), said: toVisibleText(opinion.said) } : null,
    audit: audit ? { ...audit, excerpt: toVisibleText(audit.excerpt) } : null,
  };
}

function toVisibleText(words: string | null): string | null {
  return words === null ? null : removeInvisible(words);
}
