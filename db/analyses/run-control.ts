import { and, asc, eq, exists, not, sql } from "drizzle-orm";
import type { AnalysisRow, CollectRow } from "./analyses.ts";
import { changeRow } from "../engine/change-row.ts";
import { matches, updateRows } from "../engine/rows.ts";
import type { Db, Tenant } from "../engine/store.ts";

export async function updateAnalysis(
  { db, workspaceId }: Tenant,
  id: string,
  {
    updatedAt,
    ...change
  }: Partial<Pick<AnalysisRow, "name" | "status" | "statusReason">> & Pick<AnalysisRow, "updatedAt">,
): Promise<AnalysisRow> {
  const { analyses: table } = db.t;
  const where = matches(table, { id, workspaceId });
  const { row } = await changeRow(db, { table, where, change, also: { updatedAt } });
  if (!row) throw new Error("The changed analysis does not exist.");
  return row;
}

/** Excludes imported collects, which send no prompts and complete on their own. */
function notImportCondition({ q, t }: Db) {
  const imported = q.select({ id: t.imports.collectId }).from(t.imports).where(eq(t.imports.collectId, t.collects.id));
  return not(exists(imported));
}

export async function listOpenCollects({ db, workspaceId }: Tenant, analysisId: string): Promise<CollectRow[]> {
  const { q, t } = db;
  return q
    .select()
    .from(t.collects)
    .where(and(matches(t.collects, { workspaceId, analysisId, finishedAt: null }), notImportCondition(db)))
    .orderBy(asc(t.collects.number));
}

export async function setCollectsHeld({ db, workspaceId }: Tenant, analysisId: string, isHeld: boolean): Promise<void> {
  const { q, t } = db;
  await updateRows(
    q,
    t.collects,
    and(matches(t.collects, { workspaceId, analysisId, finishedAt: null }), notImportCondition(db)),
    {
      isHeld,
    },
  );
}

/** `leased` includes jobs submitted to a provider, which bills them. */
export async function countJobs({ db: { q, t } }: Tenant, collectId: string) {
  const [row] = await q
    .select({
      stored: sql<number>`count(*)`,
      leased: sql<number>`coalesce(sum(case when ${t.jobs.status} in ('leased', 'submitted') then 1 else 0 end), 0)`,
    })
    .from(t.jobs)
    .where(eq(t.jobs.collectId, collectId));
  return row ?? { stored: 0, leased: 0 };
}

/** No further question of a cancelled collect is stored or sent. */
export async function cancelCollect(
  { db: { q, t }, workspaceId }: Tenant,
  id: string,
  left: Pick<CollectRow, "planned" | "reservedCredits">,
): Promise<void> {
  await updateRows(q, t.collects, { id, workspaceId }, { ...left, isCanceled: true, isHeld: false });
}
