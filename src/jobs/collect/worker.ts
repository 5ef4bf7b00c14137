import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { startCollects } from "../../../db/measuring/collect-progress.ts";
import { listDueAnalyses } from "../../../db/measuring/due-collects.ts";
import {
  claimJobs,
  hasLostJobs,
  hasReadyJobs,
  renewLeases,
  requeueLostJobs,
  type ClaimedJob,
} from "../../../db/measuring/jobs.ts";
import { listProviderSpend } from "../../../db/measuring/provider-spend.ts";
import type { Store } from "../../../db/engine/store.ts";
import { StoreError, type StoreFault } from "../../../db/engine/store-error.ts";
import { later } from "../../../core/time.ts";
import { openAlarm } from "./alarm.ts";
import { openAsker, type AskerOptions } from "./asker.ts";
import { openCatalogs } from "./catalogs.ts";
import { startDueCollect } from "./start-due-collect.ts";
import { spentOn, storeResults, type Result } from "./store-results.ts";

/** Asks what collects have to ask. Any number of them, in any number of processes, can share a store. */
export interface Worker {
  /** Looks for work now rather than at the next tick: something was just committed. */
  wake(): void;
  /** Takes nothing new, lets open questions end for a while, gives the rest back, and resolves when all is stored. */
  close(): Promise<void>;
}

export interface WorkerOptions extends AskerOptions {
  store: Store;
  newId: () => string;
  /** How long after a crash of this process its open questions are taken up again. */
  leaseMs: number;
  /** How long open questions may go on once the process stops. */
  drainMs: number;
  /** Told after answers were stored: what follows from the end of a collect may wait. */
  onStored: () => void;
}

const POLL_MS = 1000;

export function startWorker(options: WorkerOptions): Worker {
  const { store, log, now, newId, leaseMs } = options;
  const owner = newId();
  const alarm = openAlarm();
  const asker = openAsker(options, () => alarm.ring());
  const catalogs = openCatalogs();
  const closing = new AbortController();
  let oneByOne = false;

  /** One transaction: what has ended, and what is taken up next. */
  async function turn(results: readonly Result[]): Promise<void> {
    const at = now();
    const room = closing.signal.aborted ? [] : asker.room();
    const lost = room.length > 0 && (await store.read((db) => hasLostJobs(db, at)));
    const claims = lost || (room.length > 0 && (await store.read((db) => hasReadyJobs(db, at))));
    if (results.length === 0 && !claims) return;
    const taken = await store.write(async (db) => {
      await storeResults(db, results, { owner, now: at, newId, catalogs });
      if (lost) await requeueLostJobs(db, at);
      const jobs: ClaimedJob[] = [];
      const lease = { owner, now: at, leaseEnd: later(at, leaseMs) };
      // One claim per provider, of which there are few.
      for (const part of claims ? room : []) jobs.push(...(await claimJobs(db, { ...part, ...lease })));
      await startCollects(db, [...new Set(jobs.map((job) => job.collectId))], at);
      const spent = await listProviderSpend(db, asker.budget.providers, at);
      return { jobs, spent, compiled: await catalogs.of(db, jobs) };
    });
    if (results.length > 0) options.onStored();
    asker.budget.refresh(taken.spent, spentOn(results));
    for (const job of taken.jobs) {
      const catalog = taken.compiled.get(job.workspaceId);
      if (catalog) asker.ask(job, catalog);
    }
  }

  async function startDue(): Promise<void> {
    if (closing.signal.aborted) return;
    for (const analysis of await store.read((db) => listDueAnalyses(db, now()))) {
      await store.write((db) => startDueCollect(db, analysis, { now: now(), newId }));
    }
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted || asker.isBusy()) {
      const results = asker.takeResults(oneByOne ? 1 : Infinity);
      try {
        await turn(results);
        await startDue();
        oneByOne &&= asker.hasResults();
      } catch (error) {
        log.error({ err: error, results: results.length }, "results of questions could not be stored");
        for (const result of results) asker.putBack(oneByOne ? afterFault(result, error) : result);
        oneByOne = true;
        await sleep(POLL_MS);
      }
      if (!asker.hasResults()) await alarm.sleep(POLL_MS);
      // Answers that came together are stored together: each transaction waits for the disk.
      await nextTurn();
    }
  }

  const heartbeat = setInterval(() => {
    if (!asker.isBusy()) return;
    store
      .write((db) => renewLeases(db, owner, later(now(), leaseMs)))
      .catch((error: unknown) => log.error({ err: error }, "leases could not be renewed"));
  }, leaseMs / 3);
  const running = run();
  return {
    wake: () => alarm.ring(),
    async close() {
      closing.abort();
      alarm.ring();
      const giveUp = setTimeout(() => asker.abort(), options.drainMs);
      await running;
      clearTimeout(giveUp);
      clearInterval(heartbeat);
    },
  };
}

const WAITED_FOR: ReadonlySet<StoreFault> = new Set(["full", "busy", "unreadable"]);

/** An answer that the store refuses by itself fails its job; while the disk is full or busy it waits. */
function afterFault({ job, outcome }: Result, error: unknown): Result {
  if (error instanceof StoreError && WAITED_FOR.has(error.reason)) return { job, outcome };
  return { job, outcome: { kind: "failed", reason: "The answer could not be stored." } };
}
