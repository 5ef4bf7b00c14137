import { z } from "zod";
import { CompetitorTypeField, Id, InstantField, outsideTextSchema, removeInvisible } from "../../core/shared/fields.ts";
import { ChangeField } from "../../core/metrics/changes/change-row.ts";
import { intervalFields, meanField, rateField, roundMetric } from "../../core/metrics/metric-fields.ts";
import { CITED_PAGE_TYPES, detectCitedPageType } from "../../core/reading/cited-page-type.ts";
import type { CompetitorType } from "../../core/sources/sources.ts";
import type { BrandName } from "../../db/analyses/projects.ts";
import type { LinkRow } from "../metric-reads/links/open-links.ts";
import { shareStatistics } from "../metric-reads/links/read-links.ts";

const CITATION_COUNT_FIELDS = { count: "answers", total: "citing_answers", noun: "citing answers" };

export const CitationSchema = z
  .object({
    domain: outsideTextSchema().optional(),
    url: outsideTextSchema().nullable().optional().describe("URL of the page; null if rows are domains."),
    page_type: z
      .enum(CITED_PAGE_TYPES)
      .nullable()
      .optional()
      .describe("By rule from the URL; the page is not fetched."),
    competitor_type: CompetitorTypeField.optional(),
    brand_id: Id.nullable().optional().describe("Brand that owns the site, if any."),
    brand: z.string().nullable().optional(),
    source: z.string().optional(),
    collect: z.int().optional().describe("Number of the run."),
    collect_id: Id.optional(),
    collected_to: InstantField.nullable().optional().describe("Time of the run's last answer."),
    topic: z.string().optional(),
    country: z.string().optional(),
    keyword: outsideTextSchema().optional(),
    keyword_id: Id.optional(),
    answer_id: Id.optional().describe("Answer id, for get_answer."),
    collected_at: InstantField.optional(),
    answers: z.int().optional().describe("Answers that cite the domain or page."),
    citations: z.int().optional(),
    citing_answers: z.int().optional().describe("Answers of this row's part with at least one citation."),
    share: rateField({ of: CITATION_COUNT_FIELDS, interval: ["ci_low", "ci_high"] })
      .optional()
      .describe("answers / citing_answers: 0 to 1."),
    ...intervalFields("share"),
    change: ChangeField.nullable().optional(),
    position: meanField().describe(
      "Place among the pages that the answer cites, 1 is first; the mean if rows are not citations.",
    ),
    role: z
      .enum(["cited", "retrieved", "both"])
      .describe("retrieved: read by the assistant and not cited; both: each in some answers."),
  })
  .meta({ id: "Citation" });
export type CitationRow = z.input<typeof CitationSchema>;

interface CitedSite {
  domain: string;
  /** Null if the row is a domain. */
  url: string | null;
  siteType: CompetitorType;
}

export function shapeSite({ domain, url, siteType }: CitedSite, brand: BrandName | undefined) {
  return {
    domain: removeInvisible(domain),
    url: url === null ? null : removeInvisible(url),
    page_type: url === null ? null : detectCitedPageType(url, siteType),
    competitor_type: siteType,
    brand_id: brand?.id ?? null,
    brand: brand?.name ?? null,
  };
}

export function shapeCitationRow(
  { group, count, counts, change }: LinkRow,
  of: { brand: BrandName | undefined; linkKind: "domain" | "page" | "any"; isCited: boolean; statistics: boolean },
): CitationRow {
  const { collect, ...names } = group.names;
  const [run] = group.collects;
  const isPart = Object.keys(group.names).length > 0;
  const url = of.linkKind === "page" ? count.name : null;
  return {
    ...(of.linkKind === "any" ? {} : shapeSite({ ...count, url }, of.brand)),
    ...names,
    ...(group.keywordId !== null && { keyword_id: group.keywordId }),
    ...(collect !== undefined &&
      run && { collect: run.number, collect_id: run.id, collected_to: run.collectedTo ?? run.finishedAt }),
    answers: count.answers,
    citations: count.times,
    ...(isPart && { citing_answers: counts.total }),
    share: roundMetric(count.answers / counts.total),
    ...(of.statistics && { ...shareStatistics(counts, count), change }),
    position: roundMetric(count.positionSum / count.times),
    role: count.otherTimes > 0 ? "both" : of.isCited ? "cited" : "retrieved",
  };
}
