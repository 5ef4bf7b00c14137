import { and, eq } from "drizzle-orm";
import type { IdempotencyId } from "./idempotency.ts";
import type { tables } from "../schema.ts";
import type { Db } from "./store.ts";

// Outbox entries are found by what only invoke() knows, after it has decided who may call; each row says whose it is.

export type OutboxRow = typeof tables.outbox.$inferSelect;

export async function insertOutboxEntry({ q, t }: Db, entry: OutboxRow): Promise<void> {
  await q.insert(t.outbox).values(entry);
}

export async function findOutboxEntry({ q, t }: Db, id: string): Promise<OutboxRow | undefined> {
  const [row] = await q.select().from(t.outbox).where(eq(t.outbox.id, id));
  return row;
}

/** The entry that is under way for this subject. */
export async function findOutboxEntryOf(
  { q, t }: Db,
  endpoint: string,
  subjectId: string,
): Promise<OutboxRow | undefined> {
  const [row] = await q
    .select()
    .from(t.outbox)
    .where(and(eq(t.outbox.endpoint, endpoint), eq(t.outbox.subjectId, subjectId)));
  return row;
}

/** The entry that was begun under this Idempotency-Key and has not ended. */
export async function findOutboxEntryByKey({ q, t }: Db, id: IdempotencyId): Promise<OutboxRow | undefined> {
  const [row] = await q
    .select()
    .from(t.outbox)
    .where(
      and(eq(t.outbox.userId, id.userId), eq(t.outbox.endpoint, id.endpoint), eq(t.outbox.idempotencyKey, id.key)),
    );
  return row;
}

/** Ends the entry. False where it had ended before. */
export async function deleteOutboxEntry({ q, t }: Db, id: string): Promise<boolean> {
  const gone = await q.delete(t.outbox).where(eq(t.outbox.id, id)).returning({ id: t.outbox.id });
  return gone.length > 0;
}
