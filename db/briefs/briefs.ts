import { and, eq, sql } from "drizzle-orm";
import type { Instant } from "../../core/shared/time.ts";
import type { tables } from "../schema.ts";
import { changeRow } from "../engine/change-row.ts";
import { matches, updateRows } from "../engine/rows.ts";
import type { Tenant } from "../engine/store.ts";

export type BriefRow = typeof tables.briefs.$inferSelect;

export async function findTaskBrief({ db: { q, t }, workspaceId }: Tenant, ids: { resultId: string; taskId: string }) {
  const [row] = await q
    .select({ brief: t.briefs })
    .from(t.briefs)
    .innerJoin(t.actionTasks, eq(t.actionTasks.id, t.briefs.taskId))
    .where(and(matches(t.briefs, { workspaceId, taskId: ids.taskId }), eq(t.actionTasks.actionId, ids.resultId)));
  return row?.brief;
}

/** Does nothing if a user edited the brief or it was submitted. The first text marks it ready. */
export async function writeBriefText(
  { db: { q, t }, workspaceId }: Tenant,
  taskId: string,
  text: { title: string; body: string; writtenAt: Instant },
): Promise<void> {
  const { title, body, writtenAt } = text;
  await updateRows(
    q,
    t.briefs,
    { workspaceId, taskId, isUserEdited: false, partnerSubmittedAt: null },
    {
      title,
      body,
      readyAt: sql`coalesce(${t.briefs.readyAt}, ${sql.param(writtenAt, t.briefs.readyAt)})`,
      updatedAt: writtenAt,
    },
  );
}

export async function updateBrief(
  { db, workspaceId }: Tenant,
  id: string,
  { updatedAt, ...change }: Pick<BriefRow, "title" | "body" | "isUserEdited" | "status" | "updatedAt">,
): Promise<BriefRow | undefined> {
  const { briefs: table } = db.t;
  const where = matches(table, { workspaceId, id });
  const { row } = await changeRow(db, { table, where, change, also: { updatedAt } });
  return row;
}
