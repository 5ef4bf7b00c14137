import { deleteOldAuditRows } from "../db/audit-log/audit.ts";
import { deleteOldIdempotencyKeys } from "../db/engine/idempotency.ts";
import { deleteUnusableGrants, deleteUnusedClients } from "../db/identity/oauth-records.ts";
import { deleteExpiredExports } from "../db/exports/exports.ts";
import { deleteIdleWebSessions } from "../db/identity/web-sessions.ts";
import { deleteExpired, EXPIRING_TABLES } from "../db/engine/delete-some.ts";
import type { Db, Store } from "../db/engine/store.ts";
import { addMs, type Instant } from "../core/shared/time.ts";
import { CLOCK_TOLERANCE_SECONDS } from "./oauth/access-tokens.ts";

const SWEEP_INTERVAL_MS = 10 * 60_000;
const HOUR_MS = 3_600_000;
/** Age at which an unused registered client is deleted; a client that ever had a grant never is. */
const UNUSED_CLIENT_MS = 30 * 24 * HOUR_MS;

const IDEMPOTENCY_WINDOW_MS = 24 * HOUR_MS;

/** Max rows per transaction, to keep write transactions short. */
const MAX_ROWS_PER_TRANSACTION = 500;
const MAX_AUDIT_TRANSACTIONS = 400;

type BatchDeletion = (db: Db, most: number) => Promise<number>;

/** Leaves the writer free between transactions. */
async function deleteInBatches(store: Store, deletion: BatchDeletion, isStopped: () => boolean): Promise<void> {
  while (!isStopped()) {
    const deletedCount = await store.write((db) => deletion(db, MAX_ROWS_PER_TRANSACTION));
    if (deletedCount < MAX_ROWS_PER_TRANSACTION) return;
  }
}

const isNeverStopped = () => false;

/** Keeps expired records for the clock tolerance. */
export async function sweepExpired(
  store: Store,
  now: Instant,
  isStopped: () => boolean = isNeverStopped,
): Promise<void> {
  const expired = addMs(now, -CLOCK_TOLERANCE_SECONDS * 1000);
  const deletions: readonly BatchDeletion[] = [
    ...EXPIRING_TABLES.map(
      (name): BatchDeletion =>
        (db, most) =>
          deleteExpired(db, name, expired, most),
    ),
    (db, most) => deleteUnusedClients(db, addMs(now, -UNUSED_CLIENT_MS), most),
    (db, most) => deleteUnusableGrants(db, addMs(now, -HOUR_MS), most),
    (db, most) => deleteExpiredExports(db, expired, most),
    (db, most) => deleteOldIdempotencyKeys(db, addMs(now, -IDEMPOTENCY_WINDOW_MS), most),
  ];
  for (const deletion of deletions) await deleteInBatches(store, deletion, isStopped);
}

export async function sweepAuditLog(
  store: Store,
  now: Instant,
  days: number,
  isStopped: () => boolean = isNeverStopped,
) {
  const before = addMs(now, -days * 24 * HOUR_MS);
  for (let batch = 0; batch < MAX_AUDIT_TRANSACTIONS && !isStopped(); batch++) {
    const gone = await store.write((db) => deleteOldAuditRows(db, before, MAX_ROWS_PER_TRANSACTION));
    if (gone < MAX_ROWS_PER_TRANSACTION) return;
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
    // Last uses may be written late, so idle sessions are deleted some time after their expiry.
    const idleSince = options.idleMs === null ? null : addMs(options.now(), -options.idleMs - SWEEP_INTERVAL_MS);
    if (idleSince !== null) {
      await deleteInBatches(store, (db, most) => deleteIdleWebSessions(db, idleSince, most), over);
    }
    await sweepAuditLog(store, options.now(), options.auditRetentionDays, over);
  };
  const timer = setInterval(() => {
    running = sweep().catch(options.onError);
  }, SWEEP_INTERVAL_MS);
  timer.unref();
  return {
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
