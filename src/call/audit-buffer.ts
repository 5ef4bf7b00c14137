import type { Logger } from "pino";
import type { Store } from "../../db/engine/store.ts";
import { insertAuditRows, setAuditCounts, type AuditRow } from "../../db/audit-log/audit.ts";

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

/** A row that stands for `count` refusals of one minute. */
export type CountedRow = AuditRow & { count: number };

/**
 * Refusals of callers who have no part in what they named, by organization, interface, outcome and minute. Anyone can cause
 * them, so that each must cost the organization's log and our memory nothing.
 */
export interface RefusalCounts {
  count(row: AuditRow): void;
  /** What was counted since the last time, as rows that take the place of those given before with the same id. */
  take(): CountedRow[];
  /** Takes back what could not be stored. */
  putBack(rows: readonly CountedRow[]): void;
}

/** More of a minute are counted as of no organization. */
const MOST_ROWS = 1000;

export function openRefusalCounts(mostRows = MOST_ROWS): RefusalCounts {
  let minute = "";
  const rows = new Map<string, CountedRow>();
  const changed = new Map<string, CountedRow>();

  function rowFor(of: AuditRow): CountedRow {
    const keyOf = (organizationId: string | null | undefined) => `${organizationId} ${of.door} ${of.outcome}`;
    const known = rows.get(keyOf(of.organizationId));
    if (known) return known;
    // Those that are counted already go on; what is new beyond the bound is counted together.
    const organizationId = rows.size < mostRows ? of.organizationId : null;
    const row = rows.get(keyOf(organizationId)) ?? { ...anonymous(of), organizationId, count: 0 };
    rows.set(keyOf(organizationId), row);
    return row;
  }

  return {
    count(refused) {
      const now = refused.at.slice(0, "2026-11-21T04:31".length);
      if (now !== minute) rows.clear();
      minute = now;
      const row = rowFor(refused);
      row.count++;
      changed.set(row.id, row);
    },
    take() {
      const taken = [...changed.values()].map((row) => ({ ...row }));
      changed.clear();
      return taken;
    },
    putBack(taken) {
      for (const row of taken) if (!changed.has(row.id)) changed.set(row.id, row);
    },
  };
}

/** Of the first of those that a row stands for, what is true of all. */
function anonymous(row: AuditRow): AuditRow {
  const nothing = { workspaceId: null, userId: null, clientId: null, argumentsHash: "", scopes: "" };
  return { ...row, ...nothing, endpoint: "refusedCalls" };
}
