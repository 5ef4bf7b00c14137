import { z } from "zod";
import { listAssets as listAssetRows } from "../../db/assets/assets.ts";
import { ASSET_STATUSES, ASSET_TYPES } from "../../core/assets/assets.ts";
import { Id, listOf, listQuery, textSchema, workspacePath } from "../../core/shared/fields.ts";
import { toPage, parsePagination } from "../../core/shared/pagination.ts";
import { endpoint } from "../endpoint.ts";
import { Asset, shapeAsset } from "./asset.ts";

export const listAssets = endpoint({
  name: "listAssets",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/assets",
  group: "Assets",
  summary: "List assets",
  description: "Find asset ids: the texts, documents, images and videos of a workspace.",
  access: { workspace: "viewer" },
  input: z.strictObject({
    ...workspacePath,
    type: z.enum(ASSET_TYPES).optional().describe("Only assets of this type."),
    status: z.enum(ASSET_STATUSES).optional().describe("Only assets in this status; all but archived by default."),
    tag: Id.optional().describe("Only assets with this tag or a child of it; list_tags gives it."),
    text: textSchema(200).optional().describe("Only assets with this in their name."),
    ...listQuery,
  }),
  output: listOf(Asset),
  async handle(input, { tenant }) {
    const rows = await listAssetRows(tenant, input, parsePagination("assets", input));
    return toPage("assets", input, rows, { key: (row) => [row.id], row: shapeAsset });
  },
});
