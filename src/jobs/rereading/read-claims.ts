import { listRevisions } from "../../../db/catalog/brand-facts.ts";
import {
  gatherClaimSums,
  isHeldOtherwise,
  listClaimedCollects,
  type ClaimedCollect,
} from "../../../db/metrics/claim-sums.ts";
import { countReadingChanges } from "../../../db/answers/readings.ts";
import { partsOf, storeSumChanges } from "../../../db/metrics/sum-changes.ts";
import { enqueueBackgroundJob } from "../../../db/jobs/background-jobs.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import { tenantStore, type TenantStore } from "../../../db/engine/tenant-store.ts";
import { GiveBack, type BackgroundJob, type BackgroundWork } from "../background/background.ts";

/** After so long others have their turn. */
const TURN_MS = 10_000;

/**
 * Holds the stored answers of brand analyses against the facts that brands declare, the newest collects first. Those that were
 * held against the same facts are left alone, so it goes on where it was, and there is nothing to do for who comes second. A collect that has not
 * ended is held against them at its end.
 */
export async function readClaims(job: BackgroundJob, work: BackgroundWork): Promise<void> {
  const store = tenantStore(work.store, job);
  const until = performance.now() + TURN_MS;
  const analyses = new Set<string>();
  for (const collect of await store.read(listClaimedCollects)) {
    const isNewest = !analyses.has(collect.analysisId);
    analyses.add(collect.analysisId);
    while (!(await readCollect({ ...collect, isNewest }, work, store))) work.signal.throwIfAborted();
    if (performance.now() > until) throw new GiveBack();
  }
}

/** False where facts changed, or answers were read again, before all was stored: it is to be done again. */
async function readCollect(
  collect: ClaimedCollect & { isNewest: boolean },
  work: BackgroundWork,
  store: TenantStore,
): Promise<boolean> {
  const before = await store.read((tenant) => countReadingChanges(tenant, collect.id));
  if (before === undefined || !(await store.read(({ db }) => isHeldOtherwise(db, collect)))) return true;
  const facts = await store.read(listRevisions);
  const changes = await gatherClaimSums(
    async (read) => {
      work.signal.throwIfAborted();
      return work.store.read(read);
    },
    collect,
    { keeps: true },
  );
  const isCurrent = async (tenant: Tenant) =>
    (await countReadingChanges(tenant, collect.id)) === before && (await listRevisions(tenant)) === facts;
  const sums = changes.filter(({ table }) => table === "collectClaims");
  const claims = changes.filter(({ table }) => table !== "collectClaims");
  // Sums come together and last: until then claims of another revision than theirs are not shown.
  for (const part of [...partsOf(claims), sums]) {
    const storing = async (tenant: Tenant) => {
      if (!(await isCurrent(tenant))) return false;
      await storeSumChanges(tenant.db, collect.id, part);
      // What is recommended rests on them.
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
