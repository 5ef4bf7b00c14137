import { z } from "zod";
import { CHECK_OUTCOMES } from "../../core/audits/check.ts";
import { Id, outsideTextSchema, SourceField, removeInvisible } from "../../core/shared/fields.ts";
import { ACTION_RULES, OPINION_KINDS, type Evidence as EvidenceRow } from "../../core/actions/action.ts";

const count = z.int().nullable();
const rank = z.number().nullable();

const value = z.number().nullable();

const Opinion = z.object({
  kind: z.enum(OPINION_KINDS),
  about: outsideTextSchema().nullable().describe("Con, attribute or aspect; null: all aspects."),
  fact_id: Id.nullable(),
  prompts: z.int(),
  said: outsideTextSchema().nullable().describe("In words of the answers."),
  declared: z.string().nullable(),
  value: value.describe("Share of the answers; of a comparison the win rate, ties half; of a score -5 to 5."),
  ci_low: value,
  ci_high: value,
  brand_value: value.describe("The competitor's score."),
  brand_ci_low: value,
  brand_ci_high: value,
});

const Audited = z.object({
  check: z.string(),
  page_id: Id.nullable().describe("Null: all pages, or the site."),
  outcome: z.enum(CHECK_OUTCOMES),
  message: z.string().nullable(),
  excerpt: outsideTextSchema().nullable(),
  line: z.int().nullable().describe("Of the HTML."),
  cited_in: z.int().describe("Answers of other analyses that cite it."),
  read_for: z.int().describe("Answers that were made with it and do not cite it."),
});

export const Evidence = z
  .object({
    rule: z.enum(ACTION_RULES).nullable(),
    counted: z.boolean().describe("False for a row that only illustrates others: leave it out of sums."),
    collect_id: Id,
    previous_collect_id: Id.nullable().describe("What a loss is measured against."),
    keyword_id: Id.nullable().describe("Null: all Generic keywords of the topic, or of the analysis."),
    keyword: z.string().nullable(),
    topic_id: Id.nullable(),
    topic: z.string().nullable(),
    source: SourceField.nullable().describe("Null: all sources."),
    search_volume: count,
    answers: z.int().describe("Eligible answers; of a domain: answers that cite it."),
    occurrences: z.int().describe("Those with the own brand; of a domain: those that cite the own domains too."),
    previous_answers: count,
    previous_occurrences: count,
    rank: rank.describe("Mean rank of the own brand where it appears."),
    previous_rank: rank,
    brand_id: Id.nullable().describe("The competitor that appears most."),
    brand: z.string().nullable(),
    brand_occurrences: count,
    brand_rank: rank,
    domain: outsideTextSchema().nullable(),
    url: outsideTextSchema().nullable().describe("The page of the domain that is cited most."),
    answer_ids: z.array(Id).describe("Some of these answers; get_answer opens one."),
    opinion: Opinion.nullable().describe(
      "What answers of a brand analysis say. Then occurrences are those that hold the con, contradict, prefer the own brand or speak well of it.",
    ),
    audit: Audited.nullable().describe(
      "What a check of an audit found. Then answers are pages that were checked, occurrences those that pass.",
    ),
  })
  .meta({ id: "ActionEvidence" });

export function shapeEvidence(row: EvidenceRow): z.input<typeof Evidence> {
  const { domain, url, opinion, audit } = row;
  return {
    ...row,
    domain: visibleText(domain),
    url: visibleText(url),
    opinion: opinion ? { ...opinion, about: visibleText(opinion.about), said: visibleText(opinion.said) } : null,
    audit: audit ? { ...audit, excerpt: visibleText(audit.excerpt) } : null,
  };
}

function visibleText(words: string | null): string | null {
  return words === null ? null : removeInvisible(words);
}
