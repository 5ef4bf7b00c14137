import type { FactValue } from "../../../core/claims/fact.ts";
import { id, foreignId, index, instant, int, json, string, table, uniqueIndex } from "../../engine/columns.ts";
import { workspaceColumns } from "../../identity/schema/tenant.ts";
import { brands } from "./catalog.ts";

export const brandFacts = table(
  "brand_facts",
  {
    id: id("id").primaryKey(),
    ...workspaceColumns(),
    brandId: foreignId("brand_id", () => brands.id),
    attribute: string("attribute").notNull(),
    /** NFKC and case-folded attribute, unique per brand. */
    attributeFolded: string("attribute_folded").notNull(),
    value: json<FactValue>("value").notNull(),
    /** Increments when the attribute or value changes; claims refer to one revision. */
    revision: int("revision").notNull().default(1),
    sourceUrl: string("source_url"),
    /** The day the value refers to, such as `2026-11-21`. */
    asOf: string("as_of"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (t) => [
    uniqueIndex("brand_facts_attribute").on(t.brandId, t.attributeFolded),
    index("brand_facts_workspace").on(t.workspaceId, t.id),
  ],
);
