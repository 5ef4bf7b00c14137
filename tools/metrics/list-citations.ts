import { z } from "zod";
import { PROMPTING_TYPES } from "../../core/analyses/analysis.ts";
import {
  analysisPath,
  CompetitorTypeField,
  Id,
  listSchema,
  listQuery,
  outsideTextSchema,
  removeInvisible,
  SortDirectionField,
} from "../../core/shared/fields.ts";
import { intervalFields, rateField, roundMetric } from "../../core/metrics/metric-fields.ts";
import { parsePagination } from "../../core/shared/pagination.ts";
import type { LinkCount } from "../../core/metrics/facts/count-links.ts";
import { endpoint } from "../endpoint.ts";
import { nameOrId } from "../name-or-id.ts";
import { Basis, CAUSE_NOTE } from "../metric-reads/selection/basis.ts";
import { paginateRows } from "../metric-reads/selection/paginate-rows.ts";
import { linksQuery, readLinks, shareStatistics } from "../metric-reads/links/read-links.ts";

const CITATION_COUNT_FIELDS = { count: "answers", total: "citing_answers", noun: "citing answers" };

const CitationSchema = z
  .object({
    domain: outsideTextSchema(),
    url: outsideTextSchema().nullable().describe("URL of the page; null if rows are domains."),
    competitor_type: CompetitorTypeField,
    brand_id: Id.nullable().describe("Brand that owns the site, if any."),
    brand: z.string().nullable(),
    answers: z.int().describe("Answers that cite the domain or page."),
    citations: z.int(),
    share: rateField({ of: CITATION_COUNT_FIELDS, interval: ["ci_low", "ci_high"] }).describe(
      "answers / citing_answers: 0 to 1.",
    ),
    ...intervalFields("share"),
  })
  .meta({ id: "Citation" });

const CITATIONS_LEGEND = `answers = answers that cite the site or page; share = answers / citing_answers, 0 to 1; citing_answers = answers with at least one citation; effect on mentions unknown, ${CAUSE_NOTE}`;

export const listCitations = endpoint({
  name: "listCitations",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/analyses/:analysis_id/metrics/citations",
  group: "Metrics",
  summary: "Rank the sites and pages that answers cite",
  description:
    "Rank the domains or pages that answers cite, most cited first, with the kind of site. For how often your own site is cited use get_visibility (citations). with_brand and absent_brand find sites that are cited where a rival is named and you are not.",
  access: { workspace: "viewer" },
  whenEmpty: "No answer of this run cites such a page. list_answers has its answers.",
  analysisTypes: PROMPTING_TYPES,
  input: z.strictObject({
    ...analysisPath,
    by: z.enum(["domain", "page"]).default("domain").describe("One row per domain or page."),
    pages: z.enum(["cited", "retrieved"]).default("cited").describe("retrieved: pages read but not cited."),
    ...linksQuery,
    brand_id: nameOrId("brand").optional().describe("Only sites of this brand, from list_brands."),
    domain: z.string().max(253).optional().describe("Only pages of this domain."),
    competitor_types: z
      .array(CompetitorTypeField)
      .min(1)
      .max(100)
      .optional()
      .describe("Kinds of site, from get_project_filters."),
    sort: z.enum(["answers", "citations", "domain"]).default("answers").describe("Sort by this column."),
    sort_direction: SortDirectionField.optional(),
    ...listQuery,
  }),
  output: listSchema(CitationSchema).extend({
    citing_answers: z.int().describe("Answers with at least one citation."),
    total_count: z.int(),
    basis: Basis,
  }),
  isHeavy: () => true,
  errors: ["UNPROCESSABLE"],
  async handle(input, { tenant }) {
    // The cursor pins the collect: a later one may complete while a client pages.
    const collectId = parsePagination("citations", input).after?.[1] ?? input.collect_id;
    const isCited = input.pages === "cited";
    const options = { legend: CITATIONS_LEGEND, linkKind: input.by, isCited, collectId };
    const { collect, counts, brands, basis } = await readLinks(tenant, input, options);
    const rows = counts.counts
      .filter(({ domain }) => input.domain === undefined || domain === input.domain)
      .filter(({ brand }) => input.brand_id === undefined || brands.get(brand)?.id === input.brand_id)
      .filter(({ siteType }) => input.competitor_types === undefined || input.competitor_types.includes(siteType))
      .toSorted(compareMostAnswers);
    const page = paginateRows("citations", input, sortCitations(rows, input), [collect?.id ?? ""]);
    const data = page.data.map((row) => {
      const brand = brands.get(row.brand);
      return {
        domain: removeInvisible(row.domain),
        url: input.by === "page" ? removeInvisible(row.name) : null,
        competitor_type: row.siteType,
        brand_id: brand?.id ?? null,
        brand: brand?.name ?? null,
        answers: row.answers,
        citations: row.times,
        share: roundMetric(row.answers / counts.total),
        ...(input.statistics ? shareStatistics(counts, row) : {}),
      };
    });
    return { ...page, data, citing_answers: counts.total, basis };
  },
});

function sortCitations(rows: readonly LinkCount[], { sort, sort_direction: direction }: CitationOrder): LinkCount[] {
  if (sort === "domain") {
    const way = direction === "desc" ? -1 : 1;
    return rows.toSorted((a, b) => way * (compareTexts(a.domain, b.domain) || compareTexts(a.name, b.name)));
  }
  const way = direction === "asc" ? 1 : -1;
  const value = ({ answers, times }: LinkCount) => (sort === "answers" ? answers : times);
  return rows.toSorted((a, b) => way * (value(a) - value(b)));
}

interface CitationOrder {
  sort: "answers" | "citations" | "domain";
  sort_direction?: "asc" | "desc" | undefined;
}

function compareMostAnswers(a: LinkCount, b: LinkCount): number {
  return b.answers - a.answers || b.times - a.times || compareTexts(a.domain, b.domain) || compareTexts(a.name, b.name);
}

function compareTexts(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
