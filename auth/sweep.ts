import { deleteOldAuditRows } from "../db/audit-log/audit.ts";
import { deleteOldAnswers } from "../db/engine/idempotency.ts";
import { deleteSpentGrants, deleteUnusedClients } from "../db/identity/oauth-records.ts";
import { deleteExpiredExports } from "../db/exports/exports.ts";
import { deleteIdleWebSessions } from "../db/identity/web-sessions.ts";
import { deleteExpired, EXPIRING_TABLES } from "../db/engine/delete-some.ts";
import type { Db, Store } from "../db/engine/store.ts";
import { later, type Instant } from "../core/shared/time.ts";
import { CLOCK_TOLERANCE_SECONDS } from "./oauth/access-tokens.ts";

const EVERY_MS = 10 * 60_000;
const HOUR_MS = 3_600_000;
/** An unused registered client is deleted after this; one that ever had a grant never is. */
const UNUSED_CLIENT_MS = 30 * 24 * HOUR_MS;

/** Replay window of the first response to an Idempotency-Key. */
const REPEATED_MS = 24 * HOUR_MS;

/** Max rows per transaction, to keep write transactions short. */
const ROWS_AT_ONCE = 500;
/** Max audit log transactions per sweep. */
const AUDIT_TURNS = 400;

type Deletion = (db: Db, most: number) => Promise<number>;

/** Leaves the writer free between transactions. */
async function deleteInTurns(store: Store, deletion: Deletion, isStopped: () => boolean): Promise<void> {
  while (!isStopped()) {
    const gone = await store.write((db) => deletion(db, ROWS_AT_ONCE));
    if (gone < ROWS_AT_ONCE) return;
  }
}

const never = () => false;

/** Keeps expired records for the clock tolerance. */
export async function sweepExpired(store: Store, now: Instant, isStopped: () => boolean = never): Promise<void> {
  const expired = later(now, -CLOCK_TOLERANCE_SECONDS * 1000);
  const deletions: readonly Deletion[] = [
    ...EXPIRING_TABLES.map(
      (name): Deletion =>
        (db, most) =>
          deleteExpired(db, name, expired, most),
    ),
    (db, most) => deleteUnusedClients(db, later(now, -UNUSED_CLIENT_MS), most),
    (db, most) => deleteSpentGrants(db, later(now, -HOUR_MS), most),
    (db, most) => deleteExpiredExports(db, expired, most),
    (db, most) => deleteOldAnswers(db, later(now, -REPEATED_MS), most),
  ];
  for (const deletion of deletions) await deleteInTurns(store, deletion, isStopped);
}

export async function sweepAuditLog(
  store: Store,
  now: Instant,
  days: number,
  isStopped: () => boolean = never,
): Promise<void> {
  const before = later(now, -days * 24 * HOUR_MS);
  for (let turn = 0; turn < AUDIT_TURNS && !isStopped(); turn++) {
    const gone = await store.write((db) => deleteOldAuditRows(db, before, ROWS_AT_ONCE));
    if (gone < ROWS_AT_ONCE) return;
  }
}

export function startSweeping(
  store: Store,
  options: {
    now: () => Instant;
    auditRetentionDays: number;
    idleMs: number | null;
    onError: (error: unknown) => void;
  },
): { stop: () => Promise<void> } {
  let isStopped = false;
  const over = () => isStopped;
  let running: Promise<void> = Promise.resolve();
  const sweep = async () => {
    await sweepExpired(store, options.now(), over);
    // Last uses may be written late, so idle sessions are kept past their expiry.
    const idleSince = options.idleMs === null ? null : later(options.now(), -options.idleMs - EVERY_MS);
    if (idleSince !== null) {
      await deleteInTurns(store, (db, most) => deleteIdleWebSessions(db, idleSince, most), over);
    }
    await sweepAuditLog(store, options.now(), options.auditRetentionDays, over);
  };
  const timer = setInterval(() => {
    running = sweep().catch(options.onError);
  }, EVERY_MS);
  timer.unref();
  return {
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
