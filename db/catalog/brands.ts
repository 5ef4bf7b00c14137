import { and, asc, eq, gt, inArray, like, ne, or, sql } from "drizzle-orm";
import { claimsOf, type BrandClaim, type BrandNames } from "../../core/brands/brand-conflicts.ts";
import type { TrackedBrand } from "../../core/reading/capture.ts";
import { foldName, type Named } from "../../core/names.ts";
import type { Page } from "../../core/page.ts";
import { prepared, type Tenant } from "../engine/store.ts";
import type { tables } from "../schema.ts";

export type BrandRow = typeof tables.brands.$inferSelect;
export type NewBrand = Omit<typeof tables.brands.$inferInsert, "organizationId" | "workspaceId" | "nameFolded">;

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

/** The ids of the workspace's brands that have one of `names`, by folded name. */
export async function findIdsByName(
  { db: { q, t }, workspaceId }: Tenant,
  names: readonly string[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const part of inParts(names.map(foldName))) {
    const rows = await q
      .select({ id: t.brands.id, name: t.brands.nameFolded })
      .from(t.brands)
      .where(and(eq(t.brands.workspaceId, workspaceId), inArray(t.brands.nameFolded, part)));
    for (const { id, name } of rows) found.set(name, id);
  }
  return found;
}

/** A statement takes only so many values. */
const VALUES_AT_ONCE = 1000;

function inParts(values: readonly string[]): string[][] {
  const each = [...new Set(values)];
  const parts = Math.ceil(each.length / VALUES_AT_ONCE);
  return Array.from({ length: parts }, (_, at) => each.slice(at * VALUES_AT_ONCE, (at + 1) * VALUES_AT_ONCE));
}

/** Brands of the workspace that one of these is the id or the name of, whatever its case. */
export async function listBrandsNamed(
  { db: { q, t }, workspaceId }: Tenant,
  values: readonly string[],
): Promise<Named[]> {
  const ids = values.map((value) => value.toLowerCase());
  return q
    .select({ id: t.brands.id, name: t.brands.name })
    .from(t.brands)
    .where(
      and(
        eq(t.brands.workspaceId, workspaceId),
        or(inArray(t.brands.id, ids), inArray(t.brands.nameFolded, values.map(foldName))),
      ),
    );
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

export async function insertBrand(tenant: Tenant, brand: NewBrand): Promise<BrandRow> {
  await insertBrands(tenant, [brand]);
  const row = await findBrand(tenant, brand.id);
  if (!row) throw new Error("The brand was not stored.");
  return row;
}

/** Stores several brands, which are one change of the catalog. */
export async function insertBrands(tenant: Tenant, brands: readonly NewBrand[]): Promise<void> {
  const { db, organizationId, workspaceId } = tenant;
  await db.bulkInsert(
    db.t.brands,
    brands.map((brand) => ({ ...brand, organizationId, workspaceId, nameFolded: foldName(brand.name) })),
  );
  for (const brand of brands) await insertClaims(tenant, brand);
  await bumpCatalog(tenant);
}

/** What other brands than `exceptId` claim of what `own` claim. */
export async function listClaims(tenant: Tenant, own: readonly BrandClaim[], exceptId: string): Promise<BrandClaim[]> {
  const claims: BrandClaim[] = [];
  // One kind after the other: asked for together, the index would be searched by the workspace alone.
  for (const kind of ["name", "host"] as const) {
    const keys = own.filter((claim) => claim.kind === kind).map(({ key }) => key);
    for (const part of inParts(keys)) claims.push(...(await listClaimsOf(tenant, { kind, keys: part, exceptId })));
  }
  return claims;
}

async function listClaimsOf(
  { db: { q, t }, workspaceId }: Tenant,
  of: { kind: BrandClaim["kind"]; keys: readonly string[]; exceptId: string },
): Promise<BrandClaim[]> {
  const { brandClaims: claims } = t;
  return q
    .select({ kind: claims.kind, key: claims.key, cased: claims.cased, caseSensitive: claims.caseSensitive })
    .from(claims)
    .where(
      and(
        eq(claims.workspaceId, workspaceId),
        eq(claims.kind, of.kind),
        inArray(claims.key, [...of.keys]),
        ne(claims.brandId, of.exceptId),
      ),
    );
}

async function insertClaims(
  { db, organizationId, workspaceId }: Tenant,
  brand: BrandNames & { id: string },
): Promise<void> {
  const of = { organizationId, workspaceId, brandId: brand.id };
  await db.bulkInsert(
    db.t.brandClaims,
    claimsOf(brand).map((claim) => ({ ...of, ...claim })),
  );
}

/** Notes that the catalog is another one now. */
async function bumpCatalog({ db: { q, t }, workspaceId }: Tenant): Promise<void> {
  await q
    .update(t.workspaces)
    .set({ catalogVersion: sql`${t.workspaces.catalogVersion} + 1` })
    .where(eq(t.workspaces.id, workspaceId));
}

const catalogVersion = prepared(({ q, t }) =>
  q
    .select({ version: t.workspaces.catalogVersion })
    .from(t.workspaces)
    .where(eq(t.workspaces.id, sql.placeholder("id"))),
);

/** Which catalog the workspace has: another number after each change of its brands. */
export async function findCatalogVersion({ db, workspaceId }: Tenant): Promise<number> {
  const [row] = await catalogVersion(db, { id: workspaceId });
  return row?.version ?? 0;
}

/** Changes the given columns; undefined if it does not exist. */
export async function updateBrand(
  tenant: Tenant,
  id: string,
  change: Partial<Omit<NewBrand, "id" | "createdAt">>,
): Promise<BrandRow | undefined> {
  const { q, t } = tenant.db;
  const [row] = await q
    .update(t.brands)
    .set({ ...change, ...(change.name === undefined ? {} : { nameFolded: foldName(change.name) }) })
    .where(and(eq(t.brands.workspaceId, tenant.workspaceId), eq(t.brands.id, id)))
    .returning();
  if (!row) return undefined;
  await q.delete(t.brandClaims).where(eq(t.brandClaims.brandId, id));
  await insertClaims(tenant, row);
  await bumpCatalog(tenant);
  return row;
}

/** What keeps a brand from being deleted: its children, and analyses of it. */
export async function countBrandUses({ db: { q, t }, workspaceId }: Tenant, id: string) {
  const children = await q.$count(t.brands, and(eq(t.brands.workspaceId, workspaceId), eq(t.brands.parentId, id)));
  const owned = await q.$count(t.analyses, and(eq(t.analyses.workspaceId, workspaceId), eq(t.analyses.brandId, id)));
  const compared = await q.$count(t.analysisCompetitors, eq(t.analysisCompetitors.brandId, id));
  return { children, analyses: owned + compared };
}

export async function deleteBrand(tenant: Tenant, id: string): Promise<void> {
  const { q, t } = tenant.db;
  await q.delete(t.brands).where(and(eq(t.brands.workspaceId, tenant.workspaceId), eq(t.brands.id, id)));
  await bumpCatalog(tenant);
}
