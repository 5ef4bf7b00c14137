import type { FactValue } from "../../../core/claims/fact.ts";
import * as c from "../../engine/columns.ts";
import { workspaceColumns } from "../../identity/schema/tenant.ts";
import { brands } from "./catalog.ts";

export const brandFacts = c.table(
  "brand_facts",
  {
    id: c.id("id").primaryKey(),
    ...workspaceColumns(),
    brandId: c.foreignId("brand_id", () => brands.id),
    attribute: c.string("attribute").notNull(),
    /** NFKC and case-folded, unique per brand. */
    attributeFolded: c.string("attribute_folded").notNull(),
    value: c.json<FactValue>("value").notNull(),
    /** Increments when the attribute or value changes; claims refer to one revision. */
    revision: c.int("revision").notNull().default(1),
    sourceUrl: c.string("source_url"),
    /** Day, such as `2026-11-21`. */
    asOf: c.string("as_of"),
    createdAt: c.instant("created_at").notNull(),
    updatedAt: c.instant("updated_at").notNull(),
  },
  (t) => [
    c.uniqueIndex("brand_facts_attribute").on(t.brandId, t.attributeFolded),
    c.index("brand_facts_workspace").on(t.workspaceId, t.id),
  ],
);
