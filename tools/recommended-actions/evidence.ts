import { z } from "zod";
import { Id, outsideText, SourceField, withoutInvisible } from "../../core/fields.ts";
import { ACTION_RULES, type Evidence as EvidenceRow } from "../../core/recommend/action.ts";

const count = z.int().nullable();
const rank = z.number().nullable();

/** One measured fact, with what it takes to count it again and to open its answers. */
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
    domain: outsideText().nullable(),
    url: outsideText().nullable().describe("The page of the domain that is cited most."),
    answer_ids: z.array(Id).describe("Some of these answers; get_answer opens one."),
  })
  .meta({ id: "ActionEvidence" });

export function shapeEvidence(row: EvidenceRow): z.input<typeof Evidence> {
  const { domain, url } = row;
  return {
    ...row,
    domain: domain === null ? null : withoutInvisible(domain),
    url: url === null ? null : withoutInvisible(url),
  };
}
