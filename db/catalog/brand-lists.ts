import { and, asc, count, desc, gt, isNotNull, isNull, like, lt, sql } from "drizzle-orm";
import { foldName } from "../../core/shared/names.ts";
import type { Page } from "../../core/shared/page.ts";
import { matches } from "../engine/rows.ts";
import { preparedByShape, type Given, type Tenant } from "../engine/store.ts";
import type { BrandRow } from "./brands.ts";

export interface BrandFilter {
  relationship?: BrandRow["relationship"] | undefined;
  kind?: BrandRow["kind"] | undefined;
  text?: string | undefined;
  /** Those that are archived, and no others. */
  archived?: boolean | undefined;
}

export interface BrandOrder {
  sort: "created_at" | "name";
  sort_direction: "asc" | "desc";
}

type Matching = { workspaceId: string } & { [K in "relationship" | "kind" | "text"]: string | undefined };

const listed = preparedByShape<
  Matching & { first: string | undefined; limit: number },
  BrandOrder & { archived: boolean },
  BrandRow[]
>(({ q, t }, given, { sort, sort_direction: direction, archived }) => {
  const [beyond, way] = direction === "asc" ? [gt, asc] : [lt, desc];
  // Names are unique in a workspace, those of archived brands too.
  const key = sort === "name" ? t.brands.nameFolded : t.brands.id;
  return q
    .select()
    .from(t.brands)
    .where(and(matching(t, given, archived), given.first && beyond(key, given.first)))
    .orderBy(way(key))
    .limit(sql.placeholder("limit"));
});

const counted = preparedByShape<Matching, { archived: boolean }, { rows: number }[]>(({ q, t }, given, { archived }) =>
  q
    .select({ rows: count() })
    .from(t.brands)
    .where(matching(t, given, archived)),
);

export async function listBrands(
  { db, workspaceId }: Tenant,
  filter: BrandFilter,
  { sort, sort_direction, limit, after }: Page & BrandOrder,
): Promise<BrandRow[]> {
  const values = { ...valuesOf(workspaceId, filter), first: after?.[0], limit: limit + 1 };
  return listed(db, values, { sort, sort_direction, archived: filter.archived ?? false });
}

export async function countBrands({ db, workspaceId }: Tenant, filter: BrandFilter): Promise<number> {
  const [row] = await counted(db, valuesOf(workspaceId, filter), { archived: filter.archived ?? false });
  return row?.rows ?? 0;
}

function valuesOf(workspaceId: string, { text, relationship, kind }: BrandFilter): Matching {
  const folded = text === undefined ? undefined : `%${foldName(text).replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  return { workspaceId, relationship, kind, text: folded };
}

function matching(t: Tenant["db"]["t"], { workspaceId, relationship, kind, text }: Given<Matching>, archived: boolean) {
  return and(
    matches(t.brands, { workspaceId, relationship, kind }),
    archived ? isNotNull(t.brands.archivedAt) : isNull(t.brands.archivedAt),
    text && sql`${like(t.brands.nameFolded, text)} escape '\\'`,
  );
}
