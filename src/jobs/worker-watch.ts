/** Limits in milliseconds of this process's running time. */
export interface WatchLimits {
  tickMs: number;
  /** A running worker silent for this long is killed. */
  silentMs: number;
  /** A running worker silent for this long is a readiness problem. */
  quietMs: number;
  /** A longer start is a readiness problem. A starting worker is never killed. */
  startMs: number;
}

export const WATCH_LIMITS: WatchLimits = { tickMs: 1000, silentMs: 30_000, quietMs: 10_000, startMs: 60_000 };

export const SIGN_OF_LIFE_MS = 2000;

export type WorkerProblem = "worker_missing" | "worker_silent";

export interface WorkerWatch {
  sign(): void;
  working(): void;
  ended(): void;
  silentMs(): number;
  problem(): WorkerProblem | undefined;
  close(): void;
}

/**
 * Calls `onHang` once for a worker silent for too long. Counts ticks of this process, so that its
 * own suspension, during which heartbeats queue unread, does not count.
 */
export function watchWorker(limits: WatchLimits, onHang: () => void): WorkerWatch {
  let state: "away" | "works" | "hangs" = "away";
  let silentMs = 0;
  let awayMs = 0;
  /** Stays true until the next worker runs, so that readiness does not flap. */
  let hung = false;

  const ticking = setInterval(() => {
    if (state === "away") awayMs += limits.tickMs;
    else silentMs += limits.tickMs;
    if (state !== "works" || silentMs < limits.silentMs) return;
    state = "hangs";
    hung = true;
    onHang();
  }, limits.tickMs).unref();

  return {
    sign: () => void (silentMs = 0),
    working() {
      [state, hung, silentMs, awayMs] = ["works", false, 0, 0];
    },
    ended() {
      [state, silentMs] = ["away", 0];
    },
    silentMs: () => silentMs,
    problem() {
      if (state === "away") return hung || awayMs >= limits.startMs ? "worker_missing" : undefined;
      return state === "hangs" || silentMs >= limits.quietMs ? "worker_silent" : undefined;
    },
    close: () => clearInterval(ticking),
  };
}
