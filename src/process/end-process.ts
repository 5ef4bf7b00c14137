import type { Logger } from "pino";

/** The log writes in its own time: exiting at once, its last lines would come in another order, or not at all. */
const LOG_MS = 100;
const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/**
 * Has `stop` called at the first signal to end, or after an error that nothing caught, and ends this process then: with 0
 * where it was told to and everything ended in time, otherwise with 1. A second signal ends it at once. Gives how to end it
 * from within, with 0 or another code, which does nothing where it is ending.
 */
export function endProcessBy(stop: () => Promise<void>, log: Logger): (code?: number) => void {
  let isEnding = false;
  async function end(code: number): Promise<void> {
    isEnding = true;
    try {
      await stop();
      log.info("stopped");
      exitSoon(code);
    } catch (error) {
      log.error({ err: error }, "stopping failed");
      exitSoon(1);
    }
  }
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      log.info({ signal }, isEnding ? "stopped at once" : "stopping");
      if (isEnding) exitSoon(1);
      else void end(0);
    });
  }
  // Rejections that nothing handles arrive here too.
  process.on("uncaughtException", (error) => {
    log.fatal({ err: error }, "an error that nothing caught: stopping");
    if (!isEnding) void end(1);
  });
  return (code = 0) => {
    if (!isEnding) void end(code);
  };
}

function exitSoon(code: number): void {
  setTimeout(() => process.exit(code), LOG_MS);
}
