import { ASSET_STATUSES, ASSET_TYPES } from "../../../core/assets/assets.ts";
import { bool, id, idOf, index, instant, int, oneOf, string, table } from "../../engine/columns.ts";
import { users } from "../../identity/schema/identity.ts";
import { ofWorkspace } from "../../identity/schema/tenant.ts";

/** Something to be judged: a text, a document, an image, a video. */
export const assets = table(
  "assets",
  {
    id: id("id").primaryKey(),
    ...ofWorkspace(),
    name: string("name").notNull(),
    /** The name under NFKC and case folding, for searching. */
    nameFolded: string("name_folded").notNull(),
    type: oneOf("type", ASSET_TYPES).notNull(),
    mediaType: string("media_type").notNull(),
    sizeBytes: int("size_bytes").notNull(),
    /** SHA-256 of the bytes that were sent, in hex; also the name of the stored file. */
    sha256: string("sha256").notNull(),
    /** True while the bytes are kept as a file: not for a text that was sent as such, nor after archiving. */
    hasFile: bool("has_file").notNull(),
    status: oneOf("status", ASSET_STATUSES).notNull(),
    statusReason: string("status_reason"),
    wordCount: int("word_count"),
    textLength: int("text_length"),
    excerpt: string("excerpt"),
    createdBy: idOf("created_by", () => users.id),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (t) => [
    index("assets_workspace").on(t.workspaceId, t.id),
    index("assets_organization").on(t.organizationId, t.status, t.sizeBytes),
    index("assets_file").on(t.sha256, t.hasFile),
  ],
);

/** The text of an asset, apart from its row because lists do not need it. */
export const assetTexts = table("asset_texts", {
  assetId: id("asset_id")
    .primaryKey()
    .references(() => assets.id),
  text: string("text").notNull(),
});

/**
 * A stored file that no asset may need: one that is being uploaded, or was an archived asset's. It is deleted with its
 * last hold, unless an asset has it by then.
 */
export const fileHolds = table(
  "file_holds",
  {
    id: id("id").primaryKey(),
    sha256: string("sha256").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (t) => [index("file_holds_file").on(t.sha256), index("file_holds_age").on(t.createdAt)],
);
