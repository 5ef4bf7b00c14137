import { and, asc, eq, inArray, or, sql } from "drizzle-orm";
import { foldName, type Named } from "../../core/shared/names.ts";
import type { Db, Tenant } from "../engine/store.ts";

function listNamedTables({ t }: Db) {
  const { analyses, assets, assetEvaluations: evaluations, contentBriefs: briefs, personas } = t;
  return {
    analysis: { table: analyses, name: analyses.name, folded: sql`lower(${analyses.name})` },
    asset: { table: assets, name: assets.name, folded: sql`${assets.nameFolded}` },
    evaluation: { table: evaluations, name: evaluations.name, folded: sql`${evaluations.nameFolded}` },
    content_brief: { table: briefs, name: briefs.title, folded: sql`lower(${briefs.title})` },
    persona: { table: personas, name: personas.name, folded: sql`lower(${personas.name})` },
  };
}

export type NamedItemKind = keyof ReturnType<typeof listNamedTables>;

/** SQLite's `lower` folds ASCII only, so other letters match by exact case. */
export async function findNamedItems({ db, workspaceId }: Tenant, kind: NamedItemKind, values: readonly string[]) {
  const { table, name, folded } = listNamedTables(db)[kind];
  const ids = values.map((value) => value.toLowerCase());
  const isMeant = or(inArray(table.id, ids), inArray(name, [...values]), inArray(folded, values.map(foldName)));
  return db.q
    .select({ id: table.id, name: sql<string>`${name}` })
    .from(table)
    .where(and(eq(table.workspaceId, workspaceId), isMeant));
}

export async function listNamedItems({ db, workspaceId }: Tenant, kind: NamedItemKind): Promise<Named[]> {
  const { table, name } = listNamedTables(db)[kind];
  return db.q
    .select({ id: table.id, name: sql<string>`${name}` })
    .from(table)
    .where(eq(table.workspaceId, workspaceId))
    .orderBy(asc(name), asc(table.id));
}
