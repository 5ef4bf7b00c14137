import { and, asc, desc, isNotNull } from "drizzle-orm";
import { foldName } from "../../core/shared/names.ts";
import type { Page } from "../../core/shared/pagination.ts";
import { greaterThan, lessThan, containsFolded, matches } from "../engine/rows.ts";
import type { Tenant } from "../engine/store.ts";
import type { BrandRow } from "./brands.ts";

export interface BrandFilter {
  relationship?: BrandRow["relationship"] | undefined;
  kind?: BrandRow["kind"] | undefined;
  text?: string | undefined;
  archived?: boolean | undefined;
}

export interface BrandOrder {
  sort: "created_at" | "name";
  sort_direction: "asc" | "desc";
}

export async function listBrands(
  { db: { q, t }, workspaceId }: Tenant,
  filter: BrandFilter,
  { sort, sort_direction, limit, after }: Page & BrandOrder,
): Promise<BrandRow[]> {
  const [beyond, order] = sort_direction === "asc" ? [greaterThan, asc] : [lessThan, desc];
  // Sorts by folded name, which is unique in a workspace, even among archived brands.
  const key = sort === "name" ? t.brands.nameFolded : t.brands.id;
  return q
    .select()
    .from(t.brands)
    .where(and(matches(t.brands, buildBrandConditions(workspaceId, filter)), beyond(after?.[0])(key)))
    .orderBy(order(key))
    .limit(limit + 1);
}

export async function countBrands({ db: { q, t }, workspaceId }: Tenant, filter: BrandFilter): Promise<number> {
  return q.$count(t.brands, matches(t.brands, buildBrandConditions(workspaceId, filter)));
}

function buildBrandConditions(workspaceId: string, { relationship, kind, text, archived }: BrandFilter) {
  const nameFolded = containsFolded(text && foldName(text));
  return { workspaceId, relationship, kind, nameFolded, archivedAt: archived ? isNotNull : null };
}
