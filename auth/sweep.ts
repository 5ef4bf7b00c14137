import { deleteExpiredRestTokens } from "../db/identity/api-keys.ts";
import { deleteOldAuditRows } from "../db/identity/audit/audit.ts";
import { deleteOldAnswers } from "../db/engine/idempotency.ts";
import { deleteExpiredOAuthRecords, deleteSpentGrants, deleteUnusedClients } from "../db/identity/oauth-records.ts";
import { deleteExpiredFactorChallenges } from "../db/identity/second-factors/factor-challenges.ts";
import { deleteExpiredHeldForms } from "../db/identity/held-forms.ts";
import { deleteExpiredOneTimeLinks } from "../db/identity/one-time-links.ts";
import { deleteExpiredSso } from "../db/identity/sso.ts";
import { deleteExpiredPlatformConsents } from "../db/acting/platform-consents.ts";
import { deleteExpiredAssertions } from "../db/identity/saml.ts";
import { deleteExpiredWebSessions, deleteIdleWebSessions } from "../db/identity/web-sessions.ts";
import type { Db, Store } from "../db/engine/store.ts";
import { later, type Instant } from "../core/time.ts";
import { CLOCK_TOLERANCE_SECONDS } from "./oauth/access-tokens.ts";

const EVERY_MS = 10 * 60_000;
const HOUR_MS = 3_600_000;
/** A registered client that was not used within this time is deleted; one that had a grant never is. */
const UNUSED_CLIENT_MS = 30 * 24 * HOUR_MS;

/** How long the first response to an Idempotency-Key is replayed. */
const REPEATED_MS = 24 * HOUR_MS;

/** Rows of the audit log that one transaction deletes, and the most transactions of one sweep. */
const AUDIT_ROWS_AT_ONCE = 1000;
const AUDIT_TURNS = 200;

/** Deletes expired records, after the tolerance for clock differences. */
export async function sweepExpired(store: Store, now: Instant): Promise<void> {
  const expired = later(now, -CLOCK_TOLERANCE_SECONDS * 1000);
  const deletions: readonly ((db: Db) => Promise<unknown>)[] = [
    (db) => deleteExpiredOAuthRecords(db, expired),
    (db) => deleteUnusedClients(db, later(now, -UNUSED_CLIENT_MS)),
    (db) => deleteSpentGrants(db, later(now, -HOUR_MS)),
    (db) => deleteExpiredRestTokens(db, expired),
    (db) => deleteExpiredWebSessions(db, expired),
    (db) => deleteExpiredAssertions(db, expired),
    (db) => deleteExpiredOneTimeLinks(db, expired),
    (db) => deleteExpiredFactorChallenges(db, expired),
    (db) => deleteExpiredSso(db, expired),
    (db) => deleteExpiredHeldForms(db, expired),
    (db) => deleteExpiredPlatformConsents(db, expired),
    (db) => deleteOldAnswers(db, later(now, -REPEATED_MS)),
  ];
  // Each in a transaction of its own, so that others write in between.
  for (const deletion of deletions) await store.write(deletion);
}

/** Deletes rows of the audit log that are older than `days`, a bounded number at a time. */
export async function sweepAuditLog(
  store: Store,
  now: Instant,
  days: number,
  isStopped: () => boolean = () => false,
): Promise<void> {
  const before = later(now, -days * 24 * HOUR_MS);
  for (let turn = 0; turn < AUDIT_TURNS && !isStopped(); turn++) {
    const gone = await store.write((db) => deleteOldAuditRows(db, before, AUDIT_ROWS_AT_ONCE));
    if (gone < AUDIT_ROWS_AT_ONCE) return;
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
  let running: Promise<void> = Promise.resolve();
  const sweep = async () => {
    await sweepExpired(store, options.now());
    // Well after they are over, as their last use may be written late.
    const idleSince = options.idleMs === null ? null : later(options.now(), -options.idleMs - EVERY_MS);
    if (idleSince !== null) await store.write((db) => deleteIdleWebSessions(db, idleSince));
    await sweepAuditLog(store, options.now(), options.auditRetentionDays, () => isStopped);
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
