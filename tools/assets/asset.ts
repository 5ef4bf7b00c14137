import { z } from "zod";
import type { AssetRow } from "../../db/assets/assets.ts";
import { toSnakeCase } from "../../core/shared/snake-case.ts";
import { ASSET_STATUSES, ASSET_TYPES } from "../../core/assets/assets.ts";
import { Id, InstantField, outsideTextSchema, removeInvisible, workspacePath } from "../../core/shared/fields.ts";

export const assetPath = { ...workspacePath, asset_id: Id.describe("Asset id, from list_assets.") };

export const Asset = z
  .object({
    id: Id,
    name: outsideTextSchema(),
    type: z.enum(ASSET_TYPES).describe("Type detected from the file's bytes."),
    media_type: z.string().describe("Media type detected from the file's bytes."),
    size_bytes: z.int(),
    sha256: z.string().describe("SHA-256 of the file, in hex."),
    status: z.enum(ASSET_STATUSES),
    status_reason: z.string().nullable().describe("Reason for failure, or parts that were left out."),
    word_count: z.int().nullable().describe("Number of words; null without text."),
    text_length: z.int().nullable().describe("Length of the text in UTF-16 code units; null without text."),
    excerpt: outsideTextSchema().nullable().describe("Beginning of the text."),
    created_at: InstantField,
    updated_at: InstantField,
  })
  .meta({ id: "Asset" });

export function shapeAsset(row: AssetRow): z.input<typeof Asset> {
  return {
    ...toSnakeCase(row),
    excerpt: row.excerpt === null ? null : removeInvisible(row.excerpt),
  };
}
