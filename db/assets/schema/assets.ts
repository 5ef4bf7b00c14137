import { ASSET_STATUSES, ASSET_TYPES } from "../../../core/assets/assets.ts";
import * as c from "../../engine/columns.ts";
import { users } from "../../identity/schema/identity.ts";
import { workspaceColumns } from "../../identity/schema/tenant.ts";

export const assets = c.table(
  "assets",
  {
    id: c.id("id").primaryKey(),
    ...workspaceColumns(),
    name: c.string("name").notNull(),
    nameFolded: c.string("name_folded").notNull(),
    type: c.oneOf("type", ASSET_TYPES).notNull(),
    mediaType: c.string("media_type").notNull(),
    sizeBytes: c.int("size_bytes").notNull(),
    /** Hash of the uploaded bytes, in hex; also the name of the stored file. */
    sha256: c.string("sha256").notNull(),
    /** False for inline text and archived assets. */
    hasFile: c.bool("has_file").notNull(),
    status: c.oneOf("status", ASSET_STATUSES).notNull(),
    statusReason: c.string("status_reason"),
    wordCount: c.int("word_count"),
    textLength: c.int("text_length"),
    excerpt: c.string("excerpt"),
    createdBy: c.foreignId("created_by", () => users.id),
    createdAt: c.instant("created_at").notNull(),
    updatedAt: c.instant("updated_at").notNull(),
  },
  (t) => [
    c.index("assets_workspace").on(t.workspaceId, t.id),
    c.index("assets_organization").on(t.organizationId, t.status, t.sizeBytes),
    c.index("assets_file").on(t.sha256, t.hasFile),
  ],
);

/** Lists do not need the text. */
export const assetTexts = c.table("asset_texts", {
  assetId: c
    .id("asset_id")
    .primaryKey()
    .references(() => assets.id),
  text: c.string("text").notNull(),
});

/** Protects a file during upload and after its asset was archived; the last hold deletes it. */
export const fileHolds = c.table(
  "file_holds",
  {
    id: c.id("id").primaryKey(),
    sha256: c.string("sha256").notNull(),
    createdAt: c.instant("created_at").notNull(),
  },
  (t) => [c.index("file_holds_file").on(t.sha256), c.index("file_holds_age").on(t.createdAt)],
);
