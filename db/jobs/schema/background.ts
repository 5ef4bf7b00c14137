import { JOB_STATUSES } from "../../../core/analyses/analysis.ts";
import { BACKGROUND_KINDS } from "../../../core/jobs/background.ts";
import { id, index, instant, int, json, oneOf, string, table } from "../../engine/columns.ts";
import { ofOrganization } from "../../identity/schema/tenant.ts";

/** Slow work of one kind on one subject. Of a kind and subject at most one waits, and at most one is being done. */
export const backgroundJobs = table(
  "background_jobs",
  {
    id: id("id").primaryKey(),
    ...ofOrganization(),
    kind: oneOf("kind", BACKGROUND_KINDS).notNull(),
    subjectId: id("subject_id").notNull(),
    status: oneOf("status", JOB_STATUSES).notNull(),
    attempts: int("attempts").notNull(),
    /** Not claimed before this instant: a delay, a back-off, or the end of a lease. */
    notBefore: instant("not_before").notNull(),
    leaseOwner: string("lease_owner"),
    /** Hangs and crashes of workers at which the job was in progress since it last got on. */
    workerFailures: int("worker_failures").notNull().default(0),
    /** Where a long job is: what a resume goes on from, and what people are shown. */
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
