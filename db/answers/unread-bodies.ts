import { and, asc, count, desc, eq, inArray, max } from "drizzle-orm";
import type { Instant } from "../../core/shared/time.ts";
import { deleteRows } from "../engine/rows.ts";
import type { Db } from "../engine/store.ts";

// What providers sent is the operator's to inspect, not an organization's, so these functions take no tenant.

/** So many are kept of each provider. */
const KEPT = 20;

export interface UnreadBodyRow {
  jobId: string;
  provider: string;
  /** What kept it from being an answer. */
  kind: string;
  at: Instant;
  body: string;
}

/** Keeps a body that is no answer, in the place of what an earlier attempt of the job brought, and forgets the oldest ones. */
export async function keepUnreadBody({ q, t }: Db, row: UnreadBodyRow): Promise<void> {
  const { unreadBodies } = t;
  const { provider, kind, at, body } = row;
  await q
    .insert(unreadBodies)
    .values(row)
    .onConflictDoUpdate({ target: unreadBodies.jobId, set: { provider, kind, at, body } });
  const older = q
    .select({ jobId: unreadBodies.jobId })
    .from(unreadBodies)
    .where(eq(unreadBodies.provider, provider))
    .orderBy(desc(unreadBodies.at), desc(unreadBodies.jobId))
    .limit(1_000)
    .offset(KEPT);
  await deleteRows(q, unreadBodies, and(eq(unreadBodies.provider, provider), inArray(unreadBodies.jobId, older)));
}

/** How many bodies are kept of each provider, and of when the newest is. */
export async function countUnreadBodies({ q, t: { unreadBodies } }: Db) {
  return q
    .select({ provider: unreadBodies.provider, bodies: count(), newest: max(unreadBodies.at) })
    .from(unreadBodies)
    .groupBy(unreadBodies.provider)
    .orderBy(asc(unreadBodies.provider));
}

export async function listUnreadBodies({ q, t: { unreadBodies } }: Db, provider: string): Promise<UnreadBodyRow[]> {
  return q
    .select()
    .from(unreadBodies)
    .where(eq(unreadBodies.provider, provider))
    .orderBy(desc(unreadBodies.at), desc(unreadBodies.jobId));
}
