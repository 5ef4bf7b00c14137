import { AppError, notFound } from "../../../core/shared/errors.ts";
import { hasAnalysis } from "../../../db/analyses/analyses.ts";
import { findProject } from "../../../db/analyses/projects.ts";
import type { Tenant } from "../../../db/engine/store.ts";

export const ASKS_NO_SOURCE =
  "A GEO audit asks no sources, so it has no such figures. Read what it found with get_audit.";

/** Returns an analysis that asks sources, and its brand. NOT_FOUND; UNPROCESSABLE for a GEO audit. */
export async function requireAskingProject(
  tenant: Tenant,
  analysisId: string,
): Promise<{ id: string; brandId: string }> {
  const analysis = await findProject(tenant, analysisId);
  if (analysis) return analysis;
  if (!(await hasAnalysis(tenant, analysisId))) throw notFound("analysis");
  throw new AppError("UNPROCESSABLE", ASKS_NO_SOURCE);
}
