import { claimBackgroundJob, finishBackgroundJob } from "../../db/jobs/background-jobs.ts";
import type { Store } from "../../db/engine/store.ts";
import { addMs as msAfter } from "../../core/shared/time.ts";
import { Requeue, type BackgroundJob, type BackgroundWork } from "../../src/jobs/background/background.ts";
import { rereadAnswers } from "../../src/jobs/rereading/reread-answers.ts";
import { type CatalogScene } from "./scene.ts";

/** Runs pending re-extraction, calling `before` before each transaction. */
export async function rereadAll(s: CatalogScene, before: () => Promise<void>): Promise<void> {
  const kinds = ["reread_answers"] as const;
  const at = s.deps.now();
  const claim = { owner: "we", kinds, laneKinds: kinds, after: "", leaseEnd: msAfter(at, 60_000) };
  const write: Store["write"] = async (change) => {
    await before();
    return s.store.write(change);
  };
  const { outside, catalogs, newId, now } = s.deps;
  const signal = new AbortController().signal;
  // Safe: a re-parse uses these members only.
  const work = { store: { ...s.store, write }, now, newId, outside, catalogs, signal } as unknown as BackgroundWork;
  for (;;) {
    const job: BackgroundJob | undefined = await s.store.write((db) =>
      claimBackgroundJob(db, { ...claim, now: now(), canTakeSuspects: true }),
    );
    if (!job) return;
    const isGivenBack = await rereadAnswers(job, work).then(
      () => false,
      (error: unknown) => error instanceof Requeue,
    );
    const status = isGivenBack ? "queued" : "succeeded";
    const end = {
      status,
      notBefore: now(),
      reason: null,
      countsAsAttempt: !isGivenBack,
      clearsFailures: true,
    } as const;
    await s.store.write((db) => finishBackgroundJob(db, { ...job, owner: "we" }, end, now()));
  }
}
