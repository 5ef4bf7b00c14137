import { z } from "zod";
import { archiveAsset as archiveAssetRow, findAsset } from "../../db/assets/assets.ts";
import { requireFound } from "../../core/shared/errors.ts";
import { endpoint } from "../endpoint.ts";
import { Asset, assetPath, shapeAsset } from "./asset.ts";

export const archiveAsset = endpoint({
  name: "archiveAsset",
  method: "POST",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/assets/:asset_id/archive",
  group: "Assets",
  summary: "Archive an asset",
  logged: "Archived asset {asset_id}",
  description: "Archives an asset for good and deletes its file. Its text and scores stay.",
  access: { workspace: "editor" },
  input: z.strictObject(assetPath),
  output: Asset,
  async handle({ asset_id: assetId }, { tenant, now, newId }) {
    const row = requireFound(await findAsset(tenant, assetId), "asset");
    if (row.status === "archived") return shapeAsset(row);
    return shapeAsset(await archiveAssetRow(tenant, row, { holdId: newId(), archivedAt: now }));
  },
});
