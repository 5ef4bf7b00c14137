import { AUDIT_AREAS } from "../../../core/audits/check.ts";
import { iterateExportedPages } from "../../../db/exports/exported-rows.ts";
import { exportTable, integer, json, number, text, time, type RowOf } from "../export-table.ts";
import { PLACE_COLUMNS } from "../shared-columns.ts";

export const PAGES_TABLE = exportTable<RowOf<typeof iterateExportedPages>>({
  what: "pages",
  doc: "One row per page and run of a GEO audit.",
  filters: ["analysis_ids", "collect_ids"],
  columns: [
    ...PLACE_COLUMNS,
    text("page_id", (row) => row.pageId, "Id of the page, stable across runs."),
    text("url", (row) => row.url, "URL of the page."),
    text("title", (row) => row.title, "Title of the page."),
    text("type", (row) => row.pageType, "Type of page that the checks assumed."),
    number("type_confidence", (row) => row.typeConfidence, "Confidence in the type, 0 to 1; 1 if a person set it."),
    text("type_corrected", (row) => row.correctedType, "Type set by a person."),
    text(
      "outcome",
      (row) => row.outcome,
      "Worst outcome of the page's checks: pass, warn or fail; skipped: the page could not be fetched.",
    ),
    text("skipped_reason", (row) => row.skippedReason, "Reason why the page could not be fetched."),
    integer("score", (row) => row.score, "Mean of the three area scores.", "0 to 100"),
    ...AUDIT_AREAS.map((area) =>
      integer<RowOf<typeof iterateExportedPages>>(
        area,
        (row) => row.scores?.[area].score ?? null,
        "Score of the area.",
        "0 to 100",
      ),
    ),
    json("failed", (row) => row.outcomes.fail, "Ids of failed checks."),
    json("warned", (row) => row.outcomes.warn, "Ids of checks with warnings."),
    integer("passed", (row) => row.outcomes.passed, "Number of passed checks."),
    json("changes", (row) => row.changes, "Checks whose outcome differs from the previous run: check, was, is."),
    integer("checks_version", (row) => row.checksVersion, "Version of the check rules."),
    time("fetched_at", (row) => row.fetchedAt, "Time when the page was fetched."),
  ],
  rows: iterateExportedPages,
});
