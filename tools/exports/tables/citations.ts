import { iterateExportedCitations } from "../../../db/exports/exported-rows.ts";
import { boolean, exportTable, integer, json, text, type RowOf } from "../export-table.ts";
import { ANSWER_COLUMNS, PLACE_COLUMNS } from "../shared-columns.ts";

export const CITATIONS_TABLE = exportTable<RowOf<typeof iterateExportedCitations>>({
  what: "citations",
  doc: "One row per page that an answer cites, or that the assistant read for the answer without citing it.",
  filters: ["analysis_ids", "collect_ids", "sources", "brand_ids"],
  columns: [
    ...PLACE_COLUMNS,
    ...ANSWER_COLUMNS,
    integer("position", (row) => row.position, "Position among the pages of the answer, 0 for the first."),
    boolean(
      "cited",
      (row) => row.isCited,
      "false: the assistant read the page for the answer, but the answer does not cite it.",
    ),
    text("url", (row) => row.url, "URL of the page."),
    text("title", (row) => row.title, "Title of the page, as the source reports it."),
    text("domain", (row) => row.domain, "Registrable domain, such as example.com."),
    text("site_kind", (row) => row.competitorType, "Type of site, as in competitor_types."),
    text("brand_id", (row) => row.brandId, "Id of the catalog brand that owns the page."),
    text("brand", (row) => row.brand, "Name of the brand."),
    json(
      "spans",
      (row) => row.spans,
      "Parts of the text that the page supports: start and end in UTF-16 code units; null if the provider does not report them.",
    ),
  ],
  rows: iterateExportedCitations,
});
