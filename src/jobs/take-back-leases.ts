import { loseBackgroundLeases } from "../../db/engine/background-jobs.ts";
import type { Store } from "../../db/engine/store.ts";
import { loseLeases } from "../../db/measuring/jobs.ts";
import type { Instant } from "../../core/time.ts";

/** Ends the leases of workers that hung or crashed, so that their jobs do not wait for the end of these, and notes the failure. */
export async function takeBackLeases(store: Store, failedWorkers: readonly string[], now: Instant): Promise<void> {
  if (failedWorkers.length === 0) return;
  await store.write(async (db) => {
    await loseLeases(db, failedWorkers, now);
    await loseBackgroundLeases(db, failedWorkers, now);
  });
}
