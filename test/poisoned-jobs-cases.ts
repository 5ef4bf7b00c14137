import { join } from "node:path";
import { eq } from "drizzle-orm";
import { pino } from "pino";
import { expect } from "vitest";
import { type BackgroundKind } from "../core/background.ts";
import { openDiskBlobs } from "../src/assets/disk-blobs.ts";
import { startBackground } from "../src/jobs/background/background.ts";
import { JOB_KINDS } from "../src/jobs/background/background-kinds.ts";
import { committed } from "./committed.ts";
import { hangWorker } from "./hang-worker.ts";
import { world } from "./world.ts";

// Attack of all of these: a page, an answer or a file that stops the worker each time it is read, and with it the jobs of everyone.

type World = Awaited<ReturnType<typeof world>>;

/** A worker that does background jobs alone. */
export function backgroundWorker({ deps, config }: Pick<World, "deps" | "config">) {
  return startBackground({
    ...deps,
    kinds: JOB_KINDS,
    log: pino({ level: "silent" }),
    blobs: openDiskBlobs(join(config.DATA_DIR, "assets")),
    leaseMs: 5000,
    drainMs: 50,
    backoffBaseMs: 5,
    syncMs: 1000,
    finishOutboxEntry: () => Promise.resolve(),
  });
}

/** The waiting background jobs of this kind. */
export async function waitingOf({ store }: Pick<World, "store">, kind: BackgroundKind): Promise<string[]> {
  const { q, t } = committed(store);
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
