import { z } from "zod";
import { findAnalysis } from "../../db/analyses/analyses.ts";
import { listFacets, listAnalysisQuestions } from "../../db/analyses/questions.ts";
import { citingQuestionCondition, parseCitedPlace } from "../../db/answers/cited-condition.ts";
import { listMeasuredCollects } from "../../db/metrics/search-metrics.ts";
import { requireFound } from "../../core/shared/errors.ts";
import { PROMPTING_TYPES } from "../../core/analyses/analysis.ts";
import { toSnakeCase } from "../../core/shared/snake-case.ts";
import {
  analysisPath,
  FunnelStageField,
  Id,
  InstantField,
  KeywordTypeField,
  listSchema,
  listQuery,
} from "../../core/shared/fields.ts";
import { toPage, parsePagination } from "../../core/shared/pagination.ts";
import { endpoint } from "../endpoint.ts";
import { citedQuery } from "../metric-reads/links/cited-query.ts";
import { listAnsweredPositions } from "../metric-reads/selection/answered-positions.ts";
import { selectDefaultCollect } from "../metric-reads/selection/choose-collects.ts";
import { unlistedDateQuery } from "../metric-reads/selection/date-window.ts";

const labelField = z.string().nullable();
const KeywordSchema = z
  .object({
    id: Id,
    text: z.string(),
    type: KeywordTypeField,
    funnel_stage: FunnelStageField.nullable(),
    thematic: z.string(),
    topic: z.string(),
    persona_id: Id.nullable(),
    strength: labelField,
    weakness: labelField,
    related_product: labelField,
    sub_brand: labelField,
    intent: z.array(z.string()),
    search_volume: z.int().nullable().describe("Monthly searches; null if unknown."),
    search_volume_from: z.string().nullable().describe("Origin: setup, import, or the name of a provider."),
    search_volume_at: InstantField.nullable().describe("Time of the value; null for the setup."),
  })
  .meta({ id: "Keyword" });

export const listKeywords = endpoint({
  name: "listKeywords",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/analyses/:analysis_id/keywords",
  group: "Analyses",
  summary: "List the prompts of a search analysis",
  description:
    "List the prompts (`keyword`) that a search analysis sends, with thematic, topic, type and search volume; with domain or url, those whose answers of the latest run cite it. For your rank by prompt use list_keywords_metrics; for a brand analysis list_prompts.",
  access: { workspace: "viewer" },
  whenEmpty: "This analysis has no prompts yet. get_analysis shows its setup.",
  analysisTypes: PROMPTING_TYPES,
  input: z.strictObject({ ...analysisPath, ...citedQuery, ...unlistedDateQuery, ...listQuery }),
  output: listSchema(KeywordSchema),
  isHeavy: ({ domain, url }) => (domain ?? url) !== undefined,
  async handle(input, { tenant }) {
    const { type } = requireFound(await findAnalysis(tenant, input.analysis_id), "analysis");
    const names = new Map((await listFacets(tenant, input.analysis_id)).map((facet) => [facet.id, facet.name]));
    const getName = (id: string | null) => (id === null ? null : (names.get(id) ?? null));
    const page = parsePagination("keywords", input);
    const cited = parseCitedPlace(input);
    const [latest] = selectDefaultCollect(cited ? await listMeasuredCollects(tenant, input.analysis_id) : []);
    const citing = cited && citingQuestionCondition(tenant.db, latest?.id, cited);
    const positions = await listAnsweredPositions(tenant, input.analysis_id, input);
    // Pages of an audit are stored as questions.
    const rows =
      type === "geo_audit"
        ? []
        : await listAnalysisQuestions(tenant, input.analysis_id, page, { positions, among: citing });
    return toPage("keywords", input, rows, {
      key: (row) => [row.position],
      row: (row) => ({
        ...toSnakeCase(row),
        thematic: getName(row.thematicId) ?? "",
        topic: getName(row.topicId) ?? "",
        strength: getName(row.strengthId),
        weakness: getName(row.weaknessId),
        related_product: getName(row.relatedProductId),
        sub_brand: getName(row.subBrandId),
        search_volume_from: row.volumeFrom,
        search_volume_at: row.volumeAt,
      }),
    });
  },
});
