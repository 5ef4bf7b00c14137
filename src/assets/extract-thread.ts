import { parentPort, workerData } from "node:worker_threads";
import type { AssetType } from "../../core/assets.ts";
import { readDocument } from "./read-document.ts";

// The worker thread that reads one untrusted document and exits. `extract.ts` starts and bounds it.
const { type, bytes } = workerData as { type: AssetType; bytes: Uint8Array };
const read = await readDocument(type, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)).then(
  (text) => ({ ok: true, ...text }),
  (error: unknown) => ({ ok: false, name: error instanceof Error ? error.name : "" }),
);
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.postMessage(read);
