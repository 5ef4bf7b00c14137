import { and, asc, countDistinct, eq, or, sql, type SQL, type SQLWrapper } from "drizzle-orm";
import type { Page } from "../../core/shared/pagination.ts";
import { changeRow } from "../engine/change-row.ts";
import { deleteRows, findRow, insertRow, listPage, matches } from "../engine/rows.ts";
import type { Tenant } from "../engine/store.ts";
import type { tables } from "../schema.ts";

export type PersonaRow = typeof tables.personas.$inferSelect;

export async function findPersona({ db: { q, t }, workspaceId }: Tenant, id: string): Promise<PersonaRow | undefined> {
  return findRow(q, t.personas, { workspaceId, id });
}

export async function listPersonas({ db: { q, t }, workspaceId }: Tenant, text: string | undefined, page: Page) {
  const found =
    text === undefined
      ? undefined
      : or(textCondition(t.personas.name, text), textCondition(t.personas.archetype, text));
  return listPage(q, t.personas, { where: and(eq(t.personas.workspaceId, workspaceId), found), ...page });
}

/** SQLite's `lower` folds ASCII only, so other letters match as typed. */
function textCondition(column: SQLWrapper, text: string): SQL {
  const escaped = text.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`);
  const typed = text.replaceAll(/[\\%_]/g, String.raw`\$&`);
  return sql`(lower(${column}) like ${`%${escaped}%`} escape '\\' or ${column} like ${`%${typed}%`} escape '\\')`;
}

export async function listPersonasByIds({ db: { q, t }, workspaceId }: Tenant, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return q
    .select()
    .from(t.personas)
    .where(matches(t.personas, { workspaceId, id: ids }))
    .orderBy(asc(t.personas.id));
}

export async function insertPersona(
  { db: { q, t }, organizationId, workspaceId }: Tenant,
  persona: Omit<typeof tables.personas.$inferInsert, "organizationId" | "workspaceId">,
): Promise<PersonaRow> {
  return insertRow(q, t.personas, { ...persona, organizationId, workspaceId });
}

type ChangeablePersona = Omit<PersonaRow, "id" | "organizationId" | "workspaceId" | "createdAt">;
export type PersonaChange = { [Column in keyof ChangeablePersona]?: ChangeablePersona[Column] | undefined };

export async function updatePersona({ db, workspaceId }: Tenant, id: string, { updatedAt, ...change }: PersonaChange) {
  const { personas: table } = db.t;
  const where = matches(table, { workspaceId, id });
  const { row } = await changeRow(db, { table, where, change, also: { updatedAt } });
  return row;
}

export async function countPersonaUses({ db: { q, t }, workspaceId }: Tenant, id: string): Promise<number> {
  const [row] = await q
    .select({ analyses: countDistinct(t.questions.analysisId) })
    .from(t.analyses)
    .innerJoin(t.questions, matches(t.questions, { analysisId: t.analyses.id, personaId: id }))
    .where(eq(t.analyses.workspaceId, workspaceId));
  return row?.analyses ?? 0;
}

export async function deletePersona({ db: { q, t }, workspaceId }: Tenant, id: string): Promise<void> {
  await deleteRows(q, t.personas, { workspaceId, id });
}
