import { readFactRevisions } from "../../../db/catalog/brand-facts.ts";
import {
  computeClaimSums,
  hasStaleClaims,
  listCollectsToCheck,
  type CollectToCheck,
} from "../../../db/metrics/claim-sums.ts";
import { countReadingChanges } from "../../../db/answers/readings.ts";
import { splitChanges, storeSumChanges } from "../../../db/metrics/sum-changes.ts";
import { enqueueBackgroundJob } from "../../../db/jobs/background-jobs.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import { tenantStore, type TenantStore } from "../../../db/engine/tenant-store.ts";
import { Requeue, type BackgroundJob, type BackgroundWork } from "../background/background.ts";

/** After this time, the job yields to others. */
const MAX_RUN_MS = 10_000;

/**
 * Newest collects first. Skips answers already checked against current facts, so it is resumable.
 * Collects in progress are checked on completion.
 */
export async function readClaims(job: BackgroundJob, work: BackgroundWork): Promise<void> {
  const store = tenantStore(work.store, job);
  const until = performance.now() + MAX_RUN_MS;
  const analyses = new Set<string>();
  for (const collect of await store.read(listCollectsToCheck)) {
    const isNewest = !analyses.has(collect.analysisId);
    analyses.add(collect.analysisId);
    while (!(await readCollect({ ...collect, isNewest }, work, store))) work.signal.throwIfAborted();
    if (performance.now() > until) throw new Requeue();
  }
}

/** False if facts or answers changed meanwhile; the caller retries. */
async function readCollect(collect: CollectToCheck & { isNewest: boolean }, work: BackgroundWork, store: TenantStore) {
  const before = await store.read((tenant) => countReadingChanges(tenant, collect.id));
  if (before === undefined || !(await store.read(({ db }) => hasStaleClaims(db, collect)))) return true;
  const facts = await store.read(readFactRevisions);
  const changes = await computeClaimSums(
    async (read) => {
      work.signal.throwIfAborted();
      return work.store.read(read);
    },
    collect,
    { reusesFacts: true },
  );
  const isCurrent = async (tenant: Tenant) =>
    (await countReadingChanges(tenant, collect.id)) === before && (await readFactRevisions(tenant)) === facts;
  const sums = changes.filter(({ table }) => table === "collectClaims");
  const claims = changes.filter(({ table }) => table !== "collectClaims");
  // Metrics are written last and together. Until then, claims of another revision stay hidden.
  for (const part of [...splitChanges(claims), sums]) {
    const storing = async (tenant: Tenant) => {
      if (!(await isCurrent(tenant))) return false;
      await storeSumChanges(tenant.db, collect.id, part);
      // Queues recommendations of the newest collect, which depend on these metrics.
      if (part === sums && collect.isNewest) {
        const follows = { id: work.newId(), kind: "recommend_actions" as const, subjectId: collect.id };
        await enqueueBackgroundJob(tenant, { ...follows, at: work.now() });
      }
      return true;
    };
    if (!(await store.write(storing, { isRepeatable: true }))) return false;
  }
  return true;
}
