import { z } from "zod";
import { PROMPTING_TYPES } from "../../core/analyses/analysis.ts";
import {
  analysisPath,
  listSchema,
  listQuery,
  outsideTextSchema,
  removeInvisible,
  SortDirectionField,
} from "../../core/shared/fields.ts";
import { intervalFields, rateField, roundMetric } from "../../core/metrics/metric-fields.ts";
import { parsePagination } from "../../core/shared/pagination.ts";
import { endpoint } from "../endpoint.ts";
import { Basis } from "../metric-reads/selection/basis.ts";
import { paginateRows } from "../metric-reads/selection/paginate-rows.ts";
import type { LinkRow } from "../metric-reads/links/open-links.ts";
import { linksQuery, readLinks, shareStatistics } from "../metric-reads/links/read-links.ts";

const QUERY_COUNT_FIELDS = { count: "answers", total: "searching_answers", noun: "searching answers" };

const SearchedQuerySchema = z
  .object({
    query: outsideTextSchema(),
    answers: z.int().describe("Answers with this search."),
    searches: z.int(),
    prompts: z.int().describe("Prompts that led to this search."),
    share: rateField({ of: QUERY_COUNT_FIELDS, interval: ["ci_low", "ci_high"] }).describe(
      "answers / searching_answers: 0 to 1.",
    ),
    ...intervalFields("share"),
  })
  .meta({ id: "SearchedQuery" });

const QUERIES_LEGEND =
  "answers = answers with this search; share = answers / searching_answers, 0 to 1; searching_answers = answers with at least one search";

export const listQueries = endpoint({
  name: "listQueries",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/analyses/:analysis_id/metrics/queries",
  group: "Metrics",
  summary: "Rank the searches behind answers",
  description:
    "Rank the web searches that assistants ran to write their answers (query fan-out), most common first. Not the prompts: those are in list_keywords. Empty if the sources report no searches.",
  access: { workspace: "viewer" },
  whenEmpty: "The assistants of this run reported no searches. list_citations has the pages that they cite.",
  analysisTypes: PROMPTING_TYPES,
  input: z.strictObject({
    ...analysisPath,
    text: z.string().max(255).optional().describe("Part of the search text."),
    ...linksQuery,
    sort: z.enum(["answers", "prompts", "query"]).default("answers").describe("Sort by this column."),
    sort_direction: SortDirectionField.optional(),
    ...listQuery,
  }),
  output: listSchema(SearchedQuerySchema).extend({
    searching_answers: z.int().describe("Answers with at least one search."),
    total_count: z.int(),
    basis: Basis,
  }),
  isHeavy: () => true,
  errors: ["UNPROCESSABLE"],
  async handle(input, { tenant }) {
    const collectId = parsePagination("queries", input).after?.[1] ?? input.collect_id;
    const options = { legend: QUERIES_LEGEND, linkKind: "query" as const, isCited: false, dimensions: [], collectId };
    const { collect, rows: found, total, basis } = await readLinks(tenant, input, options);
    const queries = input.text?.toLowerCase() ?? "";
    const rows = found
      .filter(({ count: { name } }) => name.toLowerCase().includes(queries))
      .toSorted(
        ({ count: a }, { count: b }) => b.answers - a.answers || b.times - a.times || (a.name < b.name ? -1 : 1),
      );
    const page = paginateRows("queries", input, sortQueries(rows, input), [collect?.id ?? ""]);
    const data = page.data.map(({ count: row, counts }) => ({
      query: removeInvisible(row.name),
      answers: row.answers,
      searches: row.times,
      prompts: row.promptCount,
      share: roundMetric(row.answers / counts.total),
      ...(input.statistics ? shareStatistics(counts, row) : {}),
    }));
    return { ...page, data, searching_answers: total, basis };
  },
});

function sortQueries(
  rows: readonly LinkRow[],
  { sort, sort_direction }: { sort: "answers" | "prompts" | "query"; sort_direction?: "asc" | "desc" | undefined },
): LinkRow[] {
  const direction = sort_direction ?? (sort === "query" ? "asc" : "desc");
  const way = direction === "asc" ? 1 : -1;
  if (sort === "query") return rows.toSorted(({ count: a }, { count: b }) => way * (a.name < b.name ? -1 : 1));
  const column = sort === "answers" ? "answers" : "promptCount";
  return rows.toSorted(({ count: a }, { count: b }) => way * (a[column] - b[column]));
}
