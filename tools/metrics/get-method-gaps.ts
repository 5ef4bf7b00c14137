import { z } from "zod";
import { analysisPath, Id, listOf, listQuery, SourceField } from "../../core/fields.ts";
import { SOURCES } from "../../core/sources.ts";
import { endpoint } from "../endpoint.ts";
import { nameOr } from "../name-or.ts";
import { Basis } from "../search-metrics/basis.ts";
import { askingProject } from "./asking-project.ts";
import { MethodGapRow } from "./method-gap-row.ts";
import { pageOfRows } from "./page-of-rows.ts";
import { readMethodGaps } from "./read-method-gaps.ts";

export const MethodGapsInput = z.strictObject({
  ...analysisPath,
  collect_id: Id.optional().describe("From list_collects; the latest by default."),
  sources: z.array(SourceField).max(SOURCES.length).optional().describe("As get_project_filters names them."),
  brands: z.array(nameOr("brand")).max(1000).optional().describe("Names or ids."),
  ...listQuery,
});
export type MethodGapsInput = z.output<typeof MethodGapsInput>;

export const getMethodGaps = endpoint({
  name: "getMethodGaps",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/analyses/:analysis_id/metrics/methods",
  group: "Metrics",
  summary: "Gap between two methods",
  description: "Presence by api less by capture, per assistant and brand, with interval.",
  access: { workspace: "viewer" },
  input: MethodGapsInput,
  output: listOf(MethodGapRow).extend({
    total_count: z.int(),
    note: z.string().nullable().describe("Why there is no row, where there is none."),
    basis: Basis,
  }),
  isHeavy: () => true,
  errors: ["VALIDATION_FAILED", "UNPROCESSABLE"],
  async handle(input, { tenant }) {
    const project = await askingProject(tenant, input.analysis_id);
    const { rows, note, basis } = await readMethodGaps(tenant, project, input);
    return { ...pageOfRows("methods", input, rows), note, basis };
  },
});
