import type { ExportFilters } from "../../../core/exports/exports.ts";
import { iterateExportedBrands, iterateExportedCatalogEvents } from "../../../db/exports/exported-rows.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import { exportTable, integer, json, text, time, type RowOf } from "../export-table.ts";

interface CatalogRow {
  brand?: RowOf<typeof iterateExportedBrands>;
  event?: RowOf<typeof iterateExportedCatalogEvents>;
}

async function* iterateCatalogRows(tenant: Tenant, filters: ExportFilters): AsyncGenerator<CatalogRow[]> {
  for await (const part of iterateExportedBrands(tenant, filters)) yield part.map((brand) => ({ brand }));
  for await (const part of iterateExportedCatalogEvents(tenant, filters)) yield part.map((event) => ({ event }));
}

export const CATALOG_TABLE = exportTable<CatalogRow>({
  what: "catalog",
  doc: "One row per brand, including archived brands (record is brand), then one row per change of the catalog (record is change).",
  filters: ["brand_ids"],
  columns: [
    text("record", ({ brand }) => (brand ? "brand" : "change"), "brand or change."),
    text(
      "brand_id",
      ({ brand, event }) => brand?.id ?? event?.brandId ?? null,
      "Id of the brand; for a change of several brands, the first.",
    ),
    text("name", ({ brand }) => brand?.name ?? null, "Name of the brand."),
    json("aliases", ({ brand }) => brand?.aliases ?? null, "Other names, each with text and case_sensitive."),
    json("domains", ({ brand }) => brand?.domains ?? null, "Domains of the brand."),
    json(
      "excluded_phrases",
      ({ brand }) => brand?.excludedPhrases ?? null,
      "Phrases in which the name does not mean the brand.",
    ),
    text("kind", ({ brand }) => brand?.kind ?? null, "brand, sub_brand or product."),
    text("parent_id", ({ brand }) => brand?.parentId ?? null, "Id of the parent brand."),
    text("relationship", ({ brand }) => brand?.relationship ?? null, "mine, competitor or other."),
    time("created_at", ({ brand }) => brand?.createdAt ?? null, "Time of creation."),
    time("updated_at", ({ brand }) => brand?.updatedAt ?? null, "Time of the last change."),
    time("archived_at", ({ brand }) => brand?.archivedAt ?? null, "Time of archiving; null if active."),
    integer("version", ({ event }) => event?.version ?? null, "Version of the catalog after the change."),
    text("change", ({ event }) => event?.change ?? null, "created, changed, archived or restored."),
    integer("brands", ({ event }) => event?.brands ?? null, "Number of brands in the change."),
    text(
      "changed_by",
      ({ event }) => event?.by ?? null,
      "Author of the change: a user, or a part of the service that acted for the organization.",
    ),
    time("changed_at", ({ event }) => event?.at ?? null, "Time of the change."),
  ],
  rows: iterateCatalogRows,
});
