import { iterateExportedMentions } from "../../../db/exports/exported-rows.ts";
import { exportTable, integer, json, text, type RowOf } from "../export-table.ts";
import { ANSWER_COLUMNS, PLACE_COLUMNS } from "../shared-columns.ts";

export const MENTIONS_TABLE = exportTable<RowOf<typeof iterateExportedMentions>>({
  what: "mentions",
  doc: "One row per brand and answer that names the brand, or per result page that lists its site. Archived brands are included.",
  filters: ["analysis_ids", "collect_ids", "sources", "brand_ids"],
  columns: [
    ...PLACE_COLUMNS,
    ...ANSWER_COLUMNS,
    text("brand_id", (row) => row.brandId, "Id of the brand."),
    text("brand", (row) => row.brand, "Name of the brand."),
    integer("rank", (row) => row.rank, "Rank of the brand, counted in list items; 1 is first."),
    integer("brand_rank", (row) => row.brandRank, "Rank of the brand, counted in distinct brands; 1 is first."),
    integer(
      "mentions",
      (row) => row.mentions,
      "Mentions of the brand in the answer; 0 if a result page lists only its site.",
    ),
    text("url", (row) => row.url, "Page of the brand on a result page."),
    json(
      "spans",
      (row) => row.spans,
      "Positions of the mentions in the text: start and end in UTF-16 code units (end exclusive), and the matched text.",
    ),
  ],
  rows: iterateExportedMentions,
});
