import { join } from "node:path";
import { pino } from "pino";
import { openDiskBlobs } from "../../src/assets/disk-blobs.ts";
import { startBackground } from "../../src/jobs/background/background.ts";
import type { world } from "../support/world.ts";

type World = Awaited<ReturnType<typeof world>>;
type Options = Parameters<typeof startBackground>[0];

/** Runs background jobs of these kinds in a world without a worker. */
export function backgroundRunner(
  { deps, config }: Pick<World, "deps" | "config">,
  options: Pick<Options, "jobKinds"> & Partial<Options>,
) {
  return startBackground({
    ...deps,
    log: pino({ level: "silent" }),
    blobs: openDiskBlobs(join(config.DATA_DIR, "assets")),
    leaseMs: 30_000,
    drainMs: 50,
    backoffBaseMs: 5,
    syncMs: 1000,
    finishOutboxEntry: () => Promise.resolve(),
    ...options,
  });
}
