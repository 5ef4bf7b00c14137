import { exportedJobs } from "../../../db/exports/exported-rows.ts";
import { exportTable, integer, text, time, type RowOf } from "../export-table.ts";
import { COLLECT_EXPORT_COLUMNS, PLACE_COLUMNS, QUESTION_COLUMNS, buildSourceColumns } from "../shared-columns.ts";

export const JOBS_TABLE = exportTable<RowOf<typeof exportedJobs>>({
  what: "jobs",
  doc: "One row per prompt that a run sends to a source, with its outcome. Imported answers have no rows.",
  filters: ["analysis_ids", "collect_ids", "sources"],
  columns: [
    ...PLACE_COLUMNS,
    ...COLLECT_EXPORT_COLUMNS,
    text("job_id", (row) => row.jobId, "Id of the job, which sends one prompt to one source."),
    ...buildSourceColumns(),
    integer("run", (row) => row.run, "Repeat of the prompt within the run, 1 for the first."),
    ...QUESTION_COLUMNS,
    text("status", (row) => row.status, "queued, leased (in progress), succeeded, failed or skipped."),
    integer("attempts", (row) => row.attempts, "Number of attempts."),
    text("outcome", (row) => row.outcome, "Outcome of a job without a usable answer."),
    text("failure_reason", (row) => row.failureReason, "Reason for a missing answer, as a sentence."),
    time("finished_at", (row) => row.finishedAt, "Time when the job finished."),
    text("answer_id", (row) => row.answerId, "Id of the answer; null without an answer."),
  ],
  rows: exportedJobs,
});
