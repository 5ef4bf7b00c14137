import { sql } from "drizzle-orm";
import type { CollectionMethod } from "../../core/sources/sources.ts";
import { matches, pick } from "../engine/rows.ts";
import type { OrganizationTenant } from "../engine/store.ts";

/** Collection methods of measured answers, by analysis; without analyses that have no such answers. */
export async function listAnalysisMethods(
  { db: { q, t }, organizationId }: OrganizationTenant,
  among: { id?: readonly string[]; workspaceId?: string },
) {
  const rows = await q
    .selectDistinct({ ...pick(t.analyses, "id", "name"), methods: t.collects.collectionMethods })
    .from(t.analyses)
    .innerJoin(t.collects, matches(t.collects, { analysisId: sql`${t.analyses.id}` }))
    .where(matches(t.analyses, { organizationId, ...among }));
  const found = new Map<string, { name: string; methods: Set<CollectionMethod> }>();
  for (const { id, name, methods } of rows) {
    const one = found.get(id) ?? { name, methods: new Set() };
    for (const method of methods) one.methods.add(method);
    found.set(id, one);
  }
  return [...found.values()].filter(({ methods }) => methods.size > 0);
}
