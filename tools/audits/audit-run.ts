import { z } from "zod";
import { toSnakeCase } from "../../core/shared/snake-case.ts";
import { COLLECT_STATUSES } from "../../core/analyses/analysis.ts";
import { requireFound, notFound } from "../../core/shared/errors.ts";
import { analysisPath, Id, InstantField } from "../../core/shared/fields.ts";
import { findAnalysis, type AnalysisRow } from "../../db/analyses/analyses.ts";
import { findAudit, type AuditRow } from "../../db/audits/audits.ts";
import type { Tenant } from "../../db/engine/store.ts";

export const auditPath = {
  ...analysisPath,
  collect_id: Id.optional().describe("Earlier run, from list_collects."),
};

export const AuditRun = z
  .object({
    collect_id: Id,
    number: z.int(),
    status: z.enum(COLLECT_STATUSES).describe("partial: some pages could not be fetched."),
    started_at: InstantField,
    finished_at: InstantField.nullable(),
    checks_version: z.int().describe("Version of the checks."),
    is_simulated: z.boolean().describe("true: the audited site is an invented demo site. Say so with every value."),
  })
  .meta({ id: "AuditRun" });

export function shapeRun(run: AuditRow): z.input<typeof AuditRun> {
  return toSnakeCase(run);
}

/** `run` is undefined before the first completed run. NOT_FOUND for runs of other analyses. */
export async function readRun(
  tenant: Tenant,
  { analysis_id: analysisId, collect_id: collectId }: { analysis_id: string; collect_id?: string | undefined },
): Promise<{ analysis: AnalysisRow; run: AuditRow | undefined }> {
  const analysis = requireFound(await findAnalysis(tenant, analysisId), "analysis");
  const run = await findAudit(tenant, { analysisId, collectId });
  if (!run && collectId !== undefined) throw notFound("collect");
  return { analysis, run };
}

/** Reason why a run has no audited page. */
export async function explainUnreadPages(
  input: Parameters<typeof readRun>[1],
  { tenant }: { tenant: Tenant },
): Promise<string | undefined> {
  const { audited, skipped } = (await readRun(tenant, input)).run?.summary?.pages ?? { audited: 1, skipped: 0 };
  if (audited > 0) return undefined;
  if (skipped === 0) return "The audit found no page that it may read. remarks of get_audit have the reason.";
  return `The audit could read none of its pages (${skipped}). list_audit_pages without filters has the reason of each.`;
}
