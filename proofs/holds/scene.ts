import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { inArray } from "drizzle-orm";
import { pino } from "pino";
import { openStore } from "../../db/engine/sqlite/open-store.ts";
import { openDiskBlobs } from "../../src/assets/disk-blobs.ts";
import { startBackground } from "../../src/jobs/background/background.ts";
import { JOB_KINDS } from "../../src/jobs/background/background-kinds.ts";
import { startWorker } from "../../src/jobs/collect/worker.ts";
import { openSources } from "../../src/outside/sources/open-sources.ts";
import type { BackgroundKind } from "../../core/jobs/background.ts";
import { collectScene } from "../../test/collecting/scene.ts";
import { openCommitted } from "../../test/support/committed.ts";
import { watchHolds, type Hold } from "./watch.ts";

export interface Holds {
  /** Transactions of the background process. */
  background: Hold[];
  /** Transactions of the main process. */
  answering: Hold[];
}

const isBackground = ({ kinds }: Hold) => kinds.some((kind) => kind.startsWith("background: "));

type Scene = Awaited<ReturnType<typeof collectScene>>;

/**
 * Creates, collects, sums and analyses an analysis, finds names and recommendations, then
 * re-extracts it with twice the brands, and finally deletes a brand with stored positions.
 * Background work uses its own store, like a separate process.
 */
export async function measureHolds(of: { questions: number; brands: number }): Promise<Holds> {
  using watch = watchHolds();
  await using s = await collectScene({ env: { SERVE: "core" } });
  const names = (word: string) => Array.from({ length: of.brands }, (_, index) => ({ name: `${word}${index} Works` }));
  await withWriteKind(s, watch, "brands in bulk", () => addBrands(s, names("Maker")));
  const keywords = Array.from({ length: of.questions }, (_, index) => `best maker ${index}`);
  const analysis = await withWriteKind(s, watch, "creation", () => s.create(keywords));
  await using _worker = await backgroundProcess(s, watch);
  while ((await s.owner.get(`${analysis}/collects`)).body.data[0]?.finished_at === null) await sleep(20);
  await waitUntilIdle(s);
  await withWriteKind(s, watch, "brands in bulk", () => addBrands(s, names("Smith")));
  await waitUntilIdle(s);
  const brands = (await s.owner.get(`${s.workspace.path}/brands?limit=100`)).body.data;
  const other = brands.find(({ relationship }: { relationship: string }) => relationship !== "mine");
  await withWriteKind(s, watch, "deletion of a brand", () => s.owner.delete(`${s.workspace.path}/brands/${other.id}`));
  await waitUntilIdle(s);
  return {
    background: watch.holds.filter(isBackground),
    answering: watch.holds.filter((hold) => hold.kinds.length > 0 && !isBackground(hold)),
  };
}

async function addBrands(s: Scene, brands: object[]): Promise<void> {
  for (let first = 0; first < brands.length; first += 1000) {
    const added = await s.owner.post(`${s.workspace.path}/brands/bulk`, { brands: brands.slice(first, first + 1000) });
    if (added.status !== 200) throw new Error(JSON.stringify(added.body));
  }
}

/** Runs requests and labels their writes. */
async function withWriteKind<T>(s: Scene, watch: ReturnType<typeof watchHolds>, kind: string, run: () => Promise<T>) {
  const { store } = s.deps;
  const unnamed = { ...store };
  Object.assign(store, watch.named(unnamed, kind));
  try {
    return await run();
  } finally {
    Object.assign(store, unnamed);
  }
}

async function waitUntilIdle({ store }: Scene): Promise<void> {
  const { q, t } = openCommitted(store);
  while ((await q.$count(t.backgroundJobs, inArray(t.backgroundJobs.status, ["queued", "leased"]))) > 0) {
    await sleep(20);
  }
}

async function backgroundProcess(s: Scene, watch: ReturnType<typeof watchHolds>) {
  const store = await openStore(s.config.DATA_DIR, { leavesPauses: true });
  const log = pino({ level: "silent" });
  const limits = { maxAttempts: 3, backoffBaseMs: 20, leaseMs: 60_000, drainMs: 300 };
  const jobKinds = Object.fromEntries(
    Object.entries(JOB_KINDS).map(([kind, { run, ...how }]) => {
      const own = watch.named(store, `background: ${kind}`);
      return [
        kind,
        { ...how, run: (job, work) => run(job, { ...work, store: own }) } satisfies typeof how & { run: typeof run },
      ];
    }),
  ) as Partial<Record<BackgroundKind, (typeof JOB_KINDS)[BackgroundKind]>>;
  const background = startBackground({
    ...s.deps,
    ...limits,
    log,
    jobKinds,
    store: watch.named(store, "background: claims and ends"),
    blobs: openDiskBlobs(join(s.config.DATA_DIR, "assets")),
    syncMs: 1000,
    finishOutboxEntry: () => Promise.resolve(),
  });
  const sources = openSources(s.config.providers, s.config.chosenProviders);
  const collects = watch.named(store, "background: asking");
  const worker = startWorker({
    ...s.deps,
    ...limits,
    log,
    sources,
    organizationCapUsd: null,
    store: collects,
    onStored: () => background.wake(),
  });
  s.deps.wakeWorker = () => {
    worker.wake();
    background.wake();
  };
  s.deps.wakeWorker();
  return {
    async [Symbol.asyncDispose]() {
      await worker.close();
      await background.close();
      await store.close();
    },
  };
}
