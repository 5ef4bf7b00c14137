import { and, eq } from "drizzle-orm";
import type { IdempotencyId } from "./idempotency.ts";
import type { tables } from "../schema.ts";
import type { Db } from "./store.ts";

// Not tenant-scoped: `invoke` authorises the call first, and each row names its organization.

export type OutboxRow = typeof tables.outbox.$inferSelect;

export async function insertOutboxEntry({ q, t }: Db, entry: OutboxRow): Promise<void> {
  await q.insert(t.outbox).values(entry);
}

export async function findOutboxEntry({ q, t }: Db, id: string): Promise<OutboxRow | undefined> {
  const [row] = await q.select().from(t.outbox).where(eq(t.outbox.id, id));
  return row;
}

export async function findOutboxEntryBySubject(
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

export async function findOutboxEntryByKey({ q, t }: Db, id: IdempotencyId): Promise<OutboxRow | undefined> {
  const [row] = await q
    .select()
    .from(t.outbox)
    .where(
      and(eq(t.outbox.userId, id.userId), eq(t.outbox.endpoint, id.endpoint), eq(t.outbox.idempotencyKey, id.key)),
    );
  return row;
}

export async function deleteOutboxEntry({ q, t }: Db, id: string): Promise<boolean> {
  const gone = await q.delete(t.outbox).where(eq(t.outbox.id, id)).returning({ id: t.outbox.id });
  return gone.length > 0;
}
