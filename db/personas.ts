import { and, asc, eq, gt, inArray } from "drizzle-orm";
import type { Page } from "../src/core/page.ts";
import type { Tenant } from "./store.ts";
import type { tables } from "./schema.ts";

export type PersonaRow = typeof tables.personas.$inferSelect;

export async function findPersona({ db: { q, t }, workspaceId }: Tenant, id: string): Promise<PersonaRow | undefined> {
  const [row] = await q
    .select()
    .from(t.personas)
    .where(and(eq(t.personas.workspaceId, workspaceId), eq(t.personas.id, id)));
  return row;
}

/** Personas of the workspace, the oldest first; one row more than the page. */
export async function listPersonas({ db: { q, t }, workspaceId }: Tenant, page: Page): Promise<PersonaRow[]> {
  return q
    .select()
    .from(t.personas)
    .where(
      and(
        eq(t.personas.workspaceId, workspaceId),
        page.after?.[0] === undefined ? undefined : gt(t.personas.id, page.after[0]),
      ),
    )
    .orderBy(asc(t.personas.id))
    .limit(page.limit + 1);
}

/** Those of `ids` that are personas of the workspace. */
export async function listPersonasByIds(
  { db: { q, t }, workspaceId }: Tenant,
  ids: readonly string[],
): Promise<PersonaRow[]> {
  if (ids.length === 0) return [];
  return q
    .select()
    .from(t.personas)
    .where(and(eq(t.personas.workspaceId, workspaceId), inArray(t.personas.id, [...ids])))
    .orderBy(asc(t.personas.id));
}

export async function insertPersona(
  { db: { q, t }, organizationId, workspaceId }: Tenant,
  persona: Omit<typeof tables.personas.$inferInsert, "organizationId" | "workspaceId">,
): Promise<PersonaRow> {
  const [row] = await q
    .insert(t.personas)
    .values({ ...persona, organizationId, workspaceId })
    .returning();
  if (!row) throw new Error("The persona was not stored.");
  return row;
}
