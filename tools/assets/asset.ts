import { z } from "zod";
import type { AssetRow } from "../../db/assets/assets.ts";
import { toSnakeCase } from "../../core/shared/snake-case.ts";
import { ASSET_STATUSES, ASSET_TYPES } from "../../core/assets/assets.ts";
import { Id, InstantField, outsideTextSchema, removeInvisible, workspacePath } from "../../core/shared/fields.ts";

export const assetPath = { ...workspacePath, asset_id: Id.describe("Asset; list_assets gives it.") };

export const Asset = z
  .object({
    id: Id,
    name: outsideTextSchema(),
    type: z.enum(ASSET_TYPES).describe("What its bytes are, whatever its name says."),
    media_type: z.string().describe("Media type of its bytes."),
    size_bytes: z.int(),
    sha256: z.string().describe("Of its bytes, in hex."),
    status: z.enum(ASSET_STATUSES),
    status_reason: z.string().nullable().describe("Why it failed, or what was left out."),
    word_count: z.int().nullable().describe("Words of its text; null without text."),
    text_length: z.int().nullable().describe("UTF-16 code units of its text; null without text."),
    excerpt: outsideTextSchema().nullable().describe("How its text begins."),
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
