import { analyses } from "../../analyses/schema/analyses.ts";
import { assets } from "../../assets/schema/assets.ts";
import { foreignKey, id, foreignId, index, instant, int, primaryKey, string, table } from "../../engine/columns.ts";
import { organizations, workspaces } from "../../identity/schema/identity.ts";

/** Two-level labels of a workspace or of the whole organization. */
export const tags = table(
  "tags",
  {
    id: id("id").primaryKey(),
    organizationId: foreignId("organization_id", () => organizations.id),
    /** Null for a tag of the organization. */
    workspaceId: id("workspace_id").references(() => workspaces.id),
    /** Null for a top-level tag. */
    parentId: id("parent_id"),
    name: string("name").notNull(),
    /** `#RRGGBB`; null if unset. */
    color: string("color"),
    /** 0-based position among its siblings, without gaps. */
    position: int("position").notNull(),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (t) => [
    index("tags_siblings").on(t.organizationId, t.workspaceId, t.parentId, t.position),
    index("tags_parent").on(t.parentId),
    foreignKey({ columns: [t.parentId], foreignColumns: [t.id] }),
  ],
);

export const analysisTags = table(
  "analysis_tags",
  {
    analysisId: foreignId("analysis_id", () => analyses.id, { onDelete: "cascade" }),
    tagId: foreignId("tag_id", () => tags.id, { onDelete: "cascade" }),
  },
  (t) => [primaryKey({ columns: [t.analysisId, t.tagId] }), index("analysis_tags_tag").on(t.tagId, t.analysisId)],
);

export const assetTags = table(
  "asset_tags",
  {
    assetId: foreignId("asset_id", () => assets.id, { onDelete: "cascade" }),
    tagId: foreignId("tag_id", () => tags.id, { onDelete: "cascade" }),
  },
  (t) => [primaryKey({ columns: [t.assetId, t.tagId] }), index("asset_tags_tag").on(t.tagId, t.assetId)],
);
