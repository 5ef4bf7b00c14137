import { and, eq, lt } from "drizzle-orm";
import type { Instant } from "../../core/shared/time.ts";
import { deleteSome } from "./delete-some.ts";
import type { Db } from "./store.ts";

export interface IdempotencyId {
  userId: string;
  endpoint: string;
  key: string;
}

export async function findIdempotentResponse({ q, t }: Db, id: IdempotencyId) {
  const [row] = await q
    .select({ inputHash: t.idempotencyKeys.inputHash, response: t.idempotencyKeys.response })
    .from(t.idempotencyKeys)
    .where(
      and(
        eq(t.idempotencyKeys.userId, id.userId),
        eq(t.idempotencyKeys.endpoint, id.endpoint),
        eq(t.idempotencyKeys.key, id.key),
      ),
    );
  return row;
}

export async function insertIdempotentResponse(
  { q, t }: Db,
  id: IdempotencyId,
  answer: { inputHash: string; response: unknown; createdAt: Instant },
): Promise<void> {
  await q.insert(t.idempotencyKeys).values({ ...id, ...answer });
}

export async function deleteOldIdempotencyKeys(db: Db, before: Instant, most: number): Promise<number> {
  const { idempotencyKeys } = db.t;
  return deleteSome(db, idempotencyKeys, lt(idempotencyKeys.createdAt, before), most);
}
