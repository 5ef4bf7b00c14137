import { and, eq, sql } from "drizzle-orm";
import { pino } from "pino";
import type { Db, Store } from "../../db/engine/store.ts";
import type { BackgroundJob, BackgroundWork } from "../../src/jobs/background/background.ts";
import { JOB_KINDS } from "../../src/jobs/background/background-kinds.ts";
import { openCommitted } from "../support/committed.ts";
import type { collectScene } from "./scene.ts";

type Scene = Awaited<ReturnType<typeof collectScene>>;

export const keywords = (count: number) => Array.from({ length: count }, (_, index) => `phone ${index}`);

/** Rows that the connection of `db` has changed so far. */
async function changedRows({ q, t }: Db): Promise<number> {
  const [row] = await q
    .select({ rows: sql<number>`total_changes()` })
    .from(t.users)
    .limit(1);
  return row?.rows ?? 0;
}

/** How many rows each write of the scene changes from now on. */
export function countChangedRows(s: Scene): number[] {
  const rows: number[] = [];
  const store = { ...s.store };
  s.store.write = (work, ...how) =>
    store.write(
      async (db) => {
        const before = await changedRows(db);
        const result = await work(db);
        rows.push((await changedRows(db)) - before);
        return result;
      },
      ...how,
    );
  return rows;
}

/** Does the newest job of this kind, on this view of the store. */
export async function runLaunchJob(s: Scene, kind: "launch_analysis" | "launch_collect", over: Partial<Store> = {}) {
  const { q, t } = openCommitted(s.store);
  const [row] = await q
    .select()
    .from(t.backgroundJobs)
    .where(and(eq(t.backgroundJobs.kind, kind), eq(t.backgroundJobs.status, "queued")))
    .orderBy(sql`id desc`);
  if (!row) throw new Error("no job of this kind waits");
  const work = { ...s.deps, log: pino({ level: "silent" }), signal: new AbortController().signal };
  const store = { ...s.store, ...over };
  await JOB_KINDS[kind].run(row as BackgroundJob, { ...work, store } as unknown as BackgroundWork);
  // Completed like by the runner; nothing waits for it anymore.
  const ended = { status: "succeeded" as const };
  await s.store.write(async (db) => {
    await db.q.update(db.t.backgroundJobs).set(ended).where(eq(db.t.backgroundJobs.id, row.id));
  });
}

/** A store whose writes end in a crash: before the commit, or after it. */
export function createCrashingStore(store: Store, isBefore: boolean): Pick<Store, "write"> {
  return {
    async write(work, ...how) {
      if (isBefore) throw new Error("died before the commit");
      await store.write(work, ...how);
      throw new Error("died after the commit");
    },
  };
}
