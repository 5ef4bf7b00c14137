import { and, eq, inArray, sql } from "drizzle-orm";
import { MEASURED_STATUSES } from "../../core/analysis.ts";
import type { Instant } from "../../core/time.ts";
import type { AnalysisRow, CollectRow } from "./analyses.ts";
import type { Db } from "../engine/store.ts";

// How far collects are, as workers see them: workers serve every organization, so the functions here take no tenant.

/** Marks collects whose first jobs were claimed as running, and their analyses as collecting. Of any organization. */
export async function startCollects({ q, t }: Db, collectIds: readonly string[], now: Instant): Promise<void> {
  if (collectIds.length === 0) return;
  const started = await q
    .update(t.collects)
    .set({ status: "running", startedAt: now })
    .where(and(inArray(t.collects.id, [...collectIds]), eq(t.collects.status, "queued")))
    .returning({ analysisId: t.collects.analysisId });
  if (started.length === 0) return;
  const analysisIds = started.map((row) => row.analysisId);
  await q
    .update(t.analyses)
    .set({ status: "collecting", updatedAt: now })
    .where(and(inArray(t.analyses.id, analysisIds), eq(t.analyses.status, "launching")));
}

/** Counts the ended jobs of running collects. Gives the collects as they are now. Of any organization. */
export async function countEndedJobs({ q, t }: Db, collectIds: readonly string[]): Promise<CollectRow[]> {
  if (collectIds.length === 0) return [];
  const ended = (status: "succeeded" | "failed") =>
    sql`(select count(*) from ${t.jobs} where ${t.jobs.collectId} = ${t.collects.id} and ${t.jobs.status} = ${status})`;
  return q
    .update(t.collects)
    .set({ succeeded: ended("succeeded"), failed: ended("failed") })
    .where(and(inArray(t.collects.id, [...collectIds]), eq(t.collects.status, "running")))
    .returning();
}

/** Ends a collect; what of its reserved credits was not spent is no longer held for it. Of any organization. */
export async function endCollect(
  { q, t }: Db,
  id: string,
  end: Pick<CollectRow, "status" | "costCredits" | "finishedAt">,
): Promise<void> {
  await q
    .update(t.collects)
    .set({ ...end, reservedCredits: 0 })
    .where(eq(t.collects.id, id));
}

/** True if some collect of the analysis has figures. */
export async function hasMeasuredCollect({ q, t }: Db, analysisId: string): Promise<boolean> {
  const measured = inArray(t.collects.status, [...MEASURED_STATUSES]);
  return (await q.$count(t.collects, and(eq(t.collects.analysisId, analysisId), measured))) > 0;
}

/** Notes what the end of a collect makes of its analysis. Nothing if the analysis is paused or archived. */
export async function endAnalysisCollect(
  { q, t }: Db,
  analysisId: string,
  state: Pick<AnalysisRow, "status" | "statusReason" | "updatedAt">,
): Promise<void> {
  await q
    .update(t.analyses)
    .set(state)
    .where(
      and(eq(t.analyses.id, analysisId), inArray(t.analyses.status, ["launching", "collecting", "live", "failed"])),
    );
}
