import type { Logger } from "pino";
import { insertAuditRows, setAuditCounts, type AuditRow } from "../../db/identity/audit/audit.ts";
import type { Store } from "../../db/engine/store.ts";
import { openRefusalCounts } from "./refusal-counts.ts";

/** Buffers the audit rows of reads and refusals and writes them in batches, at most a second late. */
export interface AuditBuffer {
  add(row: AuditRow): void;
  /** Counts the refusal of a caller who has no part in the organization: one row a minute stands for all alike. */
  count(row: AuditRow): void;
  /** Writes the buffered rows; resolves when they are on disk. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

const MAX_WAIT_MS = 1000;
const MAX_ROWS = 500;

export function openAuditBuffer(store: Store, log: Logger): AuditBuffer {
  const refusals = openRefusalCounts();
  let rows: AuditRow[] = [];
  let timer: NodeJS.Timeout | undefined;
  const flush = async () => {
    clearTimeout(timer);
    timer = undefined;
    const batch = rows;
    rows = [];
    const counted = refusals.take();
    if (batch.length === 0 && counted.length === 0) return;
    await store
      .write(async (db) => {
        await insertAuditRows(db, batch);
        await setAuditCounts(db, counted);
      })
      .catch((error: unknown) => {
        // Keep the rows for the next attempt, up to a bound that protects memory.
        if (rows.length + batch.length <= MAX_ROWS * 100) rows.unshift(...batch);
        refusals.putBack(counted);
        log.error({ err: error, rows: batch.length }, "audit rows could not be written");
      });
  };
  const soon = () => void (timer ??= setTimeout(() => void flush(), MAX_WAIT_MS));
  return {
    add(row) {
      rows.push(row);
      if (rows.length >= MAX_ROWS) void flush();
      else soon();
    },
    count(row) {
      refusals.count(row);
      soon();
    },
    flush,
    close: flush,
  };
}
