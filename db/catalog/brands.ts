import { and, asc, desc, eq, inArray, max, notInArray, or, sql } from "drizzle-orm";
import { listBrandClaims, type BrandClaim, type BrandNames } from "../../core/brands/brand-conflicts.ts";
import type { TrackedBrand } from "../../core/reading/capture.ts";
import { foldName, type Named } from "../../core/shared/names.ts";
import type { Instant } from "../../core/shared/time.ts";
import { changeRow } from "../engine/change-row.ts";
import { deleteRows, findRow, matches, pick, updateRows } from "../engine/rows.ts";
import type { Tenant } from "../engine/store.ts";
import type { tables } from "../schema.ts";

export type BrandRow = typeof tables.brands.$inferSelect;
export type NewBrand = Omit<
  typeof tables.brands.$inferInsert,
  "organizationId" | "workspaceId" | "nameFolded" | "number" | "archivedAt"
>;

export interface CatalogChange {
  id: string;
  by: string | null;
  at: Instant;
}

function catalogCondition({ db: { t }, workspaceId }: Tenant) {
  return matches(t.brands, { workspaceId, archivedAt: null });
}

export async function findBrand({ db: { q, t }, workspaceId }: Tenant, id: string): Promise<BrandRow | undefined> {
  return findRow(q, t.brands, { workspaceId, id, archivedAt: null });
}

export async function findAnyBrand({ db: { q, t }, workspaceId }: Tenant, id: string): Promise<BrandRow | undefined> {
  return findRow(q, t.brands, { workspaceId, id });
}

export async function findBrandByName({ db: { q, t }, workspaceId }: Tenant, name: string) {
  return findRow(q, t.brands, { workspaceId, nameFolded: foldName(name) });
}

/** Includes archived brands. */
export async function findBrandsByNames({ db: { q, t }, workspaceId }: Tenant, names: readonly string[]) {
  const found = new Map<string, Pick<BrandRow, "id" | "archivedAt">>();
  for (const part of splitIntoBatches(names.map(foldName))) {
    const rows = await q
      .select({ id: t.brands.id, name: t.brands.nameFolded, archivedAt: t.brands.archivedAt })
      .from(t.brands)
      .where(and(eq(t.brands.workspaceId, workspaceId), inArray(t.brands.nameFolded, part)));
    for (const { name, ...row } of rows) found.set(name, row);
  }
  return found;
}

/** SQLite limits the number of bound values per statement. */
const VALUES_PER_QUERY = 1000;

function splitIntoBatches(values: readonly string[]): string[][] {
  const each = [...new Set(values)];
  const parts = Math.ceil(each.length / VALUES_PER_QUERY);
  return Array.from({ length: parts }, (_, at) => each.slice(at * VALUES_PER_QUERY, (at + 1) * VALUES_PER_QUERY));
}

export async function listBrandsByIdOrName(tenant: Tenant, values: readonly string[]): Promise<Named[]> {
  const { q, t } = tenant.db;
  const ids = values.map((value) => value.toLowerCase());
  return q
    .select({ id: t.brands.id, name: t.brands.name })
    .from(t.brands)
    .where(
      and(catalogCondition(tenant), or(inArray(t.brands.id, ids), inArray(t.brands.nameFolded, values.map(foldName)))),
    );
}

export async function listBrandsByIds(tenant: Tenant, ids: readonly string[]): Promise<BrandRow[]> {
  const { q, t } = tenant.db;
  if (ids.length === 0) return [];
  return q
    .select()
    .from(t.brands)
    .where(and(catalogCondition(tenant), inArray(t.brands.id, [...ids])))
    .orderBy(asc(t.brands.nameFolded), asc(t.brands.id));
}

export function buildTrackedBrandColumns(t: Tenant["db"]["t"]) {
  return {
    ...pick(t.brands, "id", "number", "name", "aliases"),
    excluded_phrases: t.brands.excludedPhrases,
    domains: t.brands.domains,
    kind: t.brands.kind,
    parent_id: t.brands.parentId,
    relationship: t.brands.relationship,
  };
}

/** Includes archived brands, so that ranks of other brands do not shift. */
export async function listTrackedBrands({ db: { q, t }, workspaceId }: Tenant): Promise<TrackedBrand[]> {
  return q
    .select(buildTrackedBrandColumns(t))
    .from(t.brands)
    .where(eq(t.brands.workspaceId, workspaceId))
    .orderBy(asc(t.brands.id));
}

export async function insertBrand(tenant: Tenant, brand: NewBrand, change: CatalogChange): Promise<BrandRow> {
  await insertBrands(tenant, [brand], change);
  const row = await findBrand(tenant, brand.id);
  if (!row) throw new Error("The brand was not stored.");
  return row;
}

export async function insertBrands(tenant: Tenant, brands: readonly NewBrand[], change: CatalogChange): Promise<void> {
  const { db, organizationId, workspaceId } = tenant;
  const { q, t } = db;
  const [last] = await q
    .select({ number: max(t.brands.number) })
    .from(t.brands)
    .where(eq(t.brands.workspaceId, workspaceId));
  const number = (last?.number ?? 0) + 1;
  await db.bulkInsert(
    t.brands,
    brands.map((brand, at) => {
      return { ...brand, organizationId, workspaceId, number: number + at, nameFolded: foldName(brand.name) };
    }),
  );
  for (const brand of brands) await insertBrandClaims(tenant, brand);
  await recordCatalogChange(tenant, {
    ...change,
    change: "created",
    brands: brands.length,
    brandId: brands[0]?.id ?? "",
  });
}

export async function listConflictingClaims(tenant: Tenant, own: readonly BrandClaim[], exceptIds: readonly string[]) {
  const claims: BrandClaim[] = [];
  // One query per kind: with both kinds, SQLite would use the index for the workspace only.
  for (const kind of ["name", "host"] as const) {
    const keys = own.filter((claim) => claim.kind === kind).map(({ key }) => key);
    for (const part of splitIntoBatches(keys))
      claims.push(...(await listClaimsByKey(tenant, { kind, keys: part, exceptIds })));
  }
  return claims;
}

async function listClaimsByKey(
  { db: { q, t }, workspaceId }: Tenant,
  of: { kind: BrandClaim["kind"]; keys: readonly string[]; exceptIds: readonly string[] },
): Promise<BrandClaim[]> {
  const { brandClaims: claims } = t;
  return q
    .select({ kind: claims.kind, key: claims.key, cased: claims.cased, caseSensitive: claims.caseSensitive })
    .from(claims)
    .where(
      and(matches(claims, { workspaceId, kind: of.kind, key: of.keys }), notInArray(claims.brandId, [...of.exceptIds])),
    );
}

async function insertBrandClaims({ db, organizationId, workspaceId }: Tenant, brand: BrandNames & { id: string }) {
  const of = { organizationId, workspaceId, brandId: brand.id };
  await db.bulkInsert(
    db.t.brandClaims,
    listBrandClaims(brand).map((claim) => ({ ...of, ...claim })),
  );
}

async function recordCatalogChange(
  { db: { q, t }, organizationId, workspaceId }: Tenant,
  event: Omit<typeof tables.catalogEvents.$inferInsert, "organizationId" | "workspaceId" | "version">,
): Promise<void> {
  const [workspace] = await q
    .update(t.workspaces)
    .set({ catalogVersion: sql`${t.workspaces.catalogVersion} + 1` })
    .where(eq(t.workspaces.id, workspaceId))
    .returning({ version: t.workspaces.catalogVersion });
  await q.insert(t.catalogEvents).values({ ...event, organizationId, workspaceId, version: workspace?.version ?? 0 });
}

export async function findCatalogVersion({ db: { q, t }, workspaceId }: Tenant): Promise<number> {
  return (await findRow(q, t.workspaces, { id: workspaceId }))?.catalogVersion ?? 0;
}

export async function updateBrand(
  tenant: Tenant,
  id: string,
  columns: Omit<NewBrand, "id" | "createdAt" | "updatedAt">,
  change: CatalogChange & { change: "changed" | "restored" },
): Promise<{ row: BrandRow | undefined; isChanged: boolean }> {
  const { db, workspaceId } = tenant;
  const { brands: table, brandClaims } = db.t;
  const where = matches(table, { workspaceId, id });
  const also = { nameFolded: foldName(columns.name), updatedAt: change.at };
  const { row, changed } = await changeRow(db, { table, where, change: { ...columns, archivedAt: null }, also });
  if (!row || changed.length === 0) return { row, isChanged: false };
  await deleteRows(db.q, brandClaims, { brandId: id });
  await insertBrandClaims(tenant, row);
  await recordCatalogChange(tenant, { ...change, brands: 1, brandId: id });
  return { row, isChanged: true };
}

export async function countBrandUses(tenant: Tenant, id: string) {
  const { q, t } = tenant.db;
  const children = await q.$count(t.brands, and(catalogCondition(tenant), eq(t.brands.parentId, id)));
  const own = matches(t.analyses, { workspaceId: tenant.workspaceId, brandId: id });
  return { children, analyses: await q.$count(t.analyses, own) };
}

/** Answers still match an archived brand, so that ranks of other brands do not shift. */
export async function archiveBrand(tenant: Tenant, id: string, change: CatalogChange): Promise<void> {
  const { q, t } = tenant.db;
  await updateRows(q, t.brands, and(catalogCondition(tenant), eq(t.brands.id, id)), {
    archivedAt: change.at,
    updatedAt: change.at,
  });
  await recordCatalogChange(tenant, { ...change, change: "archived", brands: 1, brandId: id });
}

export async function listCatalogEvents({ db: { q, t }, workspaceId }: Tenant, limit: number) {
  const rows = await q
    .select({
      ...pick(t.catalogEvents, "at", "version", "change", "brands"),
      brand: t.brands.name,
      by: t.users.name,
    })
    .from(t.catalogEvents)
    .innerJoin(t.brands, eq(t.brands.id, t.catalogEvents.brandId))
    .leftJoin(t.users, eq(t.users.id, t.catalogEvents.by))
    .where(eq(t.catalogEvents.workspaceId, workspaceId))
    .orderBy(desc(t.catalogEvents.id))
    .limit(limit);
  return rows.toReversed();
}
