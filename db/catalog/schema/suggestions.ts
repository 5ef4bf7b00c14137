import { SUGGESTION_STATUSES } from "../../../core/brands/brand-suggestions.ts";
import type { NameSignal } from "../../../core/brands/find-names.ts";
import type { Source } from "../../../core/sources/sources.ts";
import { collects } from "../../analyses/schema/analyses.ts";
import { brands } from "./catalog.ts";
import * as c from "../../engine/columns.ts";
import { workspaces } from "../../identity/schema/identity.ts";
import { workspaceColumns } from "../../identity/schema/tenant.ts";

/** Names that match no brand. Replaced on every scan of the collect. */
export const nameSightings = c.table(
  "name_sightings",
  {
    workspaceId: c.foreignId("workspace_id", () => workspaces.id),
    collectId: c.foreignId("collect_id", () => collects.id),
    folded: c.string("folded").notNull(),
    text: c.string("text").notNull(),
    answers: c.int("answers").notNull(),
    alone: c.int("alone").notNull(),
    leads: c.json<string[]>("leads").notNull(),
    signals: c.json<NameSignal[]>("signals").notNull(),
    sources: c.json<Source[]>("sources").notNull(),
    examples: c.json<string[]>("examples").notNull(),
    firstSeenAt: c.instant("first_seen_at").notNull(),
    lastSeenAt: c.instant("last_seen_at").notNull(),
  },
  (t) => [
    c.primaryKey({ columns: [t.collectId, t.folded] }),
    c.index("name_sightings_name").on(t.workspaceId, t.folded, t.collectId),
  ],
);

export const brandSuggestions = c.table(
  "brand_suggestions",
  {
    id: c.id("id").primaryKey(),
    ...workspaceColumns(),
    text: c.string("text").notNull(),
    folded: c.string("folded").notNull(),
    /** First word of a multi-word name; if suggested itself, this is its product. */
    lead: c.string("lead"),
    /** Answers that contain the name; frozen once accepted or merged. */
    occurrences: c.int("occurrences").notNull(),
    confidence: c.float("confidence").notNull(),
    signals: c.json<NameSignal[]>("signals").notNull(),
    examples: c.json<string[]>("examples").notNull(),
    status: c.oneOf("status", SUGGESTION_STATUSES).notNull(),
    /** False without support or once a brand has the name; the row stays for a stable id. */
    listed: c.bool("listed").notNull(),
    brandId: c.id("brand_id").references(() => brands.id, { onDelete: "set null" }),
    /** Null if the brand already had the alias. */
    mergedAlias: c.string("merged_alias"),
    firstSeenAt: c.instant("first_seen_at").notNull(),
    lastSeenAt: c.instant("last_seen_at").notNull(),
    createdAt: c.instant("created_at").notNull(),
    updatedAt: c.instant("updated_at").notNull(),
  },
  (t) => [
    c.uniqueIndex("brand_suggestions_name").on(t.workspaceId, t.folded),
    c.index("brand_suggestions_occurrences").on(t.workspaceId, t.occurrences, t.id),
    c.index("brand_suggestions_confidence").on(t.workspaceId, t.confidence, t.id),
    c.index("brand_suggestions_brand").on(t.brandId),
  ],
);
