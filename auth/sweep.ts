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
/** A registered client that was not used within this time is deleted; one that had a grant never is. */
const UNUSED_CLIENT_MS = 30 * 24 * HOUR_MS;

/** How long the first response to an Idempotency-Key is replayed. */
const REPEATED_MS = 24 * HOUR_MS;

/** Rows that one transaction deletes: few enough for a short one. */
const ROWS_AT_ONCE = 500;
/** The most transactions for the audit log in one sweep. */
const AUDIT_TURNS = 400;

/** Deletes some rows, at most so many, and gives how many. */
type Deletion = (db: Db, most: number) => Promise<number>;

/** Deletes until fewer are left than one transaction deletes, or `isStopped`: others write in between. */
async function deleteInTurns(store: Store, deletion: Deletion, isStopped: () => boolean): Promise<void> {
  while (!isStopped()) {
    const gone = await store.write((db) => deletion(db, ROWS_AT_ONCE));
    if (gone < ROWS_AT_ONCE) return;
  }
}

const never = () => false;

/** Deletes expired records, after the tolerance for clock differences, a bounded number at a time. */
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

/** Deletes rows of the audit log that are older than `days`, a bounded number at a time. */
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

/** Sweeps every ten minutes until stopped. Any number of processes can. */
export function startSweeping(
  store: Store,
  options: {
    now: () => Instant;
    auditRetentionDays: number;
    /** How long a browser stays signed in without use; null for no such limit. */
    idleMs: number | null;
    onError: (error: unknown) => void;
  },
): { stop: () => Promise<void> } {
  let isStopped = false;
  const over = () => isStopped;
  let running: Promise<void> = Promise.resolve();
  const sweep = async () => {
    await sweepExpired(store, options.now(), over);
    // Well after they are over, as their last use may be written late.
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
