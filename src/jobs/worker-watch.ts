/** Milliseconds of this process's running time. */
export interface WatchLimits {
  tickMs: number;
  /** A running worker silent for this long is killed. */
  maxSilentMs: number;
  /** A running worker silent for this long is a readiness problem. */
  warnSilentMs: number;
  /** A longer start is a readiness problem. A starting worker is never killed. */
  maxStartMs: number;
}

export const WATCH_LIMITS: WatchLimits = {
  tickMs: 1000,
  maxSilentMs: 30_000,
  warnSilentMs: 10_000,
  maxStartMs: 60_000,
};

export const HEARTBEAT_MS = 2000;

export type WorkerProblem = "worker_missing" | "worker_silent";

export interface WorkerWatch {
  onHeartbeat(): void;
  onReady(): void;
  onExit(): void;
  silentMs(): number;
  findProblem(): WorkerProblem | undefined;
  close(): void;
}

/** Counts ticks of this process, so that its own suspension does not count. */
export function watchWorker(limits: WatchLimits, onHang: () => void): WorkerWatch {
  let state: "away" | "works" | "hangs" = "away";
  let silentMs = 0;
  let awayMs = 0;
  /** Stays true until the next worker runs, so that readiness does not flap. */
  let hung = false;

  const ticking = setInterval(() => {
    if (state === "away") awayMs += limits.tickMs;
    else silentMs += limits.tickMs;
    if (state !== "works" || silentMs < limits.maxSilentMs) return;
    state = "hangs";
    hung = true;
    onHang();
  }, limits.tickMs).unref();

  return {
    onHeartbeat: () => void (silentMs = 0),
    onReady() {
      [state, hung, silentMs, awayMs] = ["works", false, 0, 0];
    },
    onExit() {
      [state, silentMs] = ["away", 0];
    },
    silentMs: () => silentMs,
    findProblem() {
      if (state === "away") return hung || awayMs >= limits.maxStartMs ? "worker_missing" : undefined;
      return state === "hangs" || silentMs >= limits.warnSilentMs ? "worker_silent" : undefined;
    },
    close: () => clearInterval(ticking),
  };
}
