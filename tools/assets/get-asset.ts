import { z } from "zod";
import { findAsset, findAssetText } from "../../db/assets/assets.ts";
import { listAssetTags } from "../../db/catalog/taggings.ts";
import { ASSET_TEXT_LIMIT } from "../../core/assets/assets.ts";
import { requireFound } from "../../core/shared/errors.ts";
import { Id, outsideTextSchema } from "../../core/shared/fields.ts";
import { endpoint } from "../endpoint.ts";
import { Asset, assetPath, shapeAsset } from "./asset.ts";

const MAX_WINDOW_CHARACTERS = 6000;

export const getAsset = endpoint({
  name: "getAsset",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/assets/:asset_id",
  group: "Assets",
  summary: "Read an asset",
  description: "Read one asset: its state, and 6,000 characters of its text from text_offset on.",
  access: { workspace: "viewer" },
  input: z.strictObject({
    ...assetPath,
    text_offset: z.int().min(0).max(ASSET_TEXT_LIMIT).default(0).describe("First character to return."),
  }),
  output: Asset.extend({
    tags: z.array(z.object({ id: Id, name: outsideTextSchema() })),
    text: outsideTextSchema().nullable().describe("Part of the text. Offsets of scores refer to the full text."),
    text_offset: z.int(),
    next_text_offset: z.int().nullable().describe("text_offset of the next part; null at the end."),
  }).meta({ id: "AssetWithText" }),
  async handle({ asset_id: assetId, text_offset: offset }, { tenant }) {
    const row = requireFound(await findAsset(tenant, assetId), "asset");
    const text = await findAssetText(tenant, assetId);
    const end = offset + MAX_WINDOW_CHARACTERS;
    return {
      ...shapeAsset(row),
      tags: await listAssetTags(tenant, row.id),
      text: text === undefined ? null : text.slice(offset, end).toWellFormed(),
      text_offset: offset,
      next_text_offset: text !== undefined && end < text.length ? end : null,
    };
  },
});
