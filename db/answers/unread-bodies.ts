import { and, asc, count, desc, eq, inArray, max } from "drizzle-orm";
import { deleteRows } from "../engine/rows.ts";
import type { Db } from "../engine/store.ts";
import type { tables } from "../schema.ts";

// Unparsable responses are for the operator, so these functions take no tenant.

const MAX_BODIES_PER_PROVIDER = 20;

/** Replaces the body of an earlier attempt of the job. */
export async function storeUnreadBody({ q, t }: Db, row: typeof tables.unreadBodies.$inferInsert): Promise<void> {
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
    .offset(MAX_BODIES_PER_PROVIDER);
  await deleteRows(q, unreadBodies, and(eq(unreadBodies.provider, provider), inArray(unreadBodies.jobId, older)));
}

export async function countUnreadBodies({ q, t: { unreadBodies } }: Db) {
  return q
    .select({ provider: unreadBodies.provider, bodies: count(), newest: max(unreadBodies.at) })
    .from(unreadBodies)
    .groupBy(unreadBodies.provider)
    .orderBy(asc(unreadBodies.provider));
}

export async function listUnreadBodies({ q, t: { unreadBodies } }: Db, provider: string) {
  return q
    .select()
    .from(unreadBodies)
    .where(eq(unreadBodies.provider, provider))
    .orderBy(desc(unreadBodies.at), desc(unreadBodies.jobId));
}
