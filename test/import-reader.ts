import { join } from "node:path";
import { pino } from "pino";
import { openDiskBlobs } from "../src/assets/disk-blobs.ts";
import { startBackground } from "../src/jobs/background/background.ts";
import { JOB_KINDS } from "../src/jobs/background/background-kinds.ts";
import type { world } from "./world.ts";

/** Reads what is imported into a world that has no worker, and makes exports, so that all else in it stays as it was created. */
export function importReader({ deps, config }: Awaited<ReturnType<typeof world>>) {
  const runner = startBackground({
    ...deps,
    kinds: { import_answers: JOB_KINDS.import_answers, make_export: JOB_KINDS.make_export },
    log: pino({ level: "silent" }),
    blobs: openDiskBlobs(join(config.DATA_DIR, "assets")),
    leaseMs: 30_000,
    drainMs: 1000,
    backoffBaseMs: 20,
    syncMs: 1000,
    finishOutboxEntry: () => Promise.resolve(),
  });
  deps.wakeWorker = () => runner.wake();
  return { [Symbol.asyncDispose]: () => runner.close() };
}
