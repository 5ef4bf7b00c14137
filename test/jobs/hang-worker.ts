import { inArray } from "drizzle-orm";
import { BACKGROUND_KINDS } from "../../core/jobs/background.ts";
import { addMs, type Instant } from "../../core/shared/time.ts";
import { requeueLostBackgroundJobs } from "../../db/jobs/background-jobs.ts";
import type { Store } from "../../db/engine/store.ts";
import { requeueLostJobs } from "../../db/jobs/collect-jobs.ts";
import { releaseLeases } from "../../src/jobs/lease-runner.ts";

/** A worker hangs while these jobs are in progress, is ended, and its successor takes them back. */
export async function hangWorker(store: Store, ids: readonly string[], at: Instant): Promise<void> {
  const owner = "a worker that hung";
  const leased = { status: "leased", leaseOwner: owner, notBefore: addMs(at, 60_000) } as const;
  await store.write(async ({ q, t }) => {
    await q
      .update(t.jobs)
      .set(leased)
      .where(inArray(t.jobs.id, [...ids]));
    await q
      .update(t.backgroundJobs)
      .set(leased)
      .where(inArray(t.backgroundJobs.id, [...ids]));
  });
  await releaseLeases(store, owner, at);
  await requeueLost(store, at);
}

/** The leases of these jobs end, and nobody knows what became of their worker. */
export async function expireLeases(store: Store, ids: readonly string[], at: Instant): Promise<void> {
  const ended = { status: "leased", leaseOwner: "a worker that is gone", notBefore: at } as const;
  await store.write(async ({ q, t }) => {
    await q
      .update(t.jobs)
      .set(ended)
      .where(inArray(t.jobs.id, [...ids]));
    await q
      .update(t.backgroundJobs)
      .set(ended)
      .where(inArray(t.backgroundJobs.id, [...ids]));
  });
  await requeueLost(store, at);
}

async function requeueLost(store: Store, now: Instant): Promise<void> {
  const maxWaits = Object.fromEntries(BACKGROUND_KINDS.map((kind) => [kind, 60_000]));
  await store.write(async (db) => {
    await requeueLostJobs(db, "the successor", now);
    await requeueLostBackgroundJobs(db, { now, owner: "the successor", maxWaits });
  });
}
