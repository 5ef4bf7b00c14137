import { foldName } from "../../core/shared/names.ts";
import { findNamesakes, insertBrands, listBrandsByIds, listClaims } from "../../db/catalog/brands.ts";
import { findRoom } from "../../db/credits/quotas.ts";
import { claimsOf, type BrandClaim } from "../../core/brands/brand-conflicts.ts";
import { AppError } from "../../core/shared/errors.ts";
import {
  changeBy,
  refuseClaimed,
  refuseParent,
  requestRereading,
  restoreBrand,
  tidy,
  type BrandFields,
  type Within,
} from "./store-brand.ts";

export type Addition = { status: "created" | "exists"; brandId: string } | { status: "refused"; refusal: AppError };

/** Batches reads and writes of the catalog, because a thousand brands block the writer. */
export async function addBrands(within: Within, brands: readonly BrandFields[]): Promise<Addition[]> {
  const { tenant, now, newId } = within;
  const room = await findRoom(tenant, "brands");
  const known = await knownOf(within, brands);
  const created: (BrandFields & { id: string })[] = [];
  const restored: (BrandFields & { id: string })[] = [];
  const additions = brands.map((fields): Addition => {
    const namesake = known.namesakes.get(foldName(fields.name));
    if (namesake?.archivedAt === null) return { status: "exists", brandId: namesake.id };
    const refusal = room.refuse(created.length + restored.length + 1) ?? refusalOf(fields, known);
    if (refusal) return { status: "refused", refusal };
    const brand = { ...tidy(fields), id: namesake?.id ?? newId() };
    (namesake ? restored : created).push(brand);
    noteBrand(known, brand);
    return { status: "created", brandId: brand.id };
  });
  if (created.length > 0) {
    const rows = created.map((brand) => ({ ...brand, createdAt: now, updatedAt: now }));
    await insertBrands(tenant, rows, changeBy(within));
  }
  for (const { id, ...fields } of restored) await restoreBrand(within, id, fields);
  if (created.length + restored.length > 0) await requestRereading(within);
  return additions;
}

interface Known {
  namesakes: Awaited<ReturnType<typeof findNamesakes>>;
  claims: Map<string, BrandClaim[]>;
  parents: Map<string, Parameters<typeof refuseParent>[1]>;
}

async function knownOf({ tenant }: Within, brands: readonly BrandFields[]): Promise<Known> {
  const names = brands.map(({ name }) => name);
  const parentIds = brands.map(({ parentId }) => parentId).filter((id) => id !== null);
  const parents = await listBrandsByIds(tenant, [...new Set(parentIds)]);
  const known: Known = {
    namesakes: await findNamesakes(tenant, names),
    claims: new Map(),
    parents: new Map(parents.map((parent) => [parent.id, parent])),
  };
  // Archived brands are not in the catalog. A restored brand must not conflict with itself.
  const archived = [...known.namesakes.values()].filter(({ archivedAt }) => archivedAt !== null).map(({ id }) => id);
  noteClaims(known, await listClaims(tenant, brands.flatMap(claimsOf), archived));
  return known;
}

function noteBrand(known: Known, brand: BrandFields & { id: string }): void {
  known.namesakes.set(foldName(brand.name), { id: brand.id, archivedAt: null });
  noteClaims(known, claimsOf(brand));
}

function noteClaims({ claims }: Known, added: readonly BrandClaim[]): void {
  for (const claim of added) claims.set(claim.key, [...(claims.get(claim.key) ?? []), claim]);
}

function refusalOf(fields: BrandFields, { claims, parents }: Known): AppError | undefined {
  try {
    refuseClaimed(
      fields,
      claimsOf(fields).flatMap(({ key }) => claims.get(key) ?? []),
    );
    refuseParent(fields, fields.parentId === null ? undefined : parents.get(fields.parentId));
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}
