import { BRAND_KINDS, BRAND_RELATIONSHIPS } from "../../../core/brands/brand.ts";
import type { BrandAlias } from "../../../core/reading/capture.ts";
import {
  bool,
  foreignKey,
  id,
  foreignId,
  index,
  instant,
  int,
  json,
  oneOf,
  string,
  table,
  uniqueIndex,
} from "../../engine/columns.ts";
import { workspaceColumns } from "../../identity/schema/tenant.ts";

export const brands = table(
  "brands",
  {
    id: id("id").primaryKey(),
    ...workspaceColumns(),
    /** Number that extracted rows and sums reference; 1 for the first brand of the workspace. */
    number: int("number").notNull(),
    name: string("name").notNull(),
    /** NFKC and case-folded name, unique in the workspace. */
    nameFolded: string("name_folded").notNull(),
    domains: json<string[]>("domains").notNull(),
    aliases: json<BrandAlias[]>("aliases").notNull(),
    excludedPhrases: json<string[]>("excluded_phrases").notNull(),
    kind: oneOf("kind", BRAND_KINDS).notNull(),
    parentId: id("parent_id"),
    relationship: oneOf("relationship", BRAND_RELATIONSHIPS).notNull(),
    /** Archived brands are still extracted, so that ranks of other brands do not shift. */
    archivedAt: instant("archived_at"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (t) => [
    uniqueIndex("brands_number").on(t.workspaceId, t.number),
    uniqueIndex("brands_name").on(t.workspaceId, t.nameFolded),
    index("brands_workspace").on(t.workspaceId, t.id),
    index("brands_parent").on(t.parentId),
    foreignKey({ columns: [t.parentId], foreignColumns: [t.id] }),
  ],
);

/** Changes of the brands of a workspace; shown as annotations of time series. */
export const catalogEvents = table(
  "catalog_events",
  {
    id: id("id").primaryKey(),
    ...workspaceColumns(),
    version: int("version").notNull(),
    change: oneOf("change", ["created", "changed", "archived", "restored"]).notNull(),
    brands: int("brands").notNull(),
    brandId: foreignId("brand_id", () => brands.id),
    /** Actor of the change: a user, or a credential of the organization. */
    by: string("by"),
    at: instant("at").notNull(),
  },
  (t) => [index("catalog_events_workspace").on(t.workspaceId, t.id)],
);

/** Names, aliases and hosts as answers are matched, indexed to find conflicts. */
export const brandClaims = table(
  "brand_claims",
  {
    ...workspaceColumns(),
    brandId: foreignId("brand_id", () => brands.id, { onDelete: "cascade" }),
    /** Normalised name or alias, or a host. */
    key: string("key").notNull(),
    kind: oneOf("kind", ["name", "host"]).notNull(),
    /** The spelling with its case; empty for a host. */
    cased: string("cased").notNull(),
    caseSensitive: bool("case_sensitive").notNull(),
  },
  (t) => [index("brand_claims_key").on(t.workspaceId, t.kind, t.key), index("brand_claims_brand").on(t.brandId)],
);

export const personas = table(
  "personas",
  {
    id: id("id").primaryKey(),
    ...workspaceColumns(),
    name: string("name").notNull(),
    archetype: string("archetype").notNull(),
    description: string("description").notNull(),
    demographic: json<Record<string, string>>("demographic").notNull(),
    motivations: json<string[]>("motivations").notNull(),
    painPoints: json<string[]>("pain_points").notNull(),
    coreQuestions: json<string[]>("core_questions").notNull(),
    language: string("language").notNull(),
    country: string("country").notNull(),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (t) => [index("personas_workspace").on(t.workspaceId, t.id)],
);
