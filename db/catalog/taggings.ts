import { asc, eq, inArray, or } from "drizzle-orm";
import { recordChangedColumns } from "../engine/change-row.ts";
import { deleteRows } from "../engine/rows.ts";
import type { Db, Tenant } from "../engine/store.ts";

export async function listAnalysisTags({ db: { q, t } }: Tenant, analysisId: string) {
  return q
    .select({ id: t.tags.id, name: t.tags.name })
    .from(t.analysisTags)
    .innerJoin(t.tags, eq(t.tags.id, t.analysisTags.tagId))
    .where(eq(t.analysisTags.analysisId, analysisId))
    .orderBy(asc(t.tags.id));
}

function selectChildIds({ q, t }: Db, tagId: string) {
  return q.select({ id: t.tags.id }).from(t.tags).where(eq(t.tags.parentId, tagId));
}

/** Includes child tags. Not tenant-scoped: use within a query that is. */
export function selectTaggedAnalyses(db: Db, tagId: string) {
  const { q, t } = db;
  return q
    .select({ id: t.analysisTags.analysisId })
    .from(t.analysisTags)
    .where(or(eq(t.analysisTags.tagId, tagId), inArray(t.analysisTags.tagId, selectChildIds(db, tagId))));
}

/** Includes child tags. Not tenant-scoped: use within a query that is. */
export function selectTaggedAssets(db: Db, tagId: string) {
  const { q, t } = db;
  return q
    .select({ id: t.assetTags.assetId })
    .from(t.assetTags)
    .where(or(eq(t.assetTags.tagId, tagId), inArray(t.assetTags.tagId, selectChildIds(db, tagId))));
}

export async function listAssetTags({ db: { q, t } }: Tenant, assetId: string) {
  return q
    .select({ id: t.tags.id, name: t.tags.name })
    .from(t.assetTags)
    .innerJoin(t.tags, eq(t.tags.id, t.assetTags.tagId))
    .where(eq(t.assetTags.assetId, assetId))
    .orderBy(asc(t.tags.id));
}

export async function replaceAnalysisTags(tenant: Tenant, analysisId: string, tagIds: readonly string[]) {
  if (!recordTagChange(tenant, await listAnalysisTags(tenant, analysisId), tagIds)) return;
  const { q, t } = tenant.db;
  await deleteRows(q, t.analysisTags, { analysisId });
  if (tagIds.length > 0) await q.insert(t.analysisTags).values(tagIds.map((tagId) => ({ analysisId, tagId })));
}

export async function replaceAssetTags(tenant: Tenant, assetId: string, tagIds: readonly string[]): Promise<void> {
  if (!recordTagChange(tenant, await listAssetTags(tenant, assetId), tagIds)) return;
  const { q, t } = tenant.db;
  await deleteRows(q, t.assetTags, { assetId });
  if (tagIds.length > 0) await q.insert(t.assetTags).values(tagIds.map((tagId) => ({ assetId, tagId })));
}

function recordTagChange({ db }: Tenant, before: readonly { id: string }[], tagIds: readonly string[]): boolean {
  const isSame = before.length === tagIds.length && before.every(({ id }) => tagIds.includes(id));
  recordChangedColumns(db, isSame ? [] : ["tagIds"]);
  return !isSame;
}
