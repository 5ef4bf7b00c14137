import type { ExportFilters } from "../../../core/exports/exports.ts";
import { SHARE_OF_VOICE } from "../../../core/metrics/share-of-voice.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import { listCompetitorIds } from "../../../db/analyses/analyses.ts";
import { listExportedCollects, type ExportedCollect } from "../../../db/exports/exported-collects.ts";
import { VisibilityInput } from "../../metric-reads/visibility/visibility-request.ts";
import { readVisibility } from "../../metric-reads/visibility/read-visibility.ts";
import type { VisibilityRow } from "../../metrics/visibility-row.ts";
import { boolean, exportTable, integer, number, text } from "../export-table.ts";
import { COLLECT_EXPORT_COLUMNS, PLACE_COLUMNS } from "../shared-columns.ts";

type CollectFigures = ExportedCollect & VisibilityRow & { isRival: boolean };

const EXPORTED_BREAKDOWNS = [["brand"], ["brand", "source"]] as const;

async function* iterateVisibilityRows(tenant: Tenant, filters: ExportFilters): AsyncGenerator<CollectFigures[]> {
  for (const collect of await listExportedCollects(tenant, filters)) {
    if (collect.ownBrandId === null || collect.analysisType === "geo_audit") continue;
    const analysis = { id: collect.analysisId, brandId: collect.ownBrandId };
    const rivals = new Set(await listCompetitorIds(tenant, analysis.id));
    for (const breakdown of EXPORTED_BREAKDOWNS) {
      const found = await readVisibility(
        tenant,
        analysis,
        buildVisibilityInput(tenant, collect, { breakdown, filters }),
      );
      yield found.rows.map((row) => ({ ...collect, ...row, isRival: rivals.has(row.brand_id) }));
    }
  }
}

function buildVisibilityInput(
  { organizationId, workspaceId }: Tenant,
  { analysisId, collectId }: ExportedCollect,
  { breakdown, filters }: { breakdown: (typeof EXPORTED_BREAKDOWNS)[number]; filters: ExportFilters },
): VisibilityInput {
  const { sources, brand_ids: brands } = filters;
  return {
    ...VisibilityInput.parse({
      organization_id: organizationId,
      workspace_id: workspaceId,
      analysis_id: analysisId,
      group_by: breakdown,
      collect_ids: [collectId],
      statistics: true,
      only: "intervals",
      ...(sources ? { sources } : {}),
      ...(brands ? { brands } : {}),
    }),
  };
}

export const VISIBILITY_TABLE = exportTable<CollectFigures>({
  what: "visibility",
  doc: "One row per brand and run, for all sources together (source is empty) and for each source, with the values of metrics/visibility.",
  filters: ["analysis_ids", "collect_ids", "sources", "brand_ids"],
  columns: [
    ...PLACE_COLUMNS,
    ...COLLECT_EXPORT_COLUMNS,
    text("source", (row) => row.source ?? null, "Display name of the source; null: all sources together."),
    text("brand_id", (row) => row.brand_id, "Id of the brand."),
    text("brand", (row) => row.brand, "Name of the brand."),
    boolean("is_my_brand", (row) => row.is_my_brand, "true: the brand that the analysis measures."),
    boolean("is_competitor", (row) => row.isRival, "true: a competitor in the analysis."),
    integer("answers", (row) => row.answers, "Answers that the rates are computed from.", "answers"),
    integer("prompts", (row) => row.prompts, "Distinct prompts of these answers.", "prompts"),
    integer("occurrences", (row) => row.occurrences, "Answers that name or list the brand.", "answers"),
    number("presence_rate", (row) => row.presence_rate ?? null, "occurrences / answers.", "0 to 1"),
    number(
      "ci_low",
      (row) => row.ci_low ?? null,
      "Lower end of the 95 % interval of presence_rate, for prompts like these.",
      "0 to 1",
    ),
    number("ci_high", (row) => row.ci_high ?? null, "Upper end of the interval.", "0 to 1"),
    text("grade", (row) => row.grade ?? null, "Reliability of the metric: decision, directional or exploratory."),
    number(
      "average_rank",
      (row) => row.average_rank ?? null,
      "Mean rank in answers with the brand; 1 is best.",
      "rank",
    ),
    number(
      "rank_ci_low",
      (row) => row.rank_ci_low ?? null,
      "Lower end of the 95 % interval of average_rank; null below 5 prompts.",
      "rank",
    ),
    number("rank_ci_high", (row) => row.rank_ci_high ?? null, "Upper end of the interval.", "rank"),
    number("top_3_rate", (row) => row.top_3_rate ?? null, "Share of answers with rank 1 to 3.", "0 to 1"),
    number(
      "visibility_score",
      (row) => row.visibility_score ?? null,
      "100 × mean of 1 / log2(1 + rank), with 0 for answers without the brand.",
      "0 to 100",
    ),
    number("share_of_voice", (row) => row.share_of_voice ?? null, `Share of voice: ${SHARE_OF_VOICE.words}.`, "0 to 1"),
    integer("citations", (row) => row.citations, "Answers that cite a page of the brand.", "answers"),
  ],
  rows: iterateVisibilityRows,
});
