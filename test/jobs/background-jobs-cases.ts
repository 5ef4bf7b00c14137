import { EventEmitter, once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { enqueueBackgroundJob, findBackgroundJob } from "../../db/jobs/background-jobs.ts";
import { openStore } from "../../db/engine/sqlite/open-store.ts";
import { openDiskBlobs } from "../../src/assets/disk-blobs.ts";
import type { BackgroundKind } from "../../core/jobs/background.ts";
import { startBackground, type BackgroundHandler } from "../../src/jobs/background/background.ts";
import { world } from "../support/world.ts";
import { openCommitted } from "../support/committed.ts";

interface Asked {
  subjectId: string;
  kind?: BackgroundKind;
  organizationId?: string;
  workspaceId?: string;
}

type Kinds = Parameters<typeof startBackground>[0]["jobKinds"];

/** A world whose background jobs run `run`. */
export const withHandler = (run: BackgroundHandler) =>
  jobScene({ write_brief: { run, lane: "short", maxWaitMs: 60_000 } });

/** A world with background jobs of these kinds. */
export async function jobScene(jobKinds: Kinds) {
  const w = await world();
  const { organization, workspace } = await w.acme();
  const { now, newId, secrets } = w.deps;
  const options = {
    store: w.store,
    log: pino({ level: "silent" }),
    now,
    newId,
    secrets,
    outside: w.deps.outside,
    catalogs: w.deps.catalogs,
    blobs: openDiskBlobs(join(w.config.DATA_DIR, "assets")),
    syncMs: 1000,
    finishOutboxEntry: () => Promise.resolve(),
  };
  const start = () => startBackground({ ...options, jobKinds, leaseMs: 500, drainMs: 50, backoffBaseMs: 1 });
  let runner = start();
  const ids = { organizationId: organization.id, workspaceId: workspace.id };
  const find = (subjectId: string) =>
    findBackgroundJob({ db: openCommitted(w.store), ...ids }, "write_brief", subjectId);
  return {
    w,
    find,
    tenant: ids,
    /** Another runner with its own store, as in another process. */
    async another() {
      const store = await openStore(w.config.DATA_DIR);
      const other = startBackground({ ...options, store, jobKinds, leaseMs: 500, drainMs: 50, backoffBaseMs: 1 });
      return {
        async [Symbol.asyncDispose]() {
          await other.close();
          await store.close();
        },
      };
    },
    async restart() {
      await runner.close();
      runner = start();
    },
    /** Enqueues jobs in one transaction, of kind write_brief by default. */
    async enqueue(...jobs: (string | Asked)[]) {
      const at = w.deps.now();
      await w.store.write(async (db) => {
        for (const asked of jobs) {
          const { organizationId, workspaceId, kind, subjectId } = {
            ...ids,
            kind: "write_brief" as const,
            ...(typeof asked === "string" ? { subjectId: asked } : asked),
          };
          const tenant = { db, organizationId, workspaceId };
          await enqueueBackgroundJob(tenant, { id: w.deps.newId(), kind, subjectId, at });
        }
      });
      runner.wake();
    },
    async until(subjectId: string, status: string) {
      for (let waited = 0; waited < 5000; waited += 10) {
        const job = await find(subjectId);
        if (job?.status === status) return job;
        await sleep(10);
      }
      throw new Error(`the job is ${(await find(subjectId))?.status}, not ${status}`);
    },
    async [Symbol.asyncDispose]() {
      await runner.close();
      await w[Symbol.asyncDispose]();
    },
  };
}

/** Records the jobs in the order in which they start; each runs until it is released. */
export function holdJobs() {
  const began: string[] = [];
  const held = new EventEmitter();
  const run: BackgroundHandler = async (job) => {
    began.push(job.subjectId);
    await once(held, job.subjectId);
  };
  return { began, run, release: (subjectId: string) => held.emit(subjectId) };
}
