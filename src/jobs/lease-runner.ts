import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { type Instant, later } from "../../core/shared/time.ts";
import type { Db, Store } from "../../db/engine/store.ts";

/** Jobs of the store that are taken under a lease, so that a crash gives them back when the lease ends. */
export interface LeasedWork {
  /**
   * Stores what has ended and takes what there is room for; once the process stops it takes nothing. True where there is
   * more to do at once. After an error it is called again a second later.
   */
  turn(isClosing: boolean): Promise<boolean>;
  /** True while jobs are under way, or ended and not stored. */
  isBusy(): boolean;
  /** Moves the end of every lease of `owner`. */
  renew(db: Db, owner: string, leaseEnd: Instant): Promise<void>;
  /** Breaks off what is under way, so that it is given back. Says how many jobs these are. */
  abort(): number;
}

/** What the work is given of its runner. */
export interface Runner {
  /** Under which leases are taken. */
  owner: string;
  /** Has `turn` called now rather than at the next tick. */
  wake: () => void;
}

/** Does leased work. Any number of them, in any number of processes, can share a store. */
export interface LeaseRunner {
  /** Looks for work now rather than at the next tick: something was just committed. */
  wake(): void;
  /** Takes nothing new, lets what is under way end for a while, gives the rest back, and resolves when all is stored. */
  close(): Promise<void>;
}

export interface LeaseOptions {
  store: Store;
  log: Logger;
  now: () => Instant;
  newId: () => string;
  /** Under which leases are taken, where the process that started this one knows it by an id. */
  owner?: string | undefined;
  /** How long after a crash of this process its jobs are taken up again. */
  leaseMs: number;
  /** How long what is under way may go on once the process stops. */
  drainMs: number;
}

const POLL_MS = 1000;

export function runLeases(options: LeaseOptions, open: (runner: Runner) => LeasedWork): LeaseRunner {
  const { store, log, now, leaseMs } = options;
  const signal = openWakeSignal();
  const owner = options.owner ?? options.newId();
  const work = open({ owner, wake: () => signal.wake() });
  const closing = new AbortController();

  async function run(): Promise<void> {
    while (!closing.signal.aborted || work.isBusy()) {
      try {
        if (!(await work.turn(closing.signal.aborted))) await signal.sleep(POLL_MS);
      } catch (error) {
        log.error({ err: error }, "jobs could not be taken or stored");
        await sleep(POLL_MS);
      }
      // What comes together is stored together: each transaction waits for the disk.
      await nextTurn();
    }
  }

  const heartbeat = setInterval(() => {
    if (!work.isBusy()) return;
    store
      .write((db) => work.renew(db, owner, later(now(), leaseMs)))
      .catch((error: unknown) => log.error({ err: error }, "leases could not be renewed"));
  }, leaseMs / 3);
  const running = run();
  return {
    wake: () => signal.wake(),
    async close() {
      closing.abort();
      signal.wake();
      const giveUp = setTimeout(() => {
        const jobs = work.abort();
        if (jobs > 0) log.warn({ jobs }, "jobs were broken off: they are given back, to be done again");
      }, options.drainMs);
      await running;
      clearTimeout(giveUp);
      clearInterval(heartbeat);
    },
  };
}

/** Sleeps until it is woken or the time is over. A wake while nothing sleeps ends the next sleep at once. */
interface WakeSignal {
  wake(): void;
  sleep(ms: number): Promise<void>;
}

function openWakeSignal(): WakeSignal {
  let woken = false;
  let end: (() => void) | undefined;
  return {
    wake() {
      woken = true;
      end?.();
    },
    async sleep(ms) {
      if (!woken) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          end = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      end = undefined;
      woken = false;
    },
  };
}
