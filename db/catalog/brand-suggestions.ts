import { aliasedTable, and, asc, desc, eq, exists, inArray, isNull, like, lt, not, or, sql, gt } from "drizzle-orm";
import type { Page } from "../../core/shared/page.ts";
import type { tables } from "../schema.ts";
import { findRow, ownRow } from "../engine/rows.ts";
import type { Tenant } from "../engine/store.ts";

export type SuggestionRow = typeof tables.brandSuggestions.$inferSelect;

export interface SuggestionFilter {
  status?: SuggestionRow["status"] | undefined;
  /** Folded as names are. */
  folded?: string | undefined;
  sort: "occurrences" | "confidence";
}

/**
 * Suggestions of the workspace, the most frequent or the surest first; one row more than the page. A name whose first
 * word is suggested by itself is one of its products and is not listed.
 */
export async function listSuggestions(
  { db: { q, t }, workspaceId }: Tenant,
  { status, folded, sort }: SuggestionFilter,
  page: Page,
): Promise<SuggestionRow[]> {
  const own = t.brandSuggestions;
  const brand = aliasedTable(own, "lead");
  const led = q
    .select({ id: brand.id })
    .from(brand)
    .where(and(eq(brand.workspaceId, workspaceId), eq(brand.folded, own.lead), eq(brand.listed, true)));
  const key = own[sort];
  const [value, id] = page.after ?? [];
  const after =
    value === undefined || id === undefined
      ? undefined
      : or(lt(key, Number(value)), and(eq(key, Number(value)), gt(own.id, id)));
  const pattern = folded === undefined ? undefined : `%${folded.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  return q
    .select()
    .from(own)
    .where(
      and(
        eq(own.workspaceId, workspaceId),
        eq(own.listed, true),
        status === undefined ? undefined : eq(own.status, status),
        pattern === undefined ? undefined : sql`${like(own.folded, pattern)} escape '\\'`,
        or(isNull(own.lead), inArray(own.status, ["accepted", "merged"]), not(exists(led))),
        after,
      ),
    )
    .orderBy(desc(key), asc(own.id))
    .limit(page.limit + 1);
}

export async function findSuggestion(
  { db: { q, t }, workspaceId }: Tenant,
  id: string,
): Promise<SuggestionRow | undefined> {
  return findRow(q, t.brandSuggestions, ownRow(t.brandSuggestions, workspaceId, id));
}

export async function decideSuggestion(
  { db: { q, t }, workspaceId }: Tenant,
  id: string,
  decision: Pick<SuggestionRow, "status" | "brandId" | "mergedAlias" | "updatedAt">,
): Promise<SuggestionRow | undefined> {
  const [row] = await q
    .update(t.brandSuggestions)
    .set(decision)
    .where(ownRow(t.brandSuggestions, workspaceId, id))
    .returning();
  return row;
}

export async function listAnalysesOfAnswers({ db: { q, t }, workspaceId }: Tenant, answerIds: readonly string[]) {
  const rows = await q
    .select({ id: t.answers.id, analysisId: t.answers.analysisId })
    .from(t.answers)
    .where(and(eq(t.answers.workspaceId, workspaceId), inArray(t.answers.id, [...answerIds])))
    .orderBy(asc(t.answers.id));
  return new Map(rows.map((row) => [row.id, row.analysisId]));
}
