import { z } from "zod";
import { findCollectInProgress } from "../../db/audits/audits.ts";
import { endpoint } from "../endpoint.ts";
import { outcomesField, TOOL_OUTCOMES } from "./audit-check.ts";
import { auditPath, explainUnreadPages, readRun, shapeRun } from "./audit-run.ts";
import { AuditSchema, shapeAudit } from "./shape-audit.ts";

export const getAudit = endpoint({
  name: "getAudit",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/analyses/:analysis_id/audit",
  group: "GEO Audits",
  summary: "Read an audit",
  description:
    "Read how ready a website is for AI answers: scores, failing checks, weakest parts, changes since the last run. list_audit_pages has the pages.",
  access: { workspace: "viewer" },
  whenEmpty: explainUnreadPages,
  analysisTypes: ["geo_audit"],
  input: z.strictObject({
    ...auditPath,
    outcomes: outcomesField.describe("Only checks with these outcomes. Default in tools: fail and warn."),
  }),
  toolDefaults: TOOL_OUTCOMES,
  output: AuditSchema,
  async handle(input, { tenant }) {
    const { analysis, run } = await readRun(tenant, input);
    const openRun = await findCollectInProgress(tenant, analysis.id);
    return {
      run: run ? shapeRun(run) : null,
      under_way: openRun ? { ...openRun, collect_id: openRun.collectId } : null,
      ...(await shapeAudit(tenant, { analysis, run, isInProgress: openRun !== undefined, outcomes: input.outcomes })),
    };
  },
});
