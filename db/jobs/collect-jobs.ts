import { and, asc, eq, exists, gt, inArray, isNull, lte, ne, or, sql } from "drizzle-orm";
import type { QuestionOutcome } from "../../core/sources/question-outcomes.ts";
import { JOB_SOURCES, toSource, type JobSource, type Source } from "../../core/sources/sources.ts";
import type { Submission } from "../../core/sources/submission.ts";
import { type Instant, latestPlausible } from "../../core/shared/time.ts";
import { MAX_LEASE_MS, MAX_RETRY_MS } from "../../core/jobs/waits.ts";
import { alias } from "../engine/columns.ts";
import { greaterThan, matches, pick, updateRows } from "../engine/rows.ts";
import { prepareQuery, type Db } from "../engine/store.ts";
import { buildPromptContextColumns } from "../analyses/prompt-context.ts";
import { pickPausedTasks, pickJobs, type JobSlots, type RoundRobinCursor } from "./pick-jobs.ts";

// Workers serve every organization, so no tenant applies; claimed jobs name theirs.

const selectWaitingJob = prepareQuery(({ q, t }) =>
  q
    .select({ id: t.jobs.id })
    .from(t.jobs)
    .where(and(eq(t.jobs.status, sql.placeholder("status")), lte(t.jobs.notBefore, sql.placeholder("now"))))
    .orderBy(asc(t.jobs.notBefore), asc(t.jobs.id))
    .limit(1),
);

/** Held collects count only if they have submitted tasks to poll. */
export async function hasReadyJobs(db: Db, now: Instant): Promise<boolean> {
  if ((await selectReadyCollect(db, { now: Date.parse(now) })).length > 0) return true;
  return (await pickPausedTasks(db, { sources: JOB_SOURCES, now }, 1)).length > 0;
}

const selectReadyCollect = prepareQuery(({ q, t }) =>
  q
    .select({ id: t.collects.id })
    .from(t.collects)
    .where(
      and(
        matches(t.collects, { finishedAt: null, isHeld: false }),
        exists(
          q
            .select({ id: t.jobs.id })
            .from(t.jobs)
            .where(
              and(
                matches(t.jobs, { collectId: t.collects.id, status: ["queued", "submitted"], source: JOB_SOURCES }),
                lte(t.jobs.notBefore, sql.placeholder("now")),
              ),
            ),
        ),
      ),
    )
    .limit(1),
);

/** Due times that only a wrong clock can have set. */
const selectStrandedJob = prepareQuery(({ q, t }) =>
  q
    .select({ id: t.jobs.id })
    .from(t.jobs)
    .where(
      and(
        matches(t.jobs, { status: sql.placeholder("status"), notBefore: greaterThan(sql.placeholder("furthest")) }),
        or(isNull(t.jobs.leaseOwner), ne(t.jobs.leaseOwner, sql.placeholder("owner"))),
      ),
    )
    .limit(1),
);

/** Expired leases, and due times of a wrong clock; leases of `owner` are renewed instead. */
export async function hasLostJobs(db: Db, owner: string, now: Instant): Promise<boolean> {
  if ((await selectWaitingJob(db, { status: "leased", now: Date.parse(now) })).length > 0) return true;
  const [lease, wait] = [latestPlausible(now, MAX_LEASE_MS), latestPlausible(now, MAX_RETRY_MS)];
  return (
    (await selectStrandedJob(db, { status: "leased", furthest: Date.parse(lease), owner })).length > 0 ||
    (await selectStrandedJob(db, { status: "queued", furthest: Date.parse(wait), owner })).length > 0 ||
    (await selectStrandedJob(db, { status: "submitted", furthest: Date.parse(wait), owner })).length > 0
  );
}

/** Makes lost jobs due now; jobs with a provider task become `submitted`. */
export async function requeueLostJobs({ q, t }: Db, owner: string, now: Instant): Promise<void> {
  const { status, notBefore, leaseOwner } = t.jobs;
  const isFar = and(gt(notBefore, latestPlausible(now, MAX_LEASE_MS)), ne(leaseOwner, owner));
  await updateRows(
    q,
    t.jobs,
    or(
      and(eq(status, "leased"), or(lte(notBefore, now), isFar)),
      and(inArray(status, ["queued", "submitted"]), gt(notBefore, latestPlausible(now, MAX_RETRY_MS))),
    ),
    {
      status: sql`case when ${t.jobs.submission} is null then 'queued' else 'submitted' end`,
      leaseOwner: null,
      notBefore: now,
    },
  );
}

export async function expireLeases({ q, t: { jobs } }: Db, owner: string, now: Instant): Promise<void> {
  await updateRows(
    q,
    jobs,
    { status: "leased", leaseOwner: owner },
    { notBefore: now, workerFailures: sql`${jobs.workerFailures} + 1` },
  );
}

export interface JobClaim extends JobSlots {
  owner: string;
  leaseEnd: Instant;
  cursor: RoundRobinCursor;
}

/** Round-robin over organizations and collects. Counts the attempt. */
export async function claimJobs(db: Db, claim: JobClaim): Promise<{ jobs: ClaimedJob[]; cursor: RoundRobinCursor }> {
  const { ids, cursor } = await pickJobs(db, claim, claim.cursor);
  const leased = { owner: claim.owner, leaseEnd: Date.parse(claim.leaseEnd) };
  const collects = new Map<string, JobCollect | undefined>();
  const jobs: ClaimedJob[] = [];
  for (const id of ids) {
    await leaseJob(db, { ...leased, id });
    const [asked] = await selectJobQuestion(db, { id });
    if (!asked) continue;
    const { collectId } = asked;
    if (!collects.has(collectId)) collects.set(collectId, (await selectJobCollect(db, { collectId }))[0]);
    const collect = collects.get(collectId);
    if (!collect) continue;
    const source = toSource(asked.askedSource);
    jobs.push({ ...asked, ...collect, source, thematic: asked.thematic ?? "", topic: asked.topic ?? "" });
  }
  return { jobs, cursor };
}

// Prepared statements per job cost less than building one statement for all jobs.

const leaseJob = prepareQuery(({ q, t: { jobs } }) =>
  q
    .update(jobs)
    .set({
      status: "leased",
      leaseOwner: sql`${sql.placeholder("owner")}`,
      notBefore: sql`${sql.placeholder("leaseEnd")}`,
      attempts: sql`${jobs.attempts} + 1`,
    })
    .where(eq(jobs.id, sql.placeholder("id"))),
);

const selectJobQuestion = prepareQuery(({ q, t }) => {
  const [thematics, topics] = [alias(t.facets, "thematics"), alias(t.facets, "topics")];
  return q
    .select({
      ...pick(t.jobs, "id", "collectId", "attempts"),
      // Claimed jobs always have a job source: pages are crawled by background jobs.
      askedSource: sql<JobSource>`${t.jobs.source}`,
      ...pick(t.jobs, "run", "questionId", "submission", "workerFailures"),
      prompt: t.questions.text,
      country: t.questions.country,
      asked: buildPromptContextColumns(t),
      thematic: thematics.name,
      topic: topics.name,
      persona: { name: t.personas.name, archetype: t.personas.archetype, description: t.personas.description },
    })
    .from(t.jobs)
    .innerJoin(t.questions, eq(t.questions.id, t.jobs.questionId))
    .leftJoin(thematics, eq(thematics.id, t.questions.thematicId))
    .leftJoin(topics, eq(topics.id, t.questions.topicId))
    .leftJoin(t.personas, eq(t.personas.id, t.questions.personaId))
    .where(eq(t.jobs.id, sql.placeholder("id")));
});

const selectJobCollect = prepareQuery(({ q, t }) =>
  q
    .select({
      collectNumber: t.collects.number,
      ...pick(t.collects, "isScheduled", "isCanceled", "planned", "unitCredits", "organizationId"),
      ...pick(t.collects, "workspaceId", "analysisId"),
      analysisType: t.analyses.type,
      spendCapMicros: t.analyses.spendCapMicros,
      setup: t.analysisSetups.setup,
    })
    .from(t.collects)
    .innerJoin(t.analyses, eq(t.analyses.id, t.collects.analysisId))
    .innerJoin(
      t.analysisSetups,
      matches(t.analysisSetups, { analysisId: t.collects.analysisId, version: t.collects.setupVersion }),
    )
    .where(eq(t.collects.id, sql.placeholder("collectId"))),
);

type JobQuestion = Awaited<ReturnType<typeof selectJobQuestion>>[number];
type JobCollect = Awaited<ReturnType<typeof selectJobCollect>>[number];

export type ClaimedJob = JobQuestion & JobCollect & { source: Source; thematic: string; topic: string };

/** `queued` retries at `notBefore`; `submitted` polls the provider then. */
export interface JobOutcome {
  id: string;
  status: "succeeded" | "failed" | "queued" | "submitted";
  notBefore: Instant;
  /** Shown to users; null for an answer. */
  reason: string | null;
  outcome: QuestionOutcome | null;
  submission: Submission | null;
  /** An attempt that never reached the provider does not count. */
  countsAsAttempt: boolean;
  /** The attempt ended without its worker hanging or crashing. */
  clearsFailures: boolean;
}

/** Returns false if `owner` no longer holds the lease: discard the late result then. */
export async function finishJob(db: Db, owner: string, end: JobOutcome, now: Instant): Promise<boolean> {
  const { id, status, reason, outcome } = end;
  const ended = await updateFinishedJob(db, {
    id,
    owner,
    status,
    notBefore: Date.parse(end.notBefore),
    reason,
    outcome,
    finishedAt: status === "queued" || status === "submitted" ? null : Date.parse(now),
    submission: end.submission && JSON.stringify(end.submission),
    notCounted: end.countsAsAttempt ? 0 : 1,
    keepsFailures: end.clearsFailures ? 0 : 1,
  });
  return ended.length > 0;
}

const updateFinishedJob = prepareQuery(({ q, t: { jobs } }) =>
  q
    .update(jobs)
    .set({
      status: sql`${sql.placeholder("status")}`,
      notBefore: sql`${sql.placeholder("notBefore")}`,
      failureReason: sql`${sql.placeholder("reason")}`,
      outcome: sql`${sql.placeholder("outcome")}`,
      finishedAt: sql`${sql.placeholder("finishedAt")}`,
      attempts: sql`${jobs.attempts} - ${sql.placeholder("notCounted")}`,
      submission: sql`${sql.placeholder("submission")}`,
      workerFailures: sql`${jobs.workerFailures} * ${sql.placeholder("keepsFailures")}`,
      leaseOwner: null,
    })
    .where(matches(jobs, { id: sql.placeholder("id"), status: "leased", leaseOwner: sql.placeholder("owner") }))
    .returning({ id: jobs.id }),
);

/** Call before a task is submitted. Returns false if `owner` no longer holds the lease. */
export async function recordSubmission(
  { q, t }: Db,
  { id, owner, submission }: { id: string; owner: string; submission: Submission },
): Promise<boolean> {
  return updateRows(q, t.jobs, { id, status: "leased", leaseOwner: owner }, { submission });
}

/** Keeps transactions short. */
const MAX_FAILED_PER_BATCH = 400;

/** Also fails a batch of queued jobs. Returns the count. */
export async function failQueuedJobs(
  { q, t }: Db,
  collectId: string,
  {
    ids,
    reason,
    outcome = "canceled",
    now,
  }: { ids: readonly string[]; reason: string; outcome?: QuestionOutcome; now: Instant },
): Promise<number> {
  const { jobs } = t;
  const queued = q
    .select({ id: jobs.id })
    .from(jobs)
    .where(matches(jobs, { collectId, status: "queued" }))
    .limit(MAX_FAILED_PER_BATCH);
  const failed = await q
    .update(jobs)
    .set({
      status: "failed",
      failureReason: reason,
      outcome,
      leaseOwner: null,
      notBefore: now,
      finishedAt: now,
    })
    .where(or(inArray(jobs.id, [...ids]), inArray(jobs.id, queued)))
    .returning({ id: jobs.id });
  return failed.length;
}

export async function renewLeases({ q, t }: Db, owner: string, leaseEnd: Instant): Promise<void> {
  await updateRows(q, t.jobs, { status: "leased", leaseOwner: owner }, { notBefore: leaseEnd });
}

export async function findFailureReason({ q, t }: Db, collectId: string): Promise<string | null | undefined> {
  const [job] = await q
    .select({ reason: t.jobs.failureReason })
    .from(t.jobs)
    .where(matches(t.jobs, { collectId, status: "failed" }))
    .orderBy(asc(t.jobs.id))
    .limit(1);
  return job?.reason;
}
