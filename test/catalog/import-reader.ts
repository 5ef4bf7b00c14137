import { JOB_KINDS } from "../../src/jobs/background/background-kinds.ts";
import { backgroundRunner } from "../jobs/background-runner.ts";
import type { world } from "../support/world.ts";

/** Runs imports and exports in a world without worker, so that everything else stays as created. */
export function startImportReader(w: Awaited<ReturnType<typeof world>>) {
  const { import_answers, make_export } = JOB_KINDS;
  const runner = backgroundRunner(w, { jobKinds: { import_answers, make_export }, drainMs: 1000, backoffBaseMs: 20 });
  w.deps.wakeWorker = () => runner.wake();
  return { [Symbol.asyncDispose]: () => runner.close() };
}
