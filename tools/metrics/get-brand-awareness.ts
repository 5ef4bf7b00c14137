import { z } from "zod";
import { listOf } from "../../core/shared/fields.ts";
import { endpoint } from "../endpoint.ts";
import { Basis } from "../search-metrics/basis.ts";
import { askingProject } from "./asking-project.ts";
import { AwarenessRow } from "./awareness-row.ts";
import { pageOfRows, withQuotations } from "./page-of-rows.ts";
import { brandMetricsQuery } from "./prompt-selection.ts";
import { readQuotations } from "./awareness-quotations.ts";
import { readAwarenessRows } from "./read-brand-awareness.ts";

export const getBrandAwareness = endpoint({
  name: "getBrandAwareness",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/analyses/:analysis_id/metrics/brand-awareness",
  group: "Metrics",
  summary: "Brand awareness",
  description:
    "Brand analyses: how often a brand comes to mind (unaided) and is known by name (aided), beside invented look-alikes.",
  access: { workspace: "viewer" },
  input: z.strictObject(brandMetricsQuery),
  toolDefaults: { statistics: true },
  output: listOf(AwarenessRow).extend({ total_count: z.int(), basis: Basis }),
  isHeavy: () => true,
  errors: ["VALIDATION_FAILED", "UNPROCESSABLE"],
  async handle(input, { tenant }) {
    const project = await askingProject(tenant, input.analysis_id);
    const { rows, basis } = await readAwarenessRows(tenant, project, input);
    const page = pageOfRows("brand-awareness", input, rows);
    return { ...(await withQuotations(page, (quotes) => readQuotations(tenant, quotes))), basis };
  },
});
