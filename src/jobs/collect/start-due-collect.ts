import { insertNextCollect } from "../../../db/analyses/collects.ts";
import { findDueAnalysis } from "../../../db/analyses/due-collects.ts";
import { findSetup } from "../../../db/analyses/setups.ts";
import type { Db } from "../../../db/engine/store.ts";
import type { Instant } from "../../../core/shared/time.ts";
import { kindOf } from "../../../tools/analyses/kinds/kinds.ts";
import { passRounds } from "../../../tools/collects/rounds.ts";

/**
 * Starts the most overdue collect of any organization with its reserved credits. Makes up for one
 * missed collect only, because several would measure the same day. Paused analyses skip missed
 * collects.
 */
export async function startDueCollect(db: Db, { now, newId }: { now: Instant; newId: () => string }): Promise<void> {
  const analysis = await findDueAnalysis(db, now);
  if (!analysis) return;
  const { id: analysisId, organizationId, workspaceId, type, status, roundCredits: credits } = analysis;
  const tenant = { db, organizationId, workspaceId };
  const starts = status === "paused" ? 0 : 1;
  await passRounds(tenant, analysis, { starts, now, newId });
  if (starts === 0) return;
  const setup = await findSetup(tenant, analysis);
  const asking = kindOf(type).asking(setup.setup);
  const plan = { id: newId(), analysisId, setup, asking, credits, isScheduled: true, at: now, newId };
  await insertNextCollect(tenant, plan);
}
