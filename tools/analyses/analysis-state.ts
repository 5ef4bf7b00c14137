import type { AnalysisRow, CollectRow } from "../../db/analyses/analyses.ts";
import { findLastCollect, hasMeasuredCollect } from "../../db/analyses/collect-progress.ts";
import { findFailureReason } from "../../db/jobs/collect-jobs.ts";
import { isStillLaunching } from "../../db/analyses/launches.ts";
import { listOpenCollects } from "../../db/analyses/run-control.ts";
import type { Db, Tenant } from "../../db/engine/store.ts";

type State = Pick<AnalysisRow, "status" | "statusReason">;

/** An analysis with anything to show is live; one whose only collects failed is failed, and says so. */
export async function stateAfter(
  db: Db,
  collect: Pick<CollectRow, "id" | "analysisId" | "number">,
  failure?: string,
): Promise<State> {
  if (await hasMeasuredCollect(db, collect.analysisId)) return { status: "live", statusReason: null };
  if (failure !== undefined) return { status: "failed", statusReason: failure };
  const reason = await findFailureReason(db, collect.id);
  const statusReason = `No question of collect ${collect.number} was answered. ${reason ?? ""}`.trim();
  return { status: "failed", statusReason };
}

/** The state that an analysis goes on in after a pause. */
export async function activeState(tenant: Tenant, analysisId: string): Promise<State> {
  if (await isStillLaunching(tenant, analysisId)) return { status: "launching", statusReason: null };
  const last = await findLastCollect(tenant, analysisId);
  if (!last || (await hasMeasuredCollect(tenant.db, analysisId))) return { status: "live", statusReason: null };
  const [open] = await listOpenCollects(tenant, analysisId);
  if (!open) return stateAfter(tenant.db, last);
  return { status: open.status === "queued" ? "launching" : "collecting", statusReason: null };
}
