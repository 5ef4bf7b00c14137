import { and, eq } from "drizzle-orm";
import type { IdempotencyId } from "./idempotency.ts";
import type { tables } from "../schema.ts";
import type { Db } from "./store.ts";

// Errands are found by what only invoke() knows, after it has decided who may call; each row says whose it is.

export type ErrandRow = typeof tables.errands.$inferSelect;

export async function insertErrand({ q, t }: Db, errand: ErrandRow): Promise<void> {
  await q.insert(t.errands).values(errand);
}

export async function findErrand({ q, t }: Db, id: string): Promise<ErrandRow | undefined> {
  const [row] = await q.select().from(t.errands).where(eq(t.errands.id, id));
  return row;
}

/** The errand that is under way for this subject. */
export async function findErrandOf({ q, t }: Db, endpoint: string, subjectId: string): Promise<ErrandRow | undefined> {
  const [row] = await q
    .select()
    .from(t.errands)
    .where(and(eq(t.errands.endpoint, endpoint), eq(t.errands.subjectId, subjectId)));
  return row;
}

/** The errand that was begun under this Idempotency-Key and has not ended. */
export async function findErrandByKey({ q, t }: Db, id: IdempotencyId): Promise<ErrandRow | undefined> {
  const [row] = await q
    .select()
    .from(t.errands)
    .where(
      and(eq(t.errands.userId, id.userId), eq(t.errands.endpoint, id.endpoint), eq(t.errands.idempotencyKey, id.key)),
    );
  return row;
}

/** Ends the errand. False where it had ended before. */
export async function deleteErrand({ q, t }: Db, id: string): Promise<boolean> {
  const gone = await q.delete(t.errands).where(eq(t.errands.id, id)).returning({ id: t.errands.id });
  return gone.length > 0;
}
