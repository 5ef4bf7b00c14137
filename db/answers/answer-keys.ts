import { eq, max, sql } from "drizzle-orm";
import { prepared, type Db } from "../engine/store.ts";

/** How many keys the answers of one workspace can have. */
export const KEYS_OF_WORKSPACE = 2 ** 31;

/**
 * Takes keys for new answers of a workspace, which follow each other: the first of them. Workspaces have ranges of their own, so that
 * those who write in different ones do not wait for each other, and the answers of one lie together.
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
