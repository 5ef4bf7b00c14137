import { JOB_STATUSES } from "../../../core/analyses/analysis.ts";
import { BACKGROUND_KINDS } from "../../../core/jobs/background.ts";
import { id, index, instant, int, json, oneOf, string, table } from "../../engine/columns.ts";
import { organizationColumns } from "../../identity/schema/tenant.ts";

/** Background jobs. Per kind and subject, at most one is queued and at most one is running. */
export const backgroundJobs = table(
  "background_jobs",
  {
    id: id("id").primaryKey(),
    ...organizationColumns(),
    kind: oneOf("kind", BACKGROUND_KINDS).notNull(),
    subjectId: id("subject_id").notNull(),
    status: oneOf("status", JOB_STATUSES).notNull(),
    attempts: int("attempts").notNull(),
    /** Earliest claim time: a delay, a back-off or the end of a lease. */
    notBefore: instant("not_before").notNull(),
    leaseOwner: string("lease_owner"),
    /** Worker hangs and crashes while the job was running, since its last progress. */
    workerFailures: int("worker_failures").notNull().default(0),
    /** Resume point of a long job, also shown to users. */
    progress: json<Record<string, unknown>>("progress"),
    failureReason: string("failure_reason"),
    createdAt: instant("created_at").notNull(),
    finishedAt: instant("finished_at"),
  },
  (t) => [
    index("background_jobs_ready").on(t.status, t.notBefore, t.id),
    index("background_jobs_subject").on(t.subjectId, t.kind, t.id),
  ],
);
