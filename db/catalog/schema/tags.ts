import { analyses } from "../../analyses/schema/analyses.ts";
import { assets } from "../../assets/schema/assets.ts";
import * as c from "../../engine/columns.ts";
import { organizations, workspaces } from "../../identity/schema/identity.ts";

export const tags = c.table(
  "tags",
  {
    id: c.id("id").primaryKey(),
    organizationId: c.foreignId("organization_id", () => organizations.id),
    /** Null for a tag of the organization. */
    workspaceId: c.id("workspace_id").references(() => workspaces.id),
    parentId: c.id("parent_id"),
    name: c.string("name").notNull(),
    /** `#RRGGBB`. */
    color: c.string("color"),
    /** 0-based among its siblings, without gaps. */
    position: c.int("position").notNull(),
    createdAt: c.instant("created_at").notNull(),
    updatedAt: c.instant("updated_at").notNull(),
  },
  (t) => [
    c.index("tags_siblings").on(t.organizationId, t.workspaceId, t.parentId, t.position),
    c.index("tags_parent").on(t.parentId),
    c.foreignKey({ columns: [t.parentId], foreignColumns: [t.id] }),
  ],
);

export const analysisTags = c.table(
  "analysis_tags",
  {
    analysisId: c.foreignId("analysis_id", () => analyses.id, { onDelete: "cascade" }),
    tagId: c.foreignId("tag_id", () => tags.id, { onDelete: "cascade" }),
  },
  (t) => [c.primaryKey({ columns: [t.analysisId, t.tagId] }), c.index("analysis_tags_tag").on(t.tagId, t.analysisId)],
);

export const assetTags = c.table(
  "asset_tags",
  {
    assetId: c.foreignId("asset_id", () => assets.id, { onDelete: "cascade" }),
    tagId: c.foreignId("tag_id", () => tags.id, { onDelete: "cascade" }),
  },
  (t) => [c.primaryKey({ columns: [t.assetId, t.tagId] }), c.index("asset_tags_tag").on(t.tagId, t.assetId)],
);
