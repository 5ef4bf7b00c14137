import { and, exists, inArray, notExists, sql, type SQL } from "drizzle-orm";
import { matches } from "../engine/rows.ts";
import type { Tenant } from "../engine/store.ts";

export interface BrandPresence {
  brandId?: string | undefined;
  /** Only shown answers can lack a brand. */
  absentBrandIds?: readonly string[] | undefined;
  /** At least this many of the brands. */
  named?: { atLeast: number; brandIds: readonly string[] } | undefined;
}

export function brandPresenceCondition(tenant: Tenant, { brandId, absentBrandIds, named }: BrandPresence) {
  return and(
    brandId === undefined ? undefined : exists(selectRanksOfBrands(tenant, [brandId])),
    absentBrandIds && matches(tenant.db.t.answers, { isShown: true }),
    absentBrandIds && notExists(selectRanksOfBrands(tenant, absentBrandIds)),
    named && countCondition(tenant, named),
  );
}

function countCondition(tenant: Tenant, { atLeast, brandIds }: NonNullable<BrandPresence["named"]>): SQL {
  return sql`(select count(*) from ${selectRanksOfBrands(tenant, brandIds)}) >= ${atLeast}`;
}

export function selectBrandNumbers({ db: { q, t }, workspaceId }: Tenant, ids: readonly string[]) {
  return q
    .select({ number: t.brands.number })
    .from(t.brands)
    .where(matches(t.brands, { workspaceId, id: ids }));
}

function selectRanksOfBrands(tenant: Tenant, brandIds: readonly string[]) {
  const { q, t } = tenant.db;
  const isNamed = inArray(t.places.brandNumber, selectBrandNumbers(tenant, brandIds));
  return q
    .select({ number: t.places.brandNumber })
    .from(t.places)
    .where(and(matches(t.places, { answerKey: t.answers.key }), isNamed));
}
