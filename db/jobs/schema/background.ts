import { JOB_STATUSES } from "../../../core/analyses/analysis.ts";
import { BACKGROUND_KINDS } from "../../../core/jobs/background.ts";
import * as c from "../../engine/columns.ts";
import { organizationColumns } from "../../identity/schema/tenant.ts";

/** Per kind and subject, at most one is queued and at most one is running. */
export const backgroundJobs = c.table(
  "background_jobs",
  {
    id: c.id("id").primaryKey(),
    ...organizationColumns(),
    kind: c.oneOf("kind", BACKGROUND_KINDS).notNull(),
    subjectId: c.id("subject_id").notNull(),
    status: c.oneOf("status", JOB_STATUSES).notNull(),
    attempts: c.int("attempts").notNull(),
    /** Earliest claim time: a delay, a back-off or the end of a lease. */
    notBefore: c.instant("not_before").notNull(),
    leaseOwner: c.string("lease_owner"),
    /** Hangs and crashes while the job was running, since its last progress. */
    workerFailures: c.int("worker_failures").notNull().default(0),
    /** Resume point of a long job, also shown to users. */
    progress: c.json<Record<string, unknown>>("progress"),
    failureReason: c.string("failure_reason"),
    createdAt: c.instant("created_at").notNull(),
    finishedAt: c.instant("finished_at"),
  },
  (t) => [
    c.index("background_jobs_ready").on(t.status, t.notBefore, t.id),
    c.index("background_jobs_subject").on(t.subjectId, t.kind, t.id),
  ],
);
