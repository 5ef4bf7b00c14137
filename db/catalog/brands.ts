import { and, asc, eq, gt, inArray, like, sql } from "drizzle-orm";
import type { TrackedBrand } from "../../core/reading/capture.ts";
import type { Page } from "../../core/page.ts";
import type { Tenant } from "../engine/store.ts";
import type { tables } from "../schema.ts";

export type BrandRow = typeof tables.brands.$inferSelect;
export type NewBrand = Omit<typeof tables.brands.$inferInsert, "organizationId" | "workspaceId" | "nameFolded">;

/** Names are the same where their NFKC, lower-case forms are. */
export function foldName(name: string): string {
  return name.normalize("NFKC").toLowerCase();
}

export async function findBrand({ db: { q, t }, workspaceId }: Tenant, id: string): Promise<BrandRow | undefined> {
  const [row] = await q
    .select()
    .from(t.brands)
    .where(and(eq(t.brands.workspaceId, workspaceId), eq(t.brands.id, id)));
  return row;
}

export async function findBrandByName(
  { db: { q, t }, workspaceId }: Tenant,
  name: string,
): Promise<BrandRow | undefined> {
  const [row] = await q
    .select()
    .from(t.brands)
    .where(and(eq(t.brands.workspaceId, workspaceId), eq(t.brands.nameFolded, foldName(name))));
  return row;
}

/** Those of `ids` that are brands of the workspace, by name. */
export async function listBrandsByIds(
  { db: { q, t }, workspaceId }: Tenant,
  ids: readonly string[],
): Promise<BrandRow[]> {
  if (ids.length === 0) return [];
  return q
    .select()
    .from(t.brands)
    .where(and(eq(t.brands.workspaceId, workspaceId), inArray(t.brands.id, [...ids])))
    .orderBy(asc(t.brands.nameFolded), asc(t.brands.id));
}

export interface BrandFilter {
  relationship?: BrandRow["relationship"] | undefined;
  kind?: BrandRow["kind"] | undefined;
  text?: string | undefined;
}

/** Brands of the workspace, oldest first; one row more than the page. */
export async function listBrands(
  { db: { q, t }, workspaceId }: Tenant,
  filter: BrandFilter,
  page: Page,
): Promise<BrandRow[]> {
  const folded =
    filter.text === undefined ? undefined : `%${foldName(filter.text).replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  return q
    .select()
    .from(t.brands)
    .where(
      and(
        eq(t.brands.workspaceId, workspaceId),
        filter.relationship === undefined ? undefined : eq(t.brands.relationship, filter.relationship),
        filter.kind === undefined ? undefined : eq(t.brands.kind, filter.kind),
        folded === undefined ? undefined : sql`${like(t.brands.nameFolded, folded)} escape '\\'`,
        page.after?.[0] === undefined ? undefined : gt(t.brands.id, page.after[0]),
      ),
    )
    .orderBy(asc(t.brands.id))
    .limit(page.limit + 1);
}

/** The whole catalog, as the reading of answers needs it. */
export async function listTrackedBrands({ db: { q, t }, workspaceId }: Tenant): Promise<TrackedBrand[]> {
  return q
    .select({
      id: t.brands.id,
      name: t.brands.name,
      aliases: t.brands.aliases,
      excluded_phrases: t.brands.excludedPhrases,
      domains: t.brands.domains,
      kind: t.brands.kind,
      parent_id: t.brands.parentId,
      relationship: t.brands.relationship,
    })
    .from(t.brands)
    .where(eq(t.brands.workspaceId, workspaceId))
    .orderBy(asc(t.brands.id));
}

export async function insertBrand(
  { db: { q, t }, organizationId, workspaceId }: Tenant,
  brand: NewBrand,
): Promise<BrandRow> {
  const [row] = await q
    .insert(t.brands)
    .values({ ...brand, organizationId, workspaceId, nameFolded: foldName(brand.name) })
    .returning();
  if (!row) throw new Error("The brand was not stored.");
  return row;
}

/** Changes the given columns; undefined if it does not exist. */
export async function updateBrand(
  { db: { q, t }, workspaceId }: Tenant,
  id: string,
  change: Partial<Omit<NewBrand, "id" | "createdAt">>,
): Promise<BrandRow | undefined> {
  const [row] = await q
    .update(t.brands)
    .set({ ...change, ...(change.name === undefined ? {} : { nameFolded: foldName(change.name) }) })
    .where(and(eq(t.brands.workspaceId, workspaceId), eq(t.brands.id, id)))
    .returning();
  return row;
}

/** What keeps a brand from being deleted: its children, and analyses of it. */
export async function countBrandUses({ db: { q, t }, workspaceId }: Tenant, id: string) {
  const children = await q.$count(t.brands, and(eq(t.brands.workspaceId, workspaceId), eq(t.brands.parentId, id)));
  const owned = await q.$count(t.analyses, and(eq(t.analyses.workspaceId, workspaceId), eq(t.analyses.brandId, id)));
  const compared = await q.$count(t.analysisCompetitors, eq(t.analysisCompetitors.brandId, id));
  return { children, analyses: owned + compared };
}

export async function deleteBrand({ db: { q, t }, workspaceId }: Tenant, id: string): Promise<void> {
  await q.delete(t.brands).where(and(eq(t.brands.workspaceId, workspaceId), eq(t.brands.id, id)));
}
