import { setTimeout as sleep } from "node:timers/promises";
import type { Store } from "../../db/engine/store.ts";
import { openCommitted } from "../support/committed.ts";

/** Waits for all background jobs except polling the partner's briefs, which never ends. */
export async function waitForBackgroundWork(store: Store): Promise<void> {
  const { q, t } = openCommitted(store);
  for (let waited = 0; waited < 10_000; waited += 20) {
    const jobs = await q.select().from(t.backgroundJobs);
    const failed = jobs.find(({ status, failureReason }) => status === "failed" || failureReason !== null);
    if (failed) throw new Error(`${failed.kind} failed: ${failed.failureReason}`);
    if (jobs.every(({ kind, status }) => status === "succeeded" || kind === "sync_brief")) return;
    await sleep(20);
  }
  throw new Error("the background work did not end in 10 s");
}
