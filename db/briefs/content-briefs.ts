import { asc, getTableColumns } from "drizzle-orm";
import type { Page } from "../../core/shared/pagination.ts";
import type { tables } from "../schema.ts";
import { changeRow } from "../engine/change-row.ts";
import { greaterThan, deleteRows, findRow, insertRow, matches } from "../engine/rows.ts";
import type { Tenant } from "../engine/store.ts";

export type ContentBriefRow = typeof tables.contentBriefs.$inferSelect;

export async function listContentBriefs(
  { db: { q, t }, workspaceId }: Tenant,
  filter: { analysis_id?: string | undefined; result_id?: string | undefined },
  page: Page,
) {
  const { contentBriefs: c } = t;
  const {
    evidence: _e,
    outline: _o,
    citedSources: _s,
    entities: _n,
    questions: _q,
    audience: _a,
    ...columns
  } = getTableColumns(c);
  return q
    .select(columns)
    .from(c)
    .where(
      matches(c, {
        workspaceId,
        analysisId: filter.analysis_id,
        actionId: filter.result_id,
        id: greaterThan(page.after?.[0]),
      }),
    )
    .orderBy(asc(c.id))
    .limit(page.limit + 1);
}
export type ContentBriefSummaryRow = Awaited<ReturnType<typeof listContentBriefs>>[number];

export async function findContentBrief({ db: { q, t }, workspaceId }: Tenant, id: string) {
  return findRow(q, t.contentBriefs, { workspaceId, id });
}

export async function insertContentBrief(
  { db: { q, t }, organizationId, workspaceId }: Tenant,
  brief: Omit<typeof tables.contentBriefs.$inferInsert, "organizationId" | "workspaceId">,
): Promise<ContentBriefRow> {
  return insertRow(q, t.contentBriefs, { ...brief, organizationId, workspaceId });
}

export async function updateContentBrief(
  { db, workspaceId }: Tenant,
  id: string,
  {
    updatedAt,
    ...change
  }: { [C in "title" | "audience" | "outline" | "questions"]?: ContentBriefRow[C] | undefined } & {
    updatedAt: string;
  },
): Promise<ContentBriefRow | undefined> {
  const { contentBriefs: table } = db.t;
  const where = matches(table, { workspaceId, id });
  const { row } = await changeRow(db, { table, where, change, also: { isUserEdited: true, updatedAt } });
  return row;
}

export async function deleteContentBrief({ db: { q, t }, workspaceId }: Tenant, id: string): Promise<boolean> {
  return deleteRows(q, t.contentBriefs, { workspaceId, id });
}
