import { findFinishingCollect, isStillFinishing } from "../../../db/analyses/collect-progress.ts";
import { splitChanges, storeSumChanges } from "../../../db/metrics/sum-changes.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import { tenantStore, type TenantStore } from "../../../db/engine/tenant-store.ts";
import { completeCollect } from "../../../tools/collects/complete-collect.ts";
import { getAnalysisKind } from "../../../tools/analyses/kinds/kinds.ts";
import { toCompletedCollect } from "./store-results.ts";
import type { BackgroundJob, BackgroundWork } from "../background/background.ts";

/**
 * Writes metrics in parts; the last transaction publishes them and settles credits.
 * After a concurrent re-extraction it recomputes and writes only differences.
 */
export async function completeCollectJob(job: BackgroundJob, work: BackgroundWork): Promise<void> {
  const store = tenantStore(work.store, job);
  while (!(await tryComplete(job.subjectId, work, store))) work.signal.throwIfAborted();
}

/** False if the metrics became outdated before the final transaction. */
async function tryComplete(collectId: string, work: BackgroundWork, store: TenantStore): Promise<boolean> {
  const { now, newId, signal } = work;
  const ending = await store.read((tenant) => findFinishingCollect(tenant, collectId));
  if (!ending) return true;
  const { collect } = ending;
  const kind = getAnalysisKind(ending.type);
  const { changes, ...how } = await kind.computeTotals(async (read) => {
    signal.throwIfAborted();
    return work.store.read(read);
  }, collect);
  // All jobs are complete, so the amount no longer changes.
  const spent = await kind.countSpentCredits(async (read) => work.store.read(read), collect);
  const parts = splitChanges(changes);
  const last = parts.pop() ?? [];
  for (const part of parts) {
    signal.throwIfAborted();
    const storing = async (tenant: Tenant) => {
      if (!(await isStillFinishing(tenant, ending))) return false;
      await storeSumChanges(tenant.db, collectId, part);
      return true;
    };
    if (!(await store.write(storing, { isRepeatable: true }))) return false;
  }
  const isEnded = await store.write(async (tenant) => {
    if (!(await isStillFinishing(tenant, ending))) return false;
    const end = { collect, kind, sums: { changes: last, ...how }, spent };
    const by = { now: now(), newId, hasKeywordProvider: work.keywords !== undefined };
    await completeCollect(tenant.db, end, by);
    return true;
  });
  if (isEnded) work.log.info(toCompletedCollect(collect), "run finished");
  return isEnded;
}
