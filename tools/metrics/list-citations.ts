import { z } from "zod";
import { PROMPTING_TYPES } from "../../core/analyses/analysis.ts";
import {
  analysisPath,
  CompetitorTypeField,
  listSchema,
  listQuery,
  SortDirectionField,
} from "../../core/shared/fields.ts";
import { parsePagination } from "../../core/shared/pagination.ts";
import { parseCitedPlace } from "../../db/answers/cited-condition.ts";
import { endpoint } from "../endpoint.ts";
import { nameOrId } from "../name-or-id.ts";
import { Basis, CAUSE_NOTE } from "../metric-reads/selection/basis.ts";
import { paginateRows } from "../metric-reads/selection/paginate-rows.ts";
import { citedQuery, rivalsField } from "../metric-reads/links/cited-query.ts";
import type { LinkRow } from "../metric-reads/links/open-links.ts";
import { linksQuery, readLinks } from "../metric-reads/links/read-links.ts";
import { readSingleCitations } from "../metric-reads/links/read-single-citations.ts";
import { DIMENSIONS } from "../metric-reads/visibility/visibility-groups.ts";
import { CitationSchema, shapeCitationRow } from "./citation-row.ts";

const GROUPS = ["domain", "page", "source", "collect", "topic", "country", "keyword", "none"] as const;

const CITATIONS_LEGEND = `answers = answers that cite the site or page; share = answers / citing_answers, 0 to 1; citing_answers = answers with at least one citation; position = mean place among the citations of an answer, 1 is first; AI answers, and result pages only if sources name them; effect on mentions unknown, ${CAUSE_NOTE}`;

export const listCitations = endpoint({
  name: "listCitations",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/analyses/:analysis_id/metrics/citations",
  group: "Metrics",
  summary: "Rank the sites and pages that answers cite",
  description:
    "Rank the domains or pages that AI answers cite, most cited first, also by source, run, topic or prompt. For how often your own site is cited use get_visibility (citations). with_brand and absent_brand find sites that are cited where a rival is named and you are not.",
  access: { workspace: "viewer" },
  whenEmpty: "No answer of this run cites such a page. list_answers has its answers.",
  analysisTypes: PROMPTING_TYPES,
  input: z.strictObject({
    ...analysisPath,
    group_by: z
      .array(z.enum(GROUPS))
      .min(1)
      .max(2)
      .refine((groups) => groups.length === 1 || !groups.includes("none"), "none cannot be combined")
      .default(["domain"])
      .describe("One or two; none: one row per citation, newest first."),
    pages: z.enum(["cited", "retrieved"]).default("cited").describe("retrieved: pages read but not cited."),
    ...linksQuery,
    rivals_at_least: rivalsField,
    brand_id: nameOrId("brand").optional().describe("Only sites of this brand, from list_brands."),
    ...citedQuery,
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
  toolDefaults: { statistics: true },
  output: listSchema(CitationSchema).extend({
    citing_answers: z.int().describe("Answers with at least one citation."),
    total_count: z.int(),
    basis: Basis,
  }),
  isHeavy: () => true,
  errors: ["UNPROCESSABLE"],
  async handle(input, { tenant }) {
    const dimensions = DIMENSIONS.filter((one) => input.group_by.some((group) => group === one));
    const { after } = parsePagination("citations", input);
    // The cursor pins the collect: a later one may complete while a client pages.
    const collectId = dimensions.includes("collect") ? input.collect_id : (after?.[1] ?? input.collect_id);
    const linkKind = (["page", "domain"] as const).find((kind) => input.group_by.includes(kind)) ?? ("any" as const);
    const isCited = input.pages === "cited";
    const places = { ...parseCitedPlace(input), brandId: input.brand_id, siteTypes: input.competitor_types };
    const options = { legend: CITATIONS_LEGEND, linkKind, isCited, dimensions, collectId, places };
    if (input.group_by.includes("none")) return readSingleCitations(tenant, input, options);
    const { collect, rows, total, brands, basis } = await readLinks(tenant, input, options);
    const page = paginateRows("citations", input, sortCitations(rows, input), [collect?.id ?? ""]);
    const data = page.data.map((row) =>
      shapeCitationRow(row, { brand: brands.get(row.count.brand), linkKind, isCited, statistics: input.statistics }),
    );
    return { ...page, data, citing_answers: total, basis };
  },
});

/** By default the most cited first, and runs by time. */
function sortCitations(rows: readonly LinkRow[], { group_by: groups, ...order }: CitationOrder): LinkRow[] {
  const { sort, sort_direction: direction } = order;
  const isSeries = groups.includes("collect") && direction === undefined && sort === "answers";
  const most = rows.toSorted(compareMostAnswers);
  if (sort === "domain") {
    const way = direction === "desc" ? -1 : 1;
    return most.toSorted(({ count: a }, { count: b }) => {
      return way * (compareTexts(a.domain, b.domain) || compareTexts(a.name, b.name));
    });
  }
  const way = direction === "asc" ? 1 : -1;
  const value = ({ count: { answers, times } }: LinkRow) => (sort === "answers" ? answers : times);
  const number = ({ group }: LinkRow) => (isSeries ? Number(group.names.collect) : 0);
  return most.toSorted((a, b) => number(a) - number(b) || way * (value(a) - value(b)));
}

interface CitationOrder {
  group_by: readonly string[];
  sort: "answers" | "citations" | "domain";
  sort_direction?: "asc" | "desc" | undefined;
}

function compareMostAnswers({ count: a }: LinkRow, { count: b }: LinkRow): number {
  return b.answers - a.answers || b.times - a.times || compareTexts(a.domain, b.domain) || compareTexts(a.name, b.name);
}

function compareTexts(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
