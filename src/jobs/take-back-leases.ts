import { loseBackgroundLeases } from "../../db/jobs/background-jobs.ts";
import type { Store } from "../../db/engine/store.ts";
import { loseLeases } from "../../db/jobs/collect-jobs.ts";
import type { Instant } from "../../core/shared/time.ts";

/** Ends the leases of a crashed or hanging worker at once, and records a failure for each job. */
export async function takeBackLeases(store: Store, failedWorker: string, now: Instant): Promise<void> {
  await store.write(async (db) => {
    await loseLeases(db, failedWorker, now);
    await loseBackgroundLeases(db, failedWorker, now);
  });
}
