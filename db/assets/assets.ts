import { and, asc, eq, gt, inArray, like, ne, sql } from "drizzle-orm";
import { ASSET_TEXT_LIMIT, describeText } from "../../core/assets/assets.ts";
import type { Page } from "../../core/shared/page.ts";
import type { Instant } from "../../core/shared/time.ts";
import { foldName } from "../../core/shared/names.ts";
import { findRow, insertRow, ownRow } from "../engine/rows.ts";
import type { Tenant } from "../engine/store.ts";
import { taggedAssets } from "../catalog/taggings.ts";
import type { tables } from "../schema.ts";

export type AssetRow = typeof tables.assets.$inferSelect;
export type NewAsset = Omit<typeof tables.assets.$inferInsert, "organizationId" | "workspaceId" | "nameFolded">;

export async function findAsset({ db: { q, t }, workspaceId }: Tenant, id: string): Promise<AssetRow | undefined> {
  return findRow(q, t.assets, ownRow(t.assets, workspaceId, id));
}

export async function listAssetsByIds(
  { db: { q, t }, workspaceId }: Tenant,
  ids: readonly string[],
): Promise<AssetRow[]> {
  if (ids.length === 0) return [];
  return q
    .select()
    .from(t.assets)
    .where(and(eq(t.assets.workspaceId, workspaceId), inArray(t.assets.id, [...ids])))
    .orderBy(asc(t.assets.id));
}

export interface AssetFilter {
  type?: AssetRow["type"] | undefined;
  status?: AssetRow["status"] | undefined;
  /** Id of a tag; what carries a child of it counts too. */
  tag?: string | undefined;
  text?: string | undefined;
}

export async function listAssets({ db, workspaceId }: Tenant, filter: AssetFilter, page: Page): Promise<AssetRow[]> {
  const { q, t } = db;
  const folded =
    filter.text === undefined ? undefined : `%${foldName(filter.text).replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  return q
    .select()
    .from(t.assets)
    .where(
      and(
        eq(t.assets.workspaceId, workspaceId),
        filter.type === undefined ? undefined : eq(t.assets.type, filter.type),
        filter.status === undefined ? ne(t.assets.status, "archived") : eq(t.assets.status, filter.status),
        filter.tag === undefined ? undefined : inArray(t.assets.id, taggedAssets(db, filter.tag)),
        folded === undefined ? undefined : sql`${like(t.assets.nameFolded, folded)} escape '\\'`,
        page.after?.[0] === undefined ? undefined : gt(t.assets.id, page.after[0]),
      ),
    )
    .orderBy(asc(t.assets.id))
    .limit(page.limit + 1);
}

export async function insertAsset(
  { db: { q, t }, organizationId, workspaceId }: Tenant,
  asset: NewAsset,
): Promise<AssetRow> {
  return insertRow(q, t.assets, { ...asset, organizationId, workspaceId, nameFolded: foldName(asset.name) });
}

/** Makes an asset that is being processed ready, with its text. Nothing if it was archived meanwhile. */
export async function storeAssetText(
  { db: { q, t }, workspaceId }: Tenant,
  asset: { id: string; text: string; note: string | null; at: Instant },
): Promise<AssetRow | undefined> {
  const text = asset.text.slice(0, ASSET_TEXT_LIMIT).toWellFormed();
  const [row] = await q
    .update(t.assets)
    .set({ status: "ready", statusReason: asset.note, updatedAt: asset.at, ...describeText(text) })
    .where(and(eq(t.assets.workspaceId, workspaceId), eq(t.assets.id, asset.id), eq(t.assets.status, "processing")))
    .returning();
  if (row) await q.insert(t.assetTexts).values({ assetId: asset.id, text });
  return row;
}

/** Ends an asset that is being processed as failed. Nothing if it was archived meanwhile. */
export async function failAsset(
  { db: { q, t }, workspaceId }: Tenant,
  asset: { id: string; reason: string; at: Instant },
): Promise<void> {
  await q
    .update(t.assets)
    .set({ status: "failed", statusReason: asset.reason, updatedAt: asset.at })
    .where(and(eq(t.assets.workspaceId, workspaceId), eq(t.assets.id, asset.id), eq(t.assets.status, "processing")));
}

export async function findAssetText({ db: { q, t }, workspaceId }: Tenant, id: string): Promise<string | undefined> {
  const [row] = await q
    .select({ text: t.assetTexts.text })
    .from(t.assetTexts)
    .innerJoin(t.assets, eq(t.assets.id, t.assetTexts.assetId))
    .where(ownRow(t.assets, workspaceId, id));
  return row?.text;
}

/** Archives an asset and releases its file, which is deleted once no asset holds it. */
export async function archiveAsset(
  { db: { q, t }, workspaceId }: Tenant,
  asset: AssetRow,
  by: { holdId: string; at: Instant },
): Promise<AssetRow> {
  const [row] = await q
    .update(t.assets)
    .set({ status: "archived", statusReason: null, hasFile: false, updatedAt: by.at })
    .where(ownRow(t.assets, workspaceId, asset.id))
    .returning();
  if (!row) throw new Error("The asset was not archived.");
  if (asset.hasFile) await q.insert(t.fileHolds).values({ id: by.holdId, sha256: asset.sha256, createdAt: by.at });
  return row;
}
