import { z } from "zod";
import { listAssets as listAssetRows } from "../../db/assets/assets.ts";
import { ASSET_STATUSES, ASSET_TYPES } from "../../core/assets/assets.ts";
import { Id, listSchema, listQuery, textSchema, workspacePath } from "../../core/shared/fields.ts";
import { toPage, parsePagination } from "../../core/shared/pagination.ts";
import { endpoint } from "../endpoint.ts";
import { Asset, shapeAsset } from "./asset.ts";

export const listAssets = endpoint({
  name: "listAssets",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/assets",
  group: "Assets",
  summary: "List assets",
  description:
    "List assets: texts, documents, images and videos that evaluations score. For your website use get_audit.",
  access: { workspace: "viewer" },
  whenEmpty: "No assets are stored. Programs upload them through REST, described on the page /docs/assets.",
  input: z.strictObject({
    ...workspacePath,
    type: z.enum(ASSET_TYPES).optional().describe("Only this type."),
    status: z.enum(ASSET_STATUSES).optional().describe("Only this status; default: all except archived."),
    tag: Id.optional().describe("Only this tag or its children, from list_tags."),
    text: textSchema(200).optional().describe("Part of the name."),
    ...listQuery,
  }),
  output: listSchema(Asset),
  async handle(input, { tenant }) {
    const rows = await listAssetRows(tenant, input, parsePagination("assets", input));
    return toPage("assets", input, rows, { key: (row) => [row.id], row: shapeAsset });
  },
});
