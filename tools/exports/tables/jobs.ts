import { exportedJobs } from "../../../db/exports/exported-rows.ts";
import { exportTable, integer, text, time, type RowOf } from "../export-table.ts";
import { COLLECT_COLUMNS, PLACE_COLUMNS, QUESTION_COLUMNS, sourceColumns } from "../shared-columns.ts";

export const JOBS = exportTable<RowOf<typeof exportedJobs>>({
  what: "jobs",
  doc: "Each question that a collect asks of a source, with how that ended. Imported answers have none.",
  filters: ["analysis_ids", "collect_ids", "sources"],
  columns: [
    ...PLACE_COLUMNS,
    ...COLLECT_COLUMNS,
    text("job_id", (row) => row.jobId, "Job."),
    ...sourceColumns(),
    integer("run", (row) => row.run, "1 for the first time that the collect asks this."),
    ...QUESTION_COLUMNS,
    text("status", (row) => row.status, "queued, leased (being asked), succeeded, failed or skipped."),
    integer("attempts", (row) => row.attempts, "How often it was asked."),
    text("outcome", (row) => row.outcome, "How it ended, where that is not with an answer to read."),
    text("failure_reason", (row) => row.failureReason, "Why there is no answer, for people."),
    time("finished_at", (row) => row.finishedAt, "When it ended."),
    text("answer_id", (row) => row.answerId, "Its answer."),
  ],
  rows: exportedJobs,
});
