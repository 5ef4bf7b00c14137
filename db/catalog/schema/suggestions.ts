import { SUGGESTION_STATUSES } from "../../../core/brands/brand-suggestions.ts";
import type { NameSignal } from "../../../core/brands/find-names.ts";
import type { Source } from "../../../core/sources/sources.ts";
import { collects } from "../../analyses/schema/analyses.ts";
import { brands } from "./catalog.ts";
import {
  bool,
  float,
  id,
  foreignId,
  index,
  instant,
  int,
  json,
  oneOf,
  primaryKey,
  string,
  table,
  uniqueIndex,
} from "../../engine/columns.ts";
import { workspaces } from "../../identity/schema/identity.ts";
import { workspaceColumns } from "../../identity/schema/tenant.ts";

/** Names in the answers of a collect that match no brand. Replaced on every scan of the collect. */
export const nameSightings = table(
  "name_sightings",
  {
    workspaceId: foreignId("workspace_id", () => workspaces.id),
    collectId: foreignId("collect_id", () => collects.id),
    folded: string("folded").notNull(),
    text: string("text").notNull(),
    answers: int("answers").notNull(),
    alone: int("alone").notNull(),
    leads: json<string[]>("leads").notNull(),
    signals: json<NameSignal[]>("signals").notNull(),
    sources: json<Source[]>("sources").notNull(),
    examples: json<string[]>("examples").notNull(),
    firstSeenAt: instant("first_seen_at").notNull(),
    lastSeenAt: instant("last_seen_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.collectId, t.folded] }),
    index("name_sightings_name").on(t.workspaceId, t.folded, t.collectId),
  ],
);

export const brandSuggestions = table(
  "brand_suggestions",
  {
    id: id("id").primaryKey(),
    ...workspaceColumns(),
    text: string("text").notNull(),
    folded: string("folded").notNull(),
    /** First word of a multi-word name; if suggested itself, this is its product. */
    lead: string("lead"),
    /** Answers that contain the name; frozen once accepted or merged. */
    occurrences: int("occurrences").notNull(),
    confidence: float("confidence").notNull(),
    signals: json<NameSignal[]>("signals").notNull(),
    examples: json<string[]>("examples").notNull(),
    status: oneOf("status", SUGGESTION_STATUSES).notNull(),
    /**
     * True if users see the suggestion. False without support or once a brand has the name; the row
     * stays for a stable id.
     */
    listed: bool("listed").notNull(),
    brandId: id("brand_id").references(() => brands.id, { onDelete: "set null" }),
    /** The alias that the merge added; null if the brand already had it. */
    mergedAlias: string("merged_alias"),
    firstSeenAt: instant("first_seen_at").notNull(),
    lastSeenAt: instant("last_seen_at").notNull(),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (t) => [
    uniqueIndex("brand_suggestions_name").on(t.workspaceId, t.folded),
    index("brand_suggestions_occurrences").on(t.workspaceId, t.occurrences, t.id),
    index("brand_suggestions_confidence").on(t.workspaceId, t.confidence, t.id),
    index("brand_suggestions_brand").on(t.brandId),
  ],
);
