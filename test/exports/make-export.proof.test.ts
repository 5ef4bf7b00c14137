import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { type Exporter } from "../../src/jobs/exports/export-thread.ts";
import { world } from "../support/world.ts";
import { createExportWorker, createWaitingExport, listFiles } from "./make-export-cases.ts";

test("an export that always fails is tried three times, and reports the failure", async () => {
  await using w = await world();
  const s = await createWaitingExport(w);
  let tries = 0;
  const broken: Exporter = {
    // oxlint-disable-next-line require-yield -- it fails before the first bytes
    async *streamFile() {
      tries += 1;
      throw new Error("no room");
    },
    close: () => Promise.resolve(),
  };
  const runner = createExportWorker(w, broken);
  while ((await s.state()).status !== "failed") await sleep(10);
  await runner.close();
  expect([tries, (await s.state()).url, listFiles(w)]).toEqual([3, null, { kept: [], incoming: 0 }]);
});
