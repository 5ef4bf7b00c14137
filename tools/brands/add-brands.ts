import { foldName } from "../../core/shared/names.ts";
import { findBrandsByNames, insertBrands, listBrandsByIds, listConflictingClaims } from "../../db/catalog/brands.ts";
import { findRemainingQuota } from "../../db/credits/quotas.ts";
import { listBrandClaims, type BrandClaim } from "../../core/brands/brand-conflicts.ts";
import { AppError } from "../../core/shared/errors.ts";
import {
  buildCatalogChange,
  rejectClaimed,
  validateParent,
  enqueueReread,
  restoreBrand,
  removeDuplicates,
  type BrandFields,
  type BrandContext,
} from "./store-brand.ts";

export type AddBrandResult = { status: "created" | "exists"; brandId: string } | { status: "refused"; error: AppError };

/** Batches reads and writes of the catalog, because a thousand brands block the writer. */
export async function addBrands(within: BrandContext, brands: readonly BrandFields[]): Promise<AddBrandResult[]> {
  const { tenant, now, newId } = within;
  const room = await findRemainingQuota(tenant, "brands");
  const existing = await loadKnown(within, brands);
  const created: (BrandFields & { id: string })[] = [];
  const restored: (BrandFields & { id: string })[] = [];
  const additions = brands.map((fields): AddBrandResult => {
    const namesake = existing.namesakes.get(foldName(fields.name));
    if (namesake?.archivedAt === null) return { status: "exists", brandId: namesake.id };
    const error = room.errorFor(created.length + restored.length + 1) ?? findConflict(fields, existing);
    if (error) return { status: "refused", error };
    const brand = { ...removeDuplicates(fields), id: namesake?.id ?? newId() };
    (namesake ? restored : created).push(brand);
    addKnownBrand(existing, brand);
    return { status: "created", brandId: brand.id };
  });
  if (created.length > 0) {
    const rows = created.map((brand) => ({ ...brand, createdAt: now, updatedAt: now }));
    await insertBrands(tenant, rows, buildCatalogChange(within));
  }
  for (const { id, ...fields } of restored) await restoreBrand(within, id, fields);
  if (created.length + restored.length > 0) await enqueueReread(within);
  return additions;
}

interface KnownBrands {
  namesakes: Awaited<ReturnType<typeof findBrandsByNames>>;
  claimsByKey: Map<string, BrandClaim[]>;
  parentsById: Map<string, Parameters<typeof validateParent>[1]>;
}

async function loadKnown({ tenant }: BrandContext, brands: readonly BrandFields[]): Promise<KnownBrands> {
  const names = brands.map(({ name }) => name);
  const parentIds = brands.map(({ parentId }) => parentId).filter((id) => id !== null);
  const parents = await listBrandsByIds(tenant, [...new Set(parentIds)]);
  const known: KnownBrands = {
    namesakes: await findBrandsByNames(tenant, names),
    claimsByKey: new Map(),
    parentsById: new Map(parents.map((parent) => [parent.id, parent])),
  };
  // Archived brands are not in the catalog. A restored brand must not conflict with itself.
  const archived = [...known.namesakes.values()].filter(({ archivedAt }) => archivedAt !== null).map(({ id }) => id);
  addKnownClaims(known, await listConflictingClaims(tenant, brands.flatMap(listBrandClaims), archived));
  return known;
}

function addKnownBrand(known: KnownBrands, brand: BrandFields & { id: string }): void {
  known.namesakes.set(foldName(brand.name), { id: brand.id, archivedAt: null });
  addKnownClaims(known, listBrandClaims(brand));
}

function addKnownClaims({ claimsByKey }: KnownBrands, added: readonly BrandClaim[]): void {
  for (const claim of added) claimsByKey.set(claim.key, [...(claimsByKey.get(claim.key) ?? []), claim]);
}

function findConflict(fields: BrandFields, { claimsByKey, parentsById }: KnownBrands): AppError | undefined {
  try {
    rejectClaimed(
      fields,
      listBrandClaims(fields).flatMap(({ key }) => claimsByKey.get(key) ?? []),
    );
    validateParent(fields, fields.parentId === null ? undefined : parentsById.get(fields.parentId));
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}
