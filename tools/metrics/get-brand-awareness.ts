import { z } from "zod";
import { analysisPath, Id, listOf, listQuery } from "../../core/fields.ts";
import { endpoint } from "../endpoint.ts";
import { nameOr } from "../name-or.ts";
import { Basis } from "../search-metrics/basis.ts";
import { countriesField, kindQuery, sourcesField, statisticsField } from "../search-metrics/selection.ts";
import { askingProject } from "./asking-project.ts";
import { AwarenessRow } from "./awareness-row.ts";
import { pageOfRows } from "./page-of-rows.ts";
import { PROMPT_DIMENSIONS } from "./prompt-groups.ts";
import { readQuotations } from "./awareness-quotations.ts";
import { readAwarenessRows } from "./read-brand-awareness.ts";

/** What metrics of brand analyses take. */
export const brandMetricsQuery = {
  ...analysisPath,
  analysis_id: Id.describe("A brand_analysis, from list_analyses."),
  group_by: z
    .array(z.enum(["brand", ...PROMPT_DIMENSIONS]))
    .min(1)
    .max(2)
    .default(["brand"])
    .describe("One or two. Without brand: your own, or brands."),
  brands: z.array(nameOr("brand")).max(1000).optional().describe("Names or ids."),
  statistics: statisticsField,
  sources: sourcesField,
  personas: z.array(nameOr("persona")).max(100).optional().describe("Names or ids."),
  countries: countriesField,
  collect_ids: z.array(Id).max(100).optional().describe("Latest by default."),
  prev_collect_ids: z.array(Id).max(4).optional().describe("To compare with, up to 4."),
  ...kindQuery,
  ...listQuery,
};

export const AwarenessInput = z.strictObject(brandMetricsQuery);
export type AwarenessInput = z.output<typeof AwarenessInput>;

export const getBrandAwareness = endpoint({
  name: "getBrandAwareness",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/analyses/:analysis_id/metrics/brand-awareness",
  group: "Metrics",
  summary: "Brand awareness",
  description:
    "Brand analyses: how often a brand comes to mind (unaided) and is known by name (aided), beside invented look-alikes.",
  access: { workspace: "viewer" },
  input: AwarenessInput,
  toolDefaults: { statistics: true },
  output: listOf(AwarenessRow).extend({ total_count: z.int(), basis: Basis }),
  isHeavy: () => true,
  errors: ["VALIDATION_FAILED", "UNPROCESSABLE"],
  async handle(input, { tenant }) {
    const project = await askingProject(tenant, input.analysis_id);
    const { rows, basis } = await readAwarenessRows(tenant, project, input);
    const { data, ...rest } = pageOfRows("brand-awareness", input, rows);
    const quotations = await readQuotations(
      tenant,
      data.map(({ quotes }) => quotes),
    );
    const quoted = data.map(({ row }, at) => ({ ...row, quotations: quotations[at] ?? [] }));
    return { data: quoted, ...rest, basis };
  },
});
