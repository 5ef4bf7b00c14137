import { exportedCitations } from "../../../db/exports/exported-rows.ts";
import { boolean, exportTable, integer, json, text, type RowOf } from "../export-table.ts";
import { ANSWER_COLUMNS, PLACE_COLUMNS } from "../shared-columns.ts";

export const CITATIONS = exportTable<RowOf<typeof exportedCitations>>({
  what: "citations",
  doc: "Each page that an answer cites, or that was read for it and is not cited.",
  filters: ["analysis_ids", "collect_ids", "sources", "brand_ids"],
  columns: [
    ...PLACE_COLUMNS,
    ...ANSWER_COLUMNS,
    integer("position", (row) => row.position, "Its place among the pages of the answer, 0 for the first."),
    boolean("cited", (row) => row.isCited, "false: it was read for the answer, which does not cite it."),
    text("url", (row) => row.url, "Address."),
    text("title", (row) => row.title, "Title, as the source gives it."),
    text("domain", (row) => row.domain, "Domain that can be registered, such as example.com."),
    text("site_kind", (row) => row.competitorType, "Kind of site, in the words of competitor_types."),
    text("brand_id", (row) => row.brandId, "The brand of the catalog whose site it is."),
    text("brand", (row) => row.brand, "Its name."),
    json(
      "spans",
      (row) => row.spans,
      "What of the text it is given for: start and end in UTF-16 code units; null where the provider does not say.",
    ),
  ],
  rows: exportedCitations,
});
