import { z } from "zod";
import { answerCountryCondition } from "../../db/analyses/prompt-countries.ts";
import { findAnalysis } from "../../db/analyses/analyses.ts";
import { parseCitedPlace } from "../../db/answers/cited-condition.ts";
import { listAnswers as listAnswerRows } from "../../db/answers/answer-lists.ts";
import type { Tenant } from "../../db/engine/store.ts";
import { requireFound } from "../../core/shared/errors.ts";
import { PROMPTING_TYPES } from "../../core/analyses/analysis.ts";
import {
  analysisPath,
  listSchema,
  listQuery,
  outsideTextSchema,
  SourceField,
  removeInvisible,
  SortDirectionField,
} from "../../core/shared/fields.ts";
import { toPage, parsePagination } from "../../core/shared/pagination.ts";
import { endpoint } from "../endpoint.ts";
import { ALL_COLLECTS, LATEST_COLLECT, nameOrId } from "../name-or-id.ts";
import { citedQuery, readPresence, rivalsField } from "../metric-reads/links/cited-query.ts";
import { chooseCollects, listIds } from "../metric-reads/selection/choose-collects.ts";
import { dateQuery, type DatesInput } from "../metric-reads/selection/date-window.ts";
import { countriesField, SOURCES_DESCRIPTION } from "../metric-reads/selection/selection.ts";
import { answerFields, shapeAnswer } from "./answer.ts";

const AnswerSummarySchema = z
  .object({
    ...answerFields,
    excerpt: outsideTextSchema().describe("Beginning of the text; get_answer has the full text."),
    length: z.int().describe("Characters of the full text; 0 if the source showed no answer."),
  })
  .meta({ id: "AnswerSummary" });

export const listAnswers = endpoint({
  name: "listAnswers",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/analyses/:analysis_id/answers",
  group: "Analyses",
  summary: "List the answers of an analysis",
  description:
    "Find answers, newest run (`collect`) first; total_count is their number. brand with absent_brand finds answers that name a rival but not you. get_answer has the full text; get_visibility counts by source or topic.",
  access: { workspace: "viewer" },
  whenEmpty: "No source returned an answer. get_collect has the failures by source.",
  analysisTypes: PROMPTING_TYPES,
  input: z.strictObject({
    ...analysisPath,
    collect_id: nameOrId("collect")
      .optional()
      .describe("Run: id or number from list_collects, `latest` or `all`. Default in tools: latest."),
    ...dateQuery,
    keyword_id: nameOrId("keyword").optional().describe("Prompt, by its text or its id from list_keywords."),
    sources: z.array(SourceField).min(1).max(100).optional().describe(SOURCES_DESCRIPTION),
    countries: countriesField,
    brand_id: nameOrId("brand").optional().describe("Only answers with this brand, from list_brands."),
    absent_brand_id: nameOrId("brand").optional().describe("Only answers without this brand, from list_brands."),
    rivals_at_least: rivalsField,
    ...citedQuery,
    informative: z
      .boolean()
      .optional()
      .describe("true: only answers that name or link to a tracked brand; false: only the others."),
    sort_direction: SortDirectionField.default("desc").describe("asc: oldest first."),
    ...listQuery,
  }),
  toolDefaults: { collect_id: LATEST_COLLECT },
  toolExcerpts: { excerpt: 160 },
  toolColumns: ["id", "prompt", "source", "collect_number", "collection_method", "excerpt"],
  output: listSchema(AnswerSummarySchema).extend({
    total_count: z.int().describe("Number of answers on all pages."),
    total_is_exact: z
      .boolean()
      .describe("false: total_count is a minimum. Pages can be short: continue while there is a next_cursor."),
  }),
  // Heavy with filters that have no index: the read scans answers and counts them.
  isHeavy: (input) =>
    [
      input.sources,
      input.countries,
      input.brand_id,
      input.absent_brand_id,
      input.rivals_at_least,
      input.domain ?? input.url,
      input.informative,
    ].some((filter) => filter !== undefined),
  async handle(input, { tenant }) {
    const analysis = requireFound(await findAnalysis(tenant, input.analysis_id), "analysis");
    const { brand_id: with_brand, absent_brand_id: absent_brand, rivals_at_least } = input;
    const filter = {
      collectIds: await selectCollects(tenant, input),
      questionId: input.keyword_id,
      sources: input.sources,
      questionCondition: await answerCountryCondition(tenant.db, analysis.id, input.countries ?? []),
      ...(await readPresence(tenant, analysis, { with_brand, absent_brand, rivals_at_least })),
      cited: parseCitedPlace(input),
      isInformative: input.informative,
    };
    const page = parsePagination("answers", input);
    const found = await listAnswerRows(tenant, input.analysis_id, filter, { ...page, direction: input.sort_direction });
    // The cursor carries the total of the first page.
    const [, answers, isExact] = page.after ?? [];
    const total = found.total ?? { answers: Number(answers), isExact: isExact === "1" };
    const handedOn = [total.answers, Number(total.isExact)];
    const list = toPage("answers", input, found.rows, {
      key: (row) => [row.id, ...handedOn],
      row: (row) => ({ ...shapeAnswer(row), excerpt: removeInvisible(row.excerpt), length: row.length }),
      searchedTo: found.searchedTo === null ? null : [found.searchedTo, ...handedOn],
    });
    return { ...list, total_count: total.answers, total_is_exact: total.isExact };
  },
});

/** Undefined for all runs. */
async function selectCollects(
  tenant: Tenant,
  input: DatesInput & { analysis_id: string; collect_id?: string | undefined },
): Promise<string[] | undefined> {
  if (input.until) return listIds((await chooseCollects(tenant, input.analysis_id, input)).current);
  const { collect_id: id = ALL_COLLECTS } = input;
  return id === ALL_COLLECTS ? undefined : [id];
}
