import { ASSET_STATUSES, ASSET_TYPES } from "../../../core/assets/assets.ts";
import { bool, id, foreignId, index, instant, int, oneOf, string, table } from "../../engine/columns.ts";
import { users } from "../../identity/schema/identity.ts";
import { workspaceColumns } from "../../identity/schema/tenant.ts";

export const assets = table(
  "assets",
  {
    id: id("id").primaryKey(),
    ...workspaceColumns(),
    name: string("name").notNull(),
    nameFolded: string("name_folded").notNull(),
    type: oneOf("type", ASSET_TYPES).notNull(),
    mediaType: string("media_type").notNull(),
    sizeBytes: int("size_bytes").notNull(),
    /** SHA-256 of the uploaded bytes, in hex; also the name of the stored file. */
    sha256: string("sha256").notNull(),
    /** True while the bytes are stored as a file: false for inline text and archived assets. */
    hasFile: bool("has_file").notNull(),
    status: oneOf("status", ASSET_STATUSES).notNull(),
    statusReason: string("status_reason"),
    wordCount: int("word_count"),
    textLength: int("text_length"),
    excerpt: string("excerpt"),
    createdBy: foreignId("created_by", () => users.id),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (t) => [
    index("assets_workspace").on(t.workspaceId, t.id),
    index("assets_organization").on(t.organizationId, t.status, t.sizeBytes),
    index("assets_file").on(t.sha256, t.hasFile),
  ],
);

/** Separate from `assets` because lists do not need the text. */
export const assetTexts = table("asset_texts", {
  assetId: id("asset_id")
    .primaryKey()
    .references(() => assets.id),
  text: string("text").notNull(),
});

/** Protects a file during upload and after its asset was archived; the last hold deletes it. */
export const fileHolds = table(
  "file_holds",
  {
    id: id("id").primaryKey(),
    sha256: string("sha256").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (t) => [index("file_holds_file").on(t.sha256), index("file_holds_age").on(t.createdAt)],
);
