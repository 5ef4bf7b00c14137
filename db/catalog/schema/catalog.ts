import { BRAND_KINDS, BRAND_RELATIONSHIPS } from "../../../core/brands/brand.ts";
import type { BrandAlias } from "../../../core/reading/capture.ts";
import * as c from "../../engine/columns.ts";
import { workspaceColumns } from "../../identity/schema/tenant.ts";

export const brands = c.table(
  "brands",
  {
    id: c.id("id").primaryKey(),
    ...workspaceColumns(),
    /** 1 for the first brand of the workspace; referenced by extracted rows and sums. */
    number: c.int("number").notNull(),
    name: c.string("name").notNull(),
    /** NFKC and case-folded, unique in the workspace. */
    nameFolded: c.string("name_folded").notNull(),
    domains: c.json<string[]>("domains").notNull(),
    aliases: c.json<BrandAlias[]>("aliases").notNull(),
    excludedPhrases: c.json<string[]>("excluded_phrases").notNull(),
    kind: c.oneOf("kind", BRAND_KINDS).notNull(),
    parentId: c.id("parent_id"),
    relationship: c.oneOf("relationship", BRAND_RELATIONSHIPS).notNull(),
    /** Archived brands are still extracted, so that ranks of other brands do not shift. */
    archivedAt: c.instant("archived_at"),
    createdAt: c.instant("created_at").notNull(),
    updatedAt: c.instant("updated_at").notNull(),
  },
  (t) => [
    c.uniqueIndex("brands_number").on(t.workspaceId, t.number),
    c.uniqueIndex("brands_name").on(t.workspaceId, t.nameFolded),
    c.index("brands_workspace").on(t.workspaceId, t.id),
    c.index("brands_parent").on(t.parentId),
    c.foreignKey({ columns: [t.parentId], foreignColumns: [t.id] }),
  ],
);

/** Shown as annotations of time series. */
export const catalogEvents = c.table(
  "catalog_events",
  {
    id: c.id("id").primaryKey(),
    ...workspaceColumns(),
    version: c.int("version").notNull(),
    change: c.oneOf("change", ["created", "changed", "archived", "restored"]).notNull(),
    brands: c.int("brands").notNull(),
    brandId: c.foreignId("brand_id", () => brands.id),
    /** A user, or a credential of the organization. */
    by: c.string("by"),
    at: c.instant("at").notNull(),
  },
  (t) => [c.index("catalog_events_workspace").on(t.workspaceId, t.id)],
);

export const brandClaims = c.table(
  "brand_claims",
  {
    ...workspaceColumns(),
    brandId: c.foreignId("brand_id", () => brands.id, { onDelete: "cascade" }),
    /** Normalised name or alias, or host. */
    key: c.string("key").notNull(),
    kind: c.oneOf("kind", ["name", "host"]).notNull(),
    /** Empty for a host. */
    cased: c.string("cased").notNull(),
    caseSensitive: c.bool("case_sensitive").notNull(),
  },
  (t) => [c.index("brand_claims_key").on(t.workspaceId, t.kind, t.key), c.index("brand_claims_brand").on(t.brandId)],
);

export const personas = c.table(
  "personas",
  {
    id: c.id("id").primaryKey(),
    ...workspaceColumns(),
    name: c.string("name").notNull(),
    archetype: c.string("archetype").notNull(),
    description: c.string("description").notNull(),
    demographic: c.json<Record<string, string>>("demographic").notNull(),
    motivations: c.json<string[]>("motivations").notNull(),
    painPoints: c.json<string[]>("pain_points").notNull(),
    coreQuestions: c.json<string[]>("core_questions").notNull(),
    language: c.string("language").notNull(),
    country: c.string("country").notNull(),
    createdAt: c.instant("created_at").notNull(),
    updatedAt: c.instant("updated_at").notNull(),
  },
  (t) => [c.index("personas_workspace").on(t.workspaceId, t.id)],
);
