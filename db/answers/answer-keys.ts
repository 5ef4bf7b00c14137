import { eq, max, sql } from "drizzle-orm";
import { prepareQuery, type Db } from "../engine/store.ts";

/** Size of the key range of one workspace. */
export const MAX_WORKSPACE_KEYS = 2 ** 31;

/**
 * Returns the first of `count` consecutive keys. Separate ranges keep a workspace's answers
 * together and its writers independent.
 */
export async function allocateAnswerKeys(db: Db, workspaceId: string, count: number): Promise<number> {
  const [taken] = await allocateKeys(db, { workspaceId, count });
  if (taken) return taken.end - count;
  const { q, t } = db;
  const [last] = await q.select({ base: max(t.answerKeys.base) }).from(t.answerKeys);
  const base = last?.base === null || last === undefined ? 0 : last.base + MAX_WORKSPACE_KEYS;
  await q.insert(t.answerKeys).values({ workspaceId, base, next: count });
  return base;
}

const allocateKeys = prepareQuery(({ q, t: { answerKeys } }) =>
  q
    .update(answerKeys)
    .set({ next: sql`${answerKeys.next} + ${sql.placeholder("count")}` })
    .where(eq(answerKeys.workspaceId, sql.placeholder("workspaceId")))
    .returning({ end: sql<number>`${answerKeys.base} + ${answerKeys.next}` }),
);
