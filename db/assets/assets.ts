import { asc, eq, inArray } from "drizzle-orm";
import { ASSET_TEXT_LIMIT, describeText } from "../../core/assets/assets.ts";
import type { Page } from "../../core/shared/pagination.ts";
import type { Instant } from "../../core/shared/time.ts";
import { foldName } from "../../core/shared/names.ts";
import {
  containsFolded,
  notEqualCondition,
  findRow,
  insertRow,
  listPage,
  matches,
  updateRows,
  type RowConditions,
} from "../engine/rows.ts";
import type { Tenant } from "../engine/store.ts";
import { selectTaggedAssets } from "../catalog/taggings.ts";
import type { tables } from "../schema.ts";

export type AssetRow = typeof tables.assets.$inferSelect;
export type NewAsset = Omit<typeof tables.assets.$inferInsert, "organizationId" | "workspaceId" | "nameFolded">;

export async function findAsset({ db: { q, t }, workspaceId }: Tenant, id: string): Promise<AssetRow | undefined> {
  return findRow(q, t.assets, { workspaceId, id });
}

export async function listAssetsByIds({ db: { q, t }, workspaceId }: Tenant, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return q
    .select()
    .from(t.assets)
    .where(matches(t.assets, { workspaceId, id: ids }))
    .orderBy(asc(t.assets.id));
}

export interface AssetFilter {
  type?: AssetRow["type"] | undefined;
  status?: AssetRow["status"] | undefined;
  /** Also matches child tags. */
  tag?: string | undefined;
  text?: string | undefined;
}

export async function listAssets({ db, workspaceId }: Tenant, filter: AssetFilter, page: Page): Promise<AssetRow[]> {
  const { q, t } = db;
  const { type, status = notEqualCondition("archived"), tag, text } = filter;
  const where: RowConditions<typeof t.assets> = {
    workspaceId,
    type,
    status,
    id: (id) => (tag === undefined ? undefined : inArray(id, selectTaggedAssets(db, tag))),
    nameFolded: containsFolded(text && foldName(text)),
  };
  return listPage(q, t.assets, { where, ...page });
}

export async function insertAsset({ db: { q, t }, organizationId, workspaceId }: Tenant, asset: NewAsset) {
  return insertRow(q, t.assets, { ...asset, organizationId, workspaceId, nameFolded: foldName(asset.name) });
}

/** Does nothing if the asset was archived in the meantime. */
export async function storeAssetText(
  { db: { q, t }, workspaceId }: Tenant,
  asset: { id: string; text: string; statusReason: string | null; at: Instant },
): Promise<AssetRow | undefined> {
  const text = asset.text.slice(0, ASSET_TEXT_LIMIT).toWellFormed();
  const [row] = await q
    .update(t.assets)
    .set({ status: "ready", statusReason: asset.statusReason, updatedAt: asset.at, ...describeText(text) })
    .where(matches(t.assets, { workspaceId, id: asset.id, status: "processing" }))
    .returning();
  if (row) await q.insert(t.assetTexts).values({ assetId: asset.id, text });
  return row;
}

/** Does nothing if the asset was archived in the meantime. */
export async function failAsset(
  { db: { q, t }, workspaceId }: Tenant,
  asset: { id: string; reason: string; at: Instant },
): Promise<void> {
  await updateRows(
    q,
    t.assets,
    { workspaceId, id: asset.id, status: "processing" },
    { status: "failed", statusReason: asset.reason, updatedAt: asset.at },
  );
}

export async function findAssetText({ db: { q, t }, workspaceId }: Tenant, id: string): Promise<string | undefined> {
  const [row] = await q
    .select({ text: t.assetTexts.text })
    .from(t.assetTexts)
    .innerJoin(t.assets, eq(t.assets.id, t.assetTexts.assetId))
    .where(matches(t.assets, { workspaceId, id }));
  return row?.text;
}

/** The file is deleted once no asset holds it. */
export async function archiveAsset(
  { db: { q, t }, workspaceId }: Tenant,
  asset: AssetRow,
  by: { holdId: string; archivedAt: Instant },
): Promise<AssetRow> {
  const [row] = await q
    .update(t.assets)
    .set({ status: "archived", statusReason: null, hasFile: false, updatedAt: by.archivedAt })
    .where(matches(t.assets, { workspaceId, id: asset.id }))
    .returning();
  if (!row) throw new Error("The asset was not archived.");
  if (asset.hasFile)
    await q.insert(t.fileHolds).values({ id: by.holdId, sha256: asset.sha256, createdAt: by.archivedAt });
  return row;
}
