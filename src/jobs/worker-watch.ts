/** How long a worker process may be silent or away, in milliseconds in which this process ran. */
export interface WatchLimits {
  /** Between two checks. */
  tickMs: number;
  /** A working process that is silent for so long is ended. */
  silentMs: number;
  /** A working process that is silent for so long is a problem of readiness. */
  quietMs: number;
  /** A start that takes longer is a problem of readiness. A process that starts is never ended. */
  startMs: number;
}

export const WATCH_LIMITS: WatchLimits = { tickMs: 1000, silentMs: 30_000, quietMs: 10_000, startMs: 60_000 };

/** How often a worker process gives a sign of life. */
export const SIGN_OF_LIFE_MS = 2000;

export type WorkerProblem = "worker_missing" | "worker_silent";

/** Decides from the messages of a worker process whether it works, starts or hangs. */
export interface WorkerWatch {
  /** The process gave a sign of life. */
  sign(): void;
  /** The process has started and works. */
  working(): void;
  /** The process has ended. */
  ended(): void;
  silentMs(): number;
  problem(): WorkerProblem | undefined;
  close(): void;
}

/**
 * Calls `onHang` once for a working process that is silent for too long. Time counts by ticks of this process: while it is stopped,
 * blocked or suspended with its machine, signs of life wait unread and no time passes.
 */
export function watchWorker(limits: WatchLimits, onHang: () => void): WorkerWatch {
  let state: "away" | "works" | "hangs" = "away";
  let silentMs = 0;
  let awayMs = 0;
  /** True from the end of a process that hung until the next one works, so that readiness does not flap. */
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
