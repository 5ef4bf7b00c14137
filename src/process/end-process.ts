import type { Logger } from "pino";

/** The asynchronous log would otherwise lose or reorder its last lines. */
const LOG_GRACE_MS = 100;
const TERMINATION_SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/** Exits with 0 after a clean stop. A second signal exits at once. Idempotent. */
export function exitOnSignal(stop: () => Promise<void>, log: Logger): (code?: number) => void {
  let isEnding = false;
  async function end(code: number): Promise<void> {
    isEnding = true;
    try {
      await stop();
      log.info("stopped");
      exitSoon(code);
    } catch (error) {
      log.error({ err: error }, "could not stop cleanly");
      exitSoon(1);
    }
  }
  for (const signal of TERMINATION_SIGNALS) {
    process.on(signal, () => {
      log.info({ signal }, isEnding ? "stopped at once" : "stopping");
      if (isEnding) exitSoon(1);
      else void end(0);
    });
  }
  // Also receives unhandled rejections.
  process.on("uncaughtException", (error) => {
    log.fatal({ err: error }, "uncaught error: stopping");
    if (!isEnding) void end(1);
  });
  return (code = 0) => {
    if (!isEnding) void end(code);
  };
}

function exitSoon(code: number): void {
  setTimeout(() => process.exit(code), LOG_GRACE_MS);
}
