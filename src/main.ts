import { pino } from "pino";
import { readConfig, type Environment } from "./config.ts";
import { startService } from "./service.ts";

const config = readConfigOrStop();
const log = pino({ level: config.LOG_LEVEL });
const service = await startService(config, { log });
log.info({ address: service.config.baseUrl }, "listening");

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  process.once(signal, () => {
    log.info({ signal }, "stopping");
    service.close().then(
      () => log.info("stopped"),
      (error: unknown) => {
        log.error({ err: error }, "stopping failed");
        process.exitCode = 1;
      },
    );
  });
}

function readConfigOrStop(): Environment {
  try {
    return readConfig(process.env);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return process.exit(2);
  }
}
