import { once } from "node:events";
import { parentPort } from "node:worker_threads";
import { overrideSourceNames } from "../../../core/sources/sources.ts";
import { openSnapshot } from "../../../db/engine/sqlite/connection.ts";
import { EXPORT_TABLES } from "../../../tools/exports/export-tables.ts";
import type { ExportTask, ExportThreadOutput, ExportThreadInput } from "./export-thread.ts";
import { ROWS_WRITERS } from "./write-rows.ts";

// Waits for an acknowledgement of each part.

async function exportRows({ databaseFile, what, format, filters, ...tenant }: ExportTask): Promise<number> {
  const table = EXPORT_TABLES[what];
  const snapshot = openSnapshot(databaseFile);
  let count = 0;
  async function* readCountedParts() {
    for await (const part of table.iterateBatches({ db: snapshot.db, ...tenant }, filters)) {
      count += part.length;
      yield part;
    }
  }
  try {
    await sendAndWait("begun");
    for await (const bytes of ROWS_WRITERS[format](table.columns, readCountedParts())) {
      if (bytes.length > 0) await sendAndWait({ bytes });
    }
    return count;
  } finally {
    snapshot.close();
  }
}

function send(message: ExportThreadOutput): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
  parentPort?.postMessage(message);
}

async function sendAndWait(message: ExportThreadOutput): Promise<void> {
  const isTaken = parentPort && once(parentPort, "message");
  send(message);
  await isTaken;
}

parentPort?.on("message", (order: ExportThreadInput) => {
  if (order === "next") return;
  overrideSourceNames(order.sourceNames);
  exportRows(order.exportTask).then(
    (rowCount) => send({ rowCount }),
    (error: unknown) => send({ error }),
  );
});
