import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import {
  claimBackgroundJob,
  endBackgroundJob,
  hasBackgroundWork,
  renewBackgroundLeases,
  type BackgroundEnd,
  type ClaimedBackgroundJob,
} from "../../../db/engine/background-jobs.ts";
import type { Secrets } from "../../../auth/keys/secrets.ts";
import type { Store } from "../../../db/engine/store.ts";
import type { BackgroundKind } from "../../../core/background.ts";
import type { BlobStore } from "../../../core/blobs.ts";
import type { AssetScorer } from "../../../core/evaluation/scorer.ts";
import type { Partner } from "../../../core/partner.ts";
import type { Platforms } from "../../../core/platforms.ts";
import { later, type Instant } from "../../../core/time.ts";
import { openAlarm } from "../collect/alarm.ts";
import { backoffMs } from "../../../core/backoff.ts";

export type BackgroundJob = NonNullable<ClaimedBackgroundJob>;

/** What handlers need of the world outside the store. */
export interface OutsideWork {
  /** Undefined where no partner is configured. */
  partner: Partner | undefined;
  platforms: Platforms;
  secrets: Pick<Secrets, "seal" | "unseal">;
  blobs: BlobStore;
  scorer: AssetScorer;
  /** How soon a sent brief is read back. */
  syncMs: number;
  /** Does work outside the store that a crash interrupted. */
  finishOutboxEntry: (id: string) => Promise<void>;
}

/** What a handler works with. */
export interface BackgroundWork {
  store: Store;
  now: () => Instant;
  newId: () => string;
  log: Logger;
  outside: OutsideWork;
  /** Aborted when the process stops: a handler that throws then is done again later. */
  signal: AbortSignal;
}

/**
 * Does one job in short transactions of its own. It can be run again from its start at any time, so it must leave the
 * same behind. What it throws is tried again; `GiveUp` is not.
 */
export type BackgroundHandler = (job: BackgroundJob, work: BackgroundWork) => Promise<void>;
export type BackgroundHandlers = Partial<Record<BackgroundKind, BackgroundHandler>>;

/** Ends a job for good; the reason is shown to people. */
export class GiveUp extends Error {
  override name = "GiveUp";
}

/** Does slow work. Any number of processes can share a store. */
export interface BackgroundRunner {
  /** Looks for work now rather than at the next tick. */
  wake(): void;
  /** Takes nothing new and resolves when what was begun has ended or was given back. */
  close(): Promise<void>;
}

export interface BackgroundOptions extends Omit<BackgroundWork, "signal"> {
  handlers: BackgroundHandlers;
  /** How long after a crash of this process its work is taken up again. */
  leaseMs: number;
  drainMs: number;
  backoffBaseMs: number;
}

const POLL_MS = 1000;
const ATTEMPTS = 5;
/** Handlers wait for the disk and for others most of the time; more at once would only queue at the one writer. */
const AT_ONCE = 2;

export function startBackground(options: BackgroundOptions): BackgroundRunner {
  const { store, log, now, newId, leaseMs } = options;
  const owner = newId();
  const alarm = openAlarm();
  const [closing, aborting] = [new AbortController(), new AbortController()];
  const kinds = Object.keys(options.handlers) as BackgroundKind[];
  const running = new Set<Promise<void>>();

  async function claim(): Promise<BackgroundJob | undefined> {
    const at = now();
    if (kinds.length === 0 || !(await store.read((db) => hasBackgroundWork(db, at)))) return undefined;
    return store.write((db) => claimBackgroundJob(db, { owner, kinds, now: at, leaseEnd: later(at, leaseMs) }));
  }

  async function work(job: BackgroundJob): Promise<void> {
    const end = await perform(job);
    const done = { id: job.id, owner, kind: job.kind, subjectId: job.subjectId };
    await store
      .write((db) => endBackgroundJob(db, done, end, now()))
      .catch((error: unknown) => log.error({ err: error, job: job.id }, "the end of a job could not be stored"));
  }

  async function perform(job: BackgroundJob): Promise<BackgroundEnd> {
    const end = { notBefore: now(), reason: null, attempted: true };
    try {
      await options.handlers[job.kind]?.(job, { ...options, signal: aborting.signal });
      return { ...end, status: "succeeded" };
    } catch (error) {
      if (error instanceof GiveUp) return { ...end, status: "failed", reason: error.message };
      if (aborting.signal.aborted) return { ...end, status: "queued", attempted: false };
      log.error({ err: error, job: job.id, kind: job.kind, attempt: job.attempts }, "a background job failed");
      const reason = "It failed for a reason that is in the log of the service.";
      if (job.attempts >= ATTEMPTS) return { ...end, status: "failed", reason };
      const delay = { baseMs: options.backoffBaseMs, retryAfterMs: undefined, random: Math.random() };
      return { ...end, status: "queued", notBefore: later(now(), backoffMs(job.attempts, delay)), reason };
    }
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        const job = running.size < AT_ONCE ? await claim() : undefined;
        if (job) {
          const doing: Promise<void> = work(job).finally(() => {
            running.delete(doing);
            alarm.ring();
          });
          running.add(doing);
          continue;
        }
      } catch (error) {
        log.error({ err: error }, "background jobs could not be taken");
        await sleep(POLL_MS);
      }
      await alarm.sleep(POLL_MS);
    }
    await Promise.all(running);
  }

  const heartbeat = setInterval(() => {
    if (running.size === 0) return;
    store
      .write((db) => renewBackgroundLeases(db, owner, later(now(), leaseMs)))
      .catch((error: unknown) => log.error({ err: error }, "leases of background jobs could not be renewed"));
  }, leaseMs / 3);
  const ended = run();
  return {
    wake: () => alarm.ring(),
    async close() {
      closing.abort();
      alarm.ring();
      const giveUp = setTimeout(() => aborting.abort(), options.drainMs);
      await ended;
      clearTimeout(giveUp);
      clearInterval(heartbeat);
    },
  };
}
