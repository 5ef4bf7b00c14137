import { and, asc, eq } from "drizzle-orm";
import { foldName } from "../../core/shared/names.ts";
import type { Page } from "../../core/shared/pagination.ts";
import { changeRow } from "../engine/change-row.ts";
import { deleteRows, findRow, insertRow, listPage, matches } from "../engine/rows.ts";
import type { Tenant } from "../engine/store.ts";
import type { tables } from "../schema.ts";

export type BrandFactRow = typeof tables.brandFacts.$inferSelect;
type NewBrandFact = Omit<typeof tables.brandFacts.$inferInsert, "organizationId" | "workspaceId" | "attributeFolded">;

function factOfBrandCondition({ db: { t }, workspaceId }: Tenant, brandId: string) {
  return matches(t.brandFacts, { workspaceId, brandId });
}

export async function listBrandFacts(tenant: Tenant, brandId: string, page: Page): Promise<BrandFactRow[]> {
  const { q, t } = tenant.db;
  return listPage(q, t.brandFacts, { where: factOfBrandCondition(tenant, brandId), ...page });
}

/** Differs whenever answers need checking again. */
export async function readFactRevisions({ db: { q, t }, workspaceId }: Tenant): Promise<string> {
  const { id, revision, workspaceId: owner } = t.brandFacts;
  return JSON.stringify(
    await q.select({ id, revision }).from(t.brandFacts).where(eq(owner, workspaceId)).orderBy(asc(id)),
  );
}

export async function countBrandFacts(tenant: Tenant, brandId: string): Promise<number> {
  const { q, t } = tenant.db;
  return q.$count(t.brandFacts, factOfBrandCondition(tenant, brandId));
}

export async function findBrandFact(tenant: Tenant, { brandId, id }: { brandId: string; id: string }) {
  const { q, t } = tenant.db;
  return findRow(q, t.brandFacts, and(factOfBrandCondition(tenant, brandId), eq(t.brandFacts.id, id)));
}

export async function findFactByAttribute(
  tenant: Tenant,
  { brandId, attribute }: { brandId: string; attribute: string },
): Promise<BrandFactRow | undefined> {
  const { q, t } = tenant.db;
  return findRow(
    q,
    t.brandFacts,
    and(factOfBrandCondition(tenant, brandId), eq(t.brandFacts.attributeFolded, foldName(attribute))),
  );
}

export async function insertBrandFact(tenant: Tenant, fact: NewBrandFact): Promise<BrandFactRow> {
  const { db, organizationId, workspaceId } = tenant;
  return insertRow(db.q, db.t.brandFacts, {
    ...fact,
    organizationId,
    workspaceId,
    attributeFolded: foldName(fact.attribute),
  });
}

type FactChange = Pick<NewBrandFact, "attribute" | "value" | "sourceUrl" | "asOf" | "updatedAt">;

/** Answers are checked again if attribute or value changed. */
export async function updateBrandFact(
  { db, workspaceId }: Tenant,
  fact: BrandFactRow,
  { updatedAt, ...change }: FactChange,
): Promise<BrandFactRow> {
  const said = ({ attribute, value }: Pick<FactChange, "attribute" | "value">) => JSON.stringify([attribute, value]);
  const revision = fact.revision + (said(fact) === said(change) ? 0 : 1);
  const { brandFacts: table } = db.t;
  const where = matches(table, { workspaceId, id: fact.id });
  const also = { updatedAt, revision, attributeFolded: foldName(change.attribute) };
  const { row } = await changeRow(db, { table, where, change, also });
  if (!row) throw new Error("The fact was not changed.");
  return row;
}

export async function deleteBrandFact({ db: { q, t }, workspaceId }: Tenant, { id }: BrandFactRow): Promise<void> {
  await deleteRows(q, t.brandFacts, { workspaceId, id });
}
