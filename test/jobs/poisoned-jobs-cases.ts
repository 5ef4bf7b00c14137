import { eq } from "drizzle-orm";
import { expect } from "vitest";
import { type BackgroundKind } from "../../core/jobs/background.ts";
import { JOB_KINDS } from "../../src/jobs/background/background-kinds.ts";
import { backgroundRunner } from "./background-runner.ts";
import { openCommitted } from "../support/committed.ts";
import { hangWorker } from "./hang-worker.ts";
import { world } from "../support/world.ts";

// Attack in all cases: a page, answer or file that stops the worker each time, and everyone's jobs
// with it.

type World = Awaited<ReturnType<typeof world>>;

/** A worker for background jobs only. */
export function backgroundWorker(w: Pick<World, "deps" | "config">) {
  return backgroundRunner(w, { jobKinds: JOB_KINDS, leaseMs: 5000 });
}

/** The waiting background jobs of this kind. */
export async function listWaitingJobs({ store }: Pick<World, "store">, kind: BackgroundKind): Promise<string[]> {
  const { q, t } = openCommitted(store);
  const rows = await q
    .select({ id: t.backgroundJobs.id })
    .from(t.backgroundJobs)
    .where(eq(t.backgroundJobs.kind, kind));
  return rows.map(({ id }) => id);
}

export async function hangTwice({ store, deps }: Pick<World, "store" | "deps">, ids: readonly string[]): Promise<void> {
  expect(ids.length).toBeGreaterThan(0);
  for (let nth = 0; nth < 2; nth++) await hangWorker(store, ids, deps.now());
}
