import { z } from "zod";
import { findCollect } from "../../db/analyses/analyses.ts";
import { findImport, listRejections } from "../../db/answers/imports.ts";
import { listImportParts } from "../../db/answers/import-parts.ts";
import { COLLECT_STATUSES } from "../../core/analyses/analysis.ts";
import { requireFound } from "../../core/shared/errors.ts";
import { analysisPath, Id } from "../../core/shared/fields.ts";
import { endpoint } from "../endpoint.ts";
import { RejectedLinesField } from "./import-report.ts";

export const getImportReport = endpoint({
  name: "getImportReport",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/analyses/:analysis_id/collects/:collect_id/import-report",
  group: "Analyses",
  summary: "Read the report of an import",
  description:
    "Read how many lines of an imported file of answers were accepted, and why others were rejected. Only imported runs (`collect`) have lines.",
  access: { workspace: "viewer" },
  input: z.strictObject({ ...analysisPath, collect_id: Id.describe("Run id, from list_collects.") }),
  output: z.object({
    status: z.enum(COLLECT_STATUSES),
    accepted: z.int().describe("Lines that became answers so far."),
    months: z
      .array(z.object({ collect_id: Id, number: z.int(), accepted: z.int() }))
      .describe("Runs of the import, one per month, if its answers span more than 31 days; otherwise empty."),
    rejected_count: z.int(),
    rejected: RejectedLinesField,
  }),
  async handle({ analysis_id: analysisId, collect_id: collectId }, { tenant }) {
    const collect = requireFound(await findCollect(tenant, { analysisId, collectId }), "collect");
    const imported = await findImport(tenant, collectId);
    const parts = await listImportParts(tenant, collectId);
    const each = parts.length === 0 ? [] : [collect, ...parts];
    return {
      status: collect.status,
      accepted: imported ? [collect, ...parts].reduce((sum, { succeeded }) => sum + succeeded, 0) : 0,
      months: each.map(({ id, number, succeeded }) => ({ collect_id: id, number, accepted: succeeded })),
      rejected_count: imported?.body.rejectedCount ?? 0,
      rejected: await listRejections(tenant, collectId),
    };
  },
});
