import { iterateExportedQueries } from "../../../db/exports/exported-rows.ts";
import { exportTable, integer, text, type RowOf } from "../export-table.ts";
import { ANSWER_COLUMNS, PLACE_COLUMNS } from "../shared-columns.ts";

export const QUERIES_TABLE = exportTable<RowOf<typeof iterateExportedQueries>>({
  what: "queries",
  doc: "One row per search that an assistant ran for an answer.",
  filters: ["analysis_ids", "collect_ids", "sources"],
  columns: [
    ...PLACE_COLUMNS,
    ...ANSWER_COLUMNS,
    integer("position", (row) => row.position, "Position among the searches of the answer, 0 for the first."),
    text("query", (row) => row.query, "Search query."),
  ],
  rows: iterateExportedQueries,
});
