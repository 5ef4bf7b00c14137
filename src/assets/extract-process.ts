import { buffer } from "node:stream/consumers";
import { Worker } from "node:worker_threads";
import type { AssetType } from "../../core/assets/assets.ts";
import { readDocument } from "./read-document.ts";

// Reads one untrusted document from its input. `extract.ts` bounds its time.

/** Exits when the process grows too large or outlives the service, even while the parser blocks. */
const WATCHDOG_SCRIPT = `
  const { memoryBytes, parent } = require("node:worker_threads").workerData;
  setInterval(() => {
    if (process.memoryUsage.rss() > memoryBytes || process.ppid !== parent) process.kill(process.pid, "SIGKILL");
  }, 20);
`;

const [, , type, memoryBytes] = process.argv;
const workerData = { memoryBytes: Number(memoryBytes), parent: process.ppid };
new Worker(WATCHDOG_SCRIPT, { eval: true, workerData }).unref();
const extractionMessage = await readDocument(type as AssetType, await buffer(process.stdin)).then(
  (text) => ({ ok: true, ...text }),
  (error: unknown) => ({ ok: false, name: error instanceof Error ? error.name : "" }),
);
process.send?.(extractionMessage, () => process.exit());
