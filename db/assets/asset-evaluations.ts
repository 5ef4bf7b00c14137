import { sql } from "drizzle-orm";
import type { Page } from "../../core/shared/pagination.ts";
import type { Instant } from "../../core/shared/time.ts";
import { foldName } from "../../core/shared/names.ts";
import type { tables } from "../schema.ts";
import { changeRow } from "../engine/change-row.ts";
import {
  containsFolded,
  notEqualCondition,
  findRow,
  insertRow,
  listPage,
  matches,
  updateRows,
} from "../engine/rows.ts";
import type { Db, Tenant } from "../engine/store.ts";

export type EvaluationRow = typeof tables.assetEvaluations.$inferSelect;
export type NewEvaluation = Omit<
  typeof tables.assetEvaluations.$inferInsert,
  "organizationId" | "workspaceId" | "nameFolded"
>;

export async function findEvaluation({ db: { q, t }, workspaceId }: Tenant, id: string) {
  return findRow(q, t.assetEvaluations, { workspaceId, id });
}

export interface EvaluationFilter {
  status?: EvaluationRow["status"] | undefined;
  text?: string | undefined;
}

export async function listEvaluations({ db: { q, t }, workspaceId }: Tenant, filter: EvaluationFilter, page: Page) {
  const where = {
    workspaceId,
    status: filter.status ?? notEqualCondition("archived"),
    nameFolded: containsFolded(filter.text && foldName(filter.text)),
  };
  return listPage(q, t.assetEvaluations, { where, ...page });
}

export async function insertEvaluation(
  { db: { q, t }, organizationId, workspaceId }: Tenant,
  evaluation: NewEvaluation,
): Promise<EvaluationRow> {
  return insertRow(q, t.assetEvaluations, {
    ...evaluation,
    organizationId,
    workspaceId,
    nameFolded: foldName(evaluation.name),
  });
}

export async function renameEvaluation(
  { db, workspaceId }: Tenant,
  id: string,
  { name, renamedAt }: { name: string; renamedAt: Instant },
): Promise<EvaluationRow | undefined> {
  const { assetEvaluations: table } = db.t;
  const where = matches(table, { workspaceId, id });
  const change = { name, nameFolded: foldName(name) };
  const { row } = await changeRow(db, { table, where, change, also: { updatedAt: renamedAt } });
  return row;
}

/** Undefined if a run is in progress. */
export async function queueEvaluationRun(
  { db: { q, t }, workspaceId }: Tenant,
  id: string,
  run: { planned: number; unitCredits: number; reservedCredits: number; at: Instant },
): Promise<EvaluationRow | undefined> {
  const { at, ...planned } = run;
  const e = t.assetEvaluations;
  const [row] = await q
    .update(e)
    .set({
      ...planned,
      run: sql`${e.run} + 1`,
      status: "queued",
      statusReason: null,
      judged: 0,
      costCredits: 0,
      startedAt: null,
      finishedAt: null,
      updatedAt: at,
    })
    .where(matches(e, { workspaceId, id, status: ["completed", "partial", "failed"] }))
    .returning();
  return row;
}

/** Does nothing if the run has finished in the meantime. */
export async function startEvaluationRun({ q, t }: Db, evaluation: EvaluationRow, at: Instant): Promise<void> {
  const e = t.assetEvaluations;
  await updateRows(
    q,
    e,
    { id: evaluation.id, run: evaluation.run, status: "queued" },
    { status: "running", startedAt: at, updatedAt: at },
  );
}

/** Undefined if the run had already finished. */
export async function finishEvaluationRun(
  { q, t }: Db,
  evaluation: EvaluationRow,
  end: Pick<EvaluationRow, "status" | "statusReason" | "judged" | "score" | "costCredits">,
  at: Instant,
): Promise<EvaluationRow | undefined> {
  const e = t.assetEvaluations;
  const [row] = await q
    .update(e)
    .set({ ...end, reservedCredits: 0, finishedAt: at, updatedAt: at })
    .where(matches(e, { id: evaluation.id, run: evaluation.run, status: ["queued", "running"] }))
    .returning();
  return row;
}

export async function archiveFinishedEvaluation({ db: { q, t }, workspaceId }: Tenant, id: string, at: Instant) {
  const e = t.assetEvaluations;
  const [row] = await q
    .update(e)
    .set({ status: "archived", updatedAt: at })
    .where(matches(e, { workspaceId, id, status: ["completed", "partial", "failed"] }))
    .returning();
  return row;
}
