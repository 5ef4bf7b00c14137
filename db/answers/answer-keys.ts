import { eq, max, sql } from "drizzle-orm";
import { prepared, type Db } from "../engine/store.ts";

/** Size of the key range of one workspace. */
export const KEYS_OF_WORKSPACE = 2 ** 31;

/**
 * Returns the first of `count` consecutive keys. Separate ranges keep a workspace's answers
 * together and its writers independent.
 */
export async function takeAnswerKeys(db: Db, workspaceId: string, count: number): Promise<number> {
  const [taken] = await take(db, { workspaceId, count });
  if (taken) return taken.end - count;
  const { q, t } = db;
  const [last] = await q.select({ base: max(t.answerKeys.base) }).from(t.answerKeys);
  const base = last?.base === null || last === undefined ? 0 : last.base + KEYS_OF_WORKSPACE;
  await q.insert(t.answerKeys).values({ workspaceId, base, next: count });
  return base;
}

const take = prepared(({ q, t: { answerKeys } }) =>
  q
    .update(answerKeys)
    .set({ next: sql`${answerKeys.next} + ${sql.placeholder("count")}` })
    .where(eq(answerKeys.workspaceId, sql.placeholder("workspaceId")))
    .returning({ end: sql<number>`${answerKeys.base} + ${answerKeys.next}` }),
);
