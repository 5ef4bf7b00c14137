import { enqueueBackgroundJob } from "../../db/jobs/background-jobs.ts";
import {
  archiveBrand,
  countBrandUses,
  findAnyBrand,
  findBrand,
  findBrandByName,
  insertBrand,
  listConflictingClaims,
  updateBrand,
  type BrandRow,
  type CatalogChange,
} from "../../db/catalog/brands.ts";
import { requireQuota } from "../../db/credits/quotas.ts";
import {
  listBrandClaims,
  findBrandConflicts,
  removeRepeatedHosts,
  removeRepeatedAliases,
  type BrandClaim,
} from "../../core/brands/brand-conflicts.ts";
import { AppError, requireFound, invalidInput, notFound } from "../../core/shared/errors.ts";
import type { Context } from "../endpoint.ts";

export type BrandFields = Pick<
  BrandRow,
  "name" | "domains" | "aliases" | "excludedPhrases" | "kind" | "parentId" | "relationship"
>;

export type BrandContext = Pick<Context, "tenant" | "now" | "newId" | "userId">;

/** Queues re-extraction of all answers. Throws QUOTA_EXCEEDED, CONFLICT, VALIDATION_FAILED. */
export async function addBrand(within: BrandContext, fields: BrandFields): Promise<BrandRow> {
  await requireQuota(within.tenant, "brands");
  const row = await insertOrRestore(within, fields);
  await enqueueReread(within);
  return row;
}

async function insertOrRestore(within: BrandContext, fields: BrandFields): Promise<BrandRow> {
  const { tenant, now, newId } = within;
  const namesake = await findBrandByName(tenant, fields.name);
  const archived = namesake?.archivedAt != null ? namesake : undefined;
  const id = archived?.id ?? newId();
  await rejectConflicts(within, id, fields);
  await checkParent(within, id, fields);
  if (!archived)
    return insertBrand(
      tenant,
      { ...removeDuplicates(fields), id, createdAt: now, updatedAt: now },
      buildCatalogChange(within),
    );
  const restored = requireFound(await restoreBrand(within, id, fields), "brand");
  return restored;
}

export async function restoreBrand(
  within: BrandContext,
  id: string,
  fields: BrandFields,
): Promise<BrandRow | undefined> {
  const change = { ...buildCatalogChange(within), change: "restored" as const };
  const { row } = await updateBrand(within.tenant, id, removeDuplicates(fields), change);
  return row;
}

/** Throws NOT_FOUND, QUOTA_EXCEEDED, CONFLICT, VALIDATION_FAILED. */
export async function restoreArchived(within: BrandContext, id: string): Promise<BrandRow> {
  const row = requireFound(await findAnyBrand(within.tenant, id), "brand");
  if (row.archivedAt === null) return row;
  const { name, domains, aliases, excludedPhrases, kind, parentId, relationship } = row;
  return addBrand(within, { name, domains, aliases, excludedPhrases, kind, parentId, relationship });
}

export function buildCatalogChange({ newId, now, userId }: BrandContext): CatalogChange {
  return { id: newId(), by: userId, at: now };
}

/** Queues re-extraction if that can affect answers. Throws CONFLICT, VALIDATION_FAILED. */
export async function changeBrand(
  within: BrandContext,
  row: BrandRow,
  given: { [Field in keyof BrandFields]?: BrandFields[Field] | undefined },
): Promise<BrandRow> {
  const fields: BrandFields = {
    name: given.name ?? row.name,
    domains: given.domains ?? row.domains,
    aliases: given.aliases ?? row.aliases,
    excludedPhrases: given.excludedPhrases ?? row.excludedPhrases,
    kind: given.kind ?? row.kind,
    parentId: given.parentId === undefined ? row.parentId : given.parentId,
    relationship: given.relationship ?? row.relationship,
  };
  // Unchanged values were accepted before and must not block other changes.
  const named = given.name !== undefined || given.aliases !== undefined || given.domains !== undefined;
  if (named) await rejectConflicts(within, row.id, fields);
  await checkParent(within, row.id, fields);
  const change = { ...buildCatalogChange(within), change: "changed" as const };
  const { row: stored, isChanged } = await updateBrand(within.tenant, row.id, removeDuplicates(fields), change);
  if (!stored) throw notFound("brand");
  if (isChanged) await enqueueReread(within);
  return stored;
}

/** Lists and metrics omit the brand, extraction still finds it. Throws NOT_FOUND, CONFLICT. */
export async function archiveUnusedBrand(within: BrandContext, id: string): Promise<void> {
  const { tenant } = within;
  if (!(await findBrand(tenant, id))) throw notFound("brand");
  const uses = await countBrandUses(tenant, id);
  if (uses.children > 0)
    throw new AppError(
      "CONFLICT",
      "Sub-brands or products have this brand as their parent. Archive or move them first.",
    );
  if (uses.analyses > 0)
    throw new AppError(
      "CONFLICT",
      "This is the own brand of an analysis, so it cannot be archived. Archive the analysis, or rename the brand.",
    );
  await archiveBrand(tenant, id, buildCatalogChange(within));
  await enqueueReread(within);
}

export async function enqueueReread({ tenant, now, newId }: BrandContext): Promise<void> {
  const job = { id: newId(), kind: "reread_answers" as const, subjectId: tenant.workspaceId, at: now };
  await enqueueBackgroundJob(tenant, job);
}

export function removeDuplicates(fields: BrandFields): BrandFields {
  return {
    ...fields,
    domains: removeRepeatedHosts(fields.domains),
    aliases: removeRepeatedAliases(fields.name, fields.aliases),
    excludedPhrases: [...new Set(fields.excludedPhrases)],
  };
}

async function rejectConflicts({ tenant }: BrandContext, id: string, fields: BrandFields): Promise<void> {
  const namesake = await findBrandByName(tenant, fields.name);
  if (namesake && namesake.id !== id) {
    throw new AppError(
      "CONFLICT",
      "Another brand of this workspace has this name. Change that one, or choose another name.",
    );
  }
  rejectClaimed(fields, await listConflictingClaims(tenant, listBrandClaims(fields), [id]));
}

export function rejectClaimed(fields: BrandFields, claimed: readonly BrandClaim[]): void {
  const conflicts = findBrandConflicts(fields, claimed);
  if (conflicts.length === 0) return;
  const domain = conflicts.every((conflict) => conflict.with === "domain");
  throw new AppError(
    "CONFLICT",
    domain
      ? "Another brand of this workspace has one of these domains. Remove it from that brand first, or leave it out. An archived brand keeps its own: restore it to change it."
      : "Another brand of this workspace has one of these names. Remove it from that brand first, or leave it out. An archived brand keeps its own: restore it to change it.",
    {
      fields: conflicts.map(({ path, with: kind }) => ({
        path,
        message: kind === "domain" ? "belongs to another brand" : "is a name or alias of another brand",
      })),
    },
  );
}

async function checkParent({ tenant }: BrandContext, id: string, fields: BrandFields): Promise<void> {
  const parent = fields.parentId === null ? undefined : await findBrand(tenant, fields.parentId);
  validateParent(fields, parent?.id === id ? undefined : parent);
  if (!parent) return;
  const { children } = await countBrandUses(tenant, id);
  if (children > 0) throw wrongParentError("must be null for a brand that is itself a parent");
}

export function validateParent({ kind, parentId }: BrandFields, parent: BrandRow | undefined): void {
  if ((kind === "brand") !== (parentId === null)) {
    throw wrongParentError("sub-brands and products name a parent; brands do not");
  }
  if (parentId === null) return;
  if (!parent) throw wrongParentError("must be another brand of this workspace");
  if (parent.kind !== "brand") throw wrongParentError("must be of the kind brand: a parent has no parent");
}

function wrongParentError(message: string): AppError {
  return invalidInput([{ path: "parent_id", message }]);
}
