import { AUDIT_AREAS } from "../../../core/audits/check.ts";
import { exportedPages } from "../../../db/exports/exported-rows.ts";
import { exportTable, integer, json, number, text, time, type RowOf } from "../export-table.ts";
import { PLACE_COLUMNS } from "../shared-columns.ts";

export const PAGES = exportTable<RowOf<typeof exportedPages>>({
  what: "pages",
  doc: "Each page of each run of a GEO audit.",
  filters: ["analysis_ids", "collect_ids"],
  columns: [
    ...PLACE_COLUMNS,
    text("page_id", (row) => row.pageId, "Page, the same over all runs."),
    text("url", (row) => row.url, "Address."),
    text("title", (row) => row.title, "Title."),
    text("type", (row) => row.pageType, "Kind of page, as it was checked."),
    number("type_confidence", (row) => row.typeConfidence, "0 to 1; 1 where a person had said so."),
    text("type_corrected", (row) => row.correctedType, "What a person says that it is."),
    text(
      "outcome",
      (row) => row.outcome,
      "The worst of its checks: pass, warn, fail; skipped: it could not be fetched.",
    ),
    text("skipped_reason", (row) => row.skippedReason, "Why it could not be fetched."),
    integer("score", (row) => row.score, "Mean of the three scores.", "0 to 100"),
    ...AUDIT_AREAS.map((area) =>
      integer<RowOf<typeof exportedPages>>(
        area,
        (row) => row.scores?.[area].score ?? null,
        "Score of the area.",
        "0 to 100",
      ),
    ),
    json("failed", (row) => row.outcomes.fail, "Checks that failed."),
    json("warned", (row) => row.outcomes.warn, "Checks that warned."),
    integer("passed", (row) => row.outcomes.passed, "How many checks passed."),
    json("changes", (row) => row.changes, "Checks with another outcome in the run before: check, was, is."),
    integer("checks_version", (row) => row.checksVersion, "The rules that it was checked with."),
    time("fetched_at", (row) => row.fetchedAt, "When it was fetched."),
  ],
  rows: exportedPages,
});
