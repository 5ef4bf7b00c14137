import { startCollects } from "../../../db/measuring/collect-progress.ts";
import { listDueAnalyses, listStrandedAnalyses } from "../../../db/measuring/due-collects.ts";
import {
  claimJobs,
  hasLostJobs,
  hasReadyJobs,
  renewLeases,
  requeueLostJobs,
  type ClaimedJob,
} from "../../../db/measuring/jobs.ts";
import { FIRST_TURN, type Turns } from "../../../db/measuring/job-turns.ts";
import { listProviderSpend } from "../../../db/measuring/provider-spend.ts";
import type { Catalogs } from "../../../db/catalog/catalogs.ts";
import { StoreError, type StoreFault } from "../../../db/engine/store-error.ts";
import { later } from "../../../core/time.ts";
import { runLeases, type LeasedWork, type LeaseOptions, type LeaseRunner, type Runner } from "../lease-runner.ts";
import { openDispatcher, type DispatcherOptions, type Room } from "./dispatcher.ts";
import { resumeSchedule } from "./resume-schedule.ts";
import { startDueCollect } from "./start-due-collect.ts";
import { catalogsOf, spentOn, storeResults, type Result } from "./store-results.ts";

export interface WorkerOptions extends DispatcherOptions, LeaseOptions {
  catalogs: Catalogs;
  /** Told after answers were stored: what follows from the end of a collect may wait. */
  onStored: () => void;
}

/** How often schedules are looked at that a clock which was ahead moved away. */
const RESUME_MS = 60_000;

/** Asks what collects have to ask. */
export function startWorker(options: WorkerOptions): LeaseRunner {
  return runLeases(options, (runner) => collectWork(options, runner));
}

function collectWork(options: WorkerOptions, { owner, wake }: Runner): LeasedWork {
  const { store, now, newId, leaseMs, catalogs } = options;
  const dispatcher = openDispatcher(options, wake);
  /** Whose turn was last, by provider: a question to one is no turn at another. */
  let turnsAt: ReadonlyMap<string | null, Turns> = new Map();
  let oneByOne = false;
  let resumedAt = -Infinity;

  /** One transaction: what has ended, and what is taken up next. */
  async function storeAndClaim(results: readonly Result[], room: Room[]): Promise<void> {
    const at = now();
    const lost = room.length > 0 && (await store.read((db) => hasLostJobs(db, owner, at)));
    const claims = lost || (room.length > 0 && (await store.read((db) => hasReadyJobs(db, at))));
    if (results.length === 0 && !claims) return;
    const taken = await store.write(async (db) => {
      await storeResults(db, results, { owner, now: at, newId, catalogs });
      if (lost) await requeueLostJobs(db, owner, at);
      const jobs: ClaimedJob[] = [];
      const turns = new Map(turnsAt);
      const lease = { owner, now: at, leaseEnd: later(at, leaseMs) };
      // One claim per provider, of which there are few.
      for (const part of claims ? room : []) {
        const from = { ...part, ...lease, turns: turnsAt.get(part.provider) ?? FIRST_TURN };
        const claimed = await claimJobs(db, from);
        jobs.push(...claimed.jobs);
        turns.set(part.provider, claimed.turns);
      }
      await startCollects(db, [...new Set(jobs.map((job) => job.collectId))], at);
      const spent = await listProviderSpend(db, dispatcher.budget.providers, at);
      return { jobs, turns, spent, compiled: await catalogsOf(db, jobs, catalogs) };
    });
    turnsAt = taken.turns;
    if (results.length > 0) options.onStored();
    dispatcher.budget.refresh(taken.spent, spentOn(results));
    for (const job of taken.jobs) {
      const catalog = taken.compiled.get(job.workspaceId);
      if (catalog) dispatcher.ask(job, catalog);
    }
  }

  async function startDue(): Promise<void> {
    if (performance.now() - resumedAt > RESUME_MS) {
      resumedAt = performance.now();
      const stranded = await store.read((db) => listStrandedAnalyses(db, now()));
      for (const analysis of stranded) await store.write((db) => resumeSchedule(db, analysis, { now: now(), newId }));
    }
    for (const analysis of await store.read((db) => listDueAnalyses(db, now()))) {
      await store.write((db) => startDueCollect(db, analysis, { now: now(), newId }));
    }
  }

  return {
    async turn(isClosing) {
      const results = dispatcher.takeResults(oneByOne ? 1 : Infinity);
      try {
        await storeAndClaim(results, isClosing ? [] : dispatcher.room());
        oneByOne &&= dispatcher.hasResults();
      } catch (error) {
        for (const result of results) dispatcher.putBack(oneByOne ? afterFault(result, error) : result);
        oneByOne = true;
        throw error;
      }
      if (!isClosing) await startDue();
      return dispatcher.hasResults();
    },
    isBusy: () => dispatcher.isBusy(),
    renew: renewLeases,
    abort: () => dispatcher.abort(),
  };
}

const WAITED_FOR: ReadonlySet<StoreFault> = new Set(["full", "busy", "unreadable", "readonly", "replaced"]);

/** An answer that the store refuses by itself fails its job; while the disk is full, busy or gone it waits. */
function afterFault({ job, outcome }: Result, error: unknown): Result {
  if (error instanceof StoreError && WAITED_FOR.has(error.reason)) return { job, outcome };
  return { job, outcome: { kind: "failed", reason: "The answer could not be stored." } };
}
