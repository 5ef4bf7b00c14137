import { exportedMentions } from "../../../db/exports/exported-rows.ts";
import { exportTable, integer, json, text, type RowOf } from "../export-table.ts";
import { ANSWER_COLUMNS, PLACE_COLUMNS } from "../shared-columns.ts";

export const MENTIONS = exportTable<RowOf<typeof exportedMentions>>({
  what: "mentions",
  doc: "The place of each brand in each answer that names it, or of a page of results that lists its site. Archived brands keep theirs.",
  filters: ["analysis_ids", "collect_ids", "sources", "brand_ids"],
  columns: [
    ...PLACE_COLUMNS,
    ...ANSWER_COLUMNS,
    text("brand_id", (row) => row.brandId, "Brand."),
    text("brand", (row) => row.brand, "Its name."),
    integer("rank", (row) => row.rank, "Its rank, counting items; 1 is first."),
    integer("brand_rank", (row) => row.brandRank, "Its rank, counting different brands."),
    integer("mentions", (row) => row.mentions, "How often it is named; 0 where a page of results lists its site."),
    text("url", (row) => row.url, "The page of the brand in a page of results."),
    json(
      "spans",
      (row) => row.spans,
      "Where the text names it: start and end in UTF-16 code units, end exclusive, and the text there.",
    ),
  ],
  rows: exportedMentions,
});
