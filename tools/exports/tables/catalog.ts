import type { ExportFilters } from "../../../core/exports/exports.ts";
import { exportedBrands, exportedCatalogEvents } from "../../../db/exports/exported-rows.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import { exportTable, integer, json, text, time, type RowOf } from "../export-table.ts";

interface CatalogRow {
  brand?: RowOf<typeof exportedBrands>;
  event?: RowOf<typeof exportedCatalogEvents>;
}

async function* rows(tenant: Tenant, filters: ExportFilters): AsyncGenerator<CatalogRow[]> {
  for await (const part of exportedBrands(tenant, filters)) yield part.map((brand) => ({ brand }));
  for await (const part of exportedCatalogEvents(tenant, filters)) yield part.map((event) => ({ event }));
}

export const CATALOG = exportTable<CatalogRow>({
  what: "catalog",
  doc: "Each brand as it is, archived ones too (record is brand), then each change of the catalog with the version that it made (record is change).",
  filters: ["brand_ids"],
  columns: [
    text("record", ({ brand }) => (brand ? "brand" : "change"), "brand or change."),
    text(
      "brand_id",
      ({ brand, event }) => brand?.id ?? event?.brandId ?? null,
      "Brand; of a change of several the first.",
    ),
    text("name", ({ brand }) => brand?.name ?? null, "Name."),
    json("aliases", ({ brand }) => brand?.aliases ?? null, "Other names: text, case_sensitive."),
    json("domains", ({ brand }) => brand?.domains ?? null, "Sites of its own."),
    json("excluded_phrases", ({ brand }) => brand?.excludedPhrases ?? null, "Texts in which a name does not mean it."),
    text("kind", ({ brand }) => brand?.kind ?? null, "brand, sub_brand or product."),
    text("parent_id", ({ brand }) => brand?.parentId ?? null, "The brand that it is part of."),
    text("relationship", ({ brand }) => brand?.relationship ?? null, "mine, competitor or other."),
    time("created_at", ({ brand }) => brand?.createdAt ?? null, "When it was created."),
    time("updated_at", ({ brand }) => brand?.updatedAt ?? null, "When it was last changed."),
    time("archived_at", ({ brand }) => brand?.archivedAt ?? null, "Since when it is out of the catalog."),
    integer("version", ({ event }) => event?.version ?? null, "The version of the catalog that a change made."),
    text("change", ({ event }) => event?.change ?? null, "created, changed, archived or restored."),
    integer("brands", ({ event }) => event?.brands ?? null, "How many brands a change is of."),
    text("changed_by", ({ event }) => event?.by ?? null, "Who made it: a user, or what acted for the organization."),
    time("changed_at", ({ event }) => event?.at ?? null, "When."),
  ],
  rows,
});
