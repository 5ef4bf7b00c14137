import { aliasedTable, and, asc, desc, eq, exists, inArray, isNull, lt, not, or, gt } from "drizzle-orm";
import type { Page } from "../../core/shared/pagination.ts";
import type { tables } from "../schema.ts";
import { containsFolded, findRow, matches } from "../engine/rows.ts";
import type { Tenant } from "../engine/store.ts";

export type SuggestionRow = typeof tables.brandSuggestions.$inferSelect;

export interface SuggestionFilter {
  status?: SuggestionRow["status"] | undefined;
  /** Folded like brand names. */
  folded?: string | undefined;
  sort: "occurrences" | "confidence";
}

/** Omits names whose first word is itself a suggestion. */
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
    .where(matches(brand, { workspaceId, folded: own.lead, listed: true }));
  const key = own[sort];
  const [value, id] = page.after ?? [];
  const after =
    value === undefined || id === undefined
      ? undefined
      : or(lt(key, Number(value)), and(eq(key, Number(value)), gt(own.id, id)));
  return q
    .select()
    .from(own)
    .where(
      and(
        matches(own, { workspaceId, listed: true, status, folded: containsFolded(folded) }),
        or(isNull(own.lead), inArray(own.status, ["accepted", "merged"]), not(exists(led))),
        after,
      ),
    )
    .orderBy(desc(key), asc(own.id))
    .limit(page.limit + 1);
}

export async function findSuggestion({ db: { q, t }, workspaceId }: Tenant, id: string) {
  return findRow(q, t.brandSuggestions, { workspaceId, id });
}

export async function decideSuggestion(
  { db: { q, t }, workspaceId }: Tenant,
  id: string,
  decision: Pick<SuggestionRow, "status" | "brandId" | "mergedAlias" | "updatedAt">,
): Promise<SuggestionRow | undefined> {
  const [row] = await q
    .update(t.brandSuggestions)
    .set(decision)
    .where(matches(t.brandSuggestions, { workspaceId, id }))
    .returning();
  return row;
}

export async function listAnalysesOfAnswers({ db: { q, t }, workspaceId }: Tenant, answerIds: readonly string[]) {
  const rows = await q
    .select({ id: t.answers.id, analysisId: t.answers.analysisId })
    .from(t.answers)
    .where(matches(t.answers, { workspaceId, id: answerIds }))
    .orderBy(asc(t.answers.id));
  return new Map(rows.map((row) => [row.id, row.analysisId]));
}
