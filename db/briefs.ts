import { and, eq } from "drizzle-orm";
import type { tables } from "./schema.ts";
import type { Tenant } from "./store.ts";

export type BriefRow = typeof tables.briefs.$inferSelect;

/** The brief of a task; undefined where the task is not one of the action, or the action not one of the workspace. */
export async function findTaskBrief(
  { db: { q, t }, workspaceId }: Tenant,
  ids: { resultId: string; taskId: string },
): Promise<BriefRow | undefined> {
  const [row] = await q
    .select({ brief: t.briefs })
    .from(t.briefs)
    .innerJoin(t.actionTasks, eq(t.actionTasks.id, t.briefs.taskId))
    .where(
      and(
        eq(t.briefs.workspaceId, workspaceId),
        eq(t.briefs.taskId, ids.taskId),
        eq(t.actionTasks.actionId, ids.resultId),
      ),
    );
  return row?.brief;
}
