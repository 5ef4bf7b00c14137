import { and, asc, eq, exists, gt, inArray, isNull, lte, ne, or, sql } from "drizzle-orm";
import type { QuestionEnd } from "../../core/sources/question-ends.ts";
import { ASKED_SOURCES, sourceOf, type AskedSource } from "../../core/sources/asked-sources.ts";
import type { Source } from "../../core/sources/sources.ts";
import type { Submission } from "../../core/sources/submission.ts";
import type { Instant } from "../../core/shared/time.ts";
import { furthest, LONGEST_LEASE_MS, LONGEST_RETRY_MS } from "../../core/jobs/waits.ts";
import { alias } from "../engine/columns.ts";
import { above, matches, pick, updateRows } from "../engine/rows.ts";
import { prepared, type Db } from "../engine/store.ts";
import { askedColumns } from "../analyses/asked-prompts.ts";
import { pickHeldTasks, pickJobs, type Places, type Turns } from "./job-turns.ts";

// Workers serve every organization, so the functions here take no tenant; each claimed job says whose it is.

/** The job of this status that has waited longest, if its time has come. */
const waiting = prepared(({ q, t }) =>
  q
    .select({ id: t.jobs.id })
    .from(t.jobs)
    .where(and(eq(t.jobs.status, sql.placeholder("status")), lte(t.jobs.notBefore, sql.placeholder("now"))))
    .orderBy(asc(t.jobs.notBefore), asc(t.jobs.id))
    .limit(1),
);

/** True if some job could be claimed at `now`: of what a pause holds only tasks can. */
export async function hasReadyJobs(db: Db, now: Instant): Promise<boolean> {
  if ((await ready(db, { now: Date.parse(now) })).length > 0) return true;
  return (await pickHeldTasks(db, { sources: ASKED_SOURCES, now }, 1)).length > 0;
}

const ready = prepared(({ q, t }) =>
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
                matches(t.jobs, { collectId: t.collects.id, status: ["queued", "submitted"], source: ASKED_SOURCES }),
                lte(t.jobs.notBefore, sql.placeholder("now")),
              ),
            ),
        ),
      ),
    )
    .limit(1),
);

/** Some job of this status that waits for an instant later than any can be. */
const stranded = prepared(({ q, t }) =>
  q
    .select({ id: t.jobs.id })
    .from(t.jobs)
    .where(
      and(
        matches(t.jobs, { status: sql.placeholder("status"), notBefore: above(sql.placeholder("furthest")) }),
        or(isNull(t.jobs.leaseOwner), ne(t.jobs.leaseOwner, sql.placeholder("owner"))),
      ),
    )
    .limit(1),
);

/**
 * True if some job is in no worker's hands: its lease has ended without an outcome because its worker crashed or lost the store, or it
 * waits for an instant that only a clock that was ahead can have meant. Those of `owner` are renewed instead.
 */
export async function hasLostJobs(db: Db, owner: string, now: Instant): Promise<boolean> {
  if ((await waiting(db, { status: "leased", now: Date.parse(now) })).length > 0) return true;
  const [lease, wait] = [furthest(now, LONGEST_LEASE_MS), furthest(now, LONGEST_RETRY_MS)];
  return (
    (await stranded(db, { status: "leased", furthest: Date.parse(lease), owner })).length > 0 ||
    (await stranded(db, { status: "queued", furthest: Date.parse(wait), owner })).length > 0 ||
    (await stranded(db, { status: "submitted", furthest: Date.parse(wait), owner })).length > 0
  );
}

/** Puts the jobs that `hasLostJobs` means in the queue, to be taken now; what a provider may have stays known as that. */
export async function requeueLostJobs({ q, t }: Db, owner: string, now: Instant): Promise<void> {
  const { status, notBefore, leaseOwner } = t.jobs;
  const isFar = and(gt(notBefore, furthest(now, LONGEST_LEASE_MS)), ne(leaseOwner, owner));
  await updateRows(
    q,
    t.jobs,
    or(
      and(eq(status, "leased"), or(lte(notBefore, now), isFar)),
      and(inArray(status, ["queued", "submitted"]), gt(notBefore, furthest(now, LONGEST_RETRY_MS))),
    ),
    {
      status: sql`case when ${t.jobs.submission} is null then 'queued' else 'submitted' end`,
      leaseOwner: null,
      notBefore: now,
    },
  );
}

/** Ends the leases of a worker that hung or crashed. */
export async function loseLeases({ q, t: { jobs } }: Db, owner: string, now: Instant): Promise<void> {
  await updateRows(
    q,
    jobs,
    { status: "leased", leaseOwner: owner },
    { notBefore: now, workerFailures: sql`${jobs.workerFailures} + 1` },
  );
}

export interface Claim extends Places {
  owner: string;
  leaseEnd: Instant;
  /** Whose turn was last, as the last claim of these sources gave it. */
  turns: Turns;
}

/** Takes up to `limit` ready jobs, organizations and their collects in turn, and counts the attempt. */
export async function claimJobs(db: Db, claim: Claim): Promise<{ jobs: ClaimedJob[]; turns: Turns }> {
  const { ids, turns } = await pickJobs(db, claim, claim.turns);
  const leased = { owner: claim.owner, leaseEnd: Date.parse(claim.leaseEnd) };
  const collects = new Map<string, AskedCollect | undefined>();
  const jobs: ClaimedJob[] = [];
  for (const id of ids) {
    await lease(db, { ...leased, id });
    const [asked] = await questionOf(db, { id });
    if (!asked) continue;
    const { collectId } = asked;
    if (!collects.has(collectId)) collects.set(collectId, (await collectOf(db, { collectId }))[0]);
    const collect = collects.get(collectId);
    if (!collect) continue;
    const source = sourceOf(asked.askedSource);
    jobs.push({ ...asked, ...collect, source, thematic: asked.thematic ?? "", topic: asked.topic ?? "" });
  }
  return { jobs, turns };
}

// One statement of each kind, run for each job: to build one for all of them costs more than to run these.

const lease = prepared(({ q, t: { jobs } }) =>
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

const questionOf = prepared(({ q, t }) => {
  const [thematics, topics] = [alias(t.facets, "thematics"), alias(t.facets, "topics")];
  return q
    .select({
      ...pick(t.jobs, "id", "collectId", "attempts"),
      // What is claimed is of one of these: pages are crawled instead.
      askedSource: sql<AskedSource>`${t.jobs.source}`,
      ...pick(t.jobs, "run", "questionId", "submission", "workerFailures"),
      prompt: t.questions.text,
      country: t.questions.country,
      asked: askedColumns(t),
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

const collectOf = prepared(({ q, t }) =>
  q
    .select({
      collectNumber: t.collects.number,
      ...pick(t.collects, "isScheduled", "isCanceled", "planned", "unitCredits", "organizationId"),
      ...pick(t.collects, "workspaceId", "analysisId"),
      analysisType: t.analyses.type,
      // As it is now, whatever setup is asked.
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

type AskedQuestion = Awaited<ReturnType<typeof questionOf>>[number];
type AskedCollect = Awaited<ReturnType<typeof collectOf>>[number];

export type ClaimedJob = AskedQuestion & AskedCollect & { source: Source; thematic: string; topic: string };

/** What became of a claimed job: answered, given up, or back in the queue until `notBefore`, where a provider has it to be asked for. */
export interface JobEnd {
  id: string;
  status: "succeeded" | "failed" | "queued" | "submitted";
  notBefore: Instant;
  /** Why it was not answered, for people; null if it was. */
  reason: string | null;
  /** How it ended, where that is not with an answer to read. */
  outcome: QuestionEnd | null;
  /** The task that a provider has of it, or may have. */
  submission: Submission | null;
  /** False if the attempt never reached the provider and so does not count. */
  attempted: boolean;
  /** True where the attempt came to an end by itself. */
  clearsFailures: boolean;
}

/** Ends a lease of `owner`. False where it was no longer its own: what it brought came too late. */
export async function endJob(db: Db, owner: string, end: JobEnd, now: Instant): Promise<boolean> {
  const { id, status, reason, outcome } = end;
  const ended = await endLease(db, {
    id,
    owner,
    status,
    notBefore: Date.parse(end.notBefore),
    reason,
    outcome,
    finishedAt: status === "queued" || status === "submitted" ? null : Date.parse(now),
    submission: end.submission && JSON.stringify(end.submission),
    notCounted: end.attempted ? 0 : 1,
    keepsFailures: end.clearsFailures ? 0 : 1,
  });
  return ended.length > 0;
}

const endLease = prepared(({ q, t: { jobs } }) =>
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

/** Stores that a task of a leased job is about to be submitted. False where the lease is no longer `owner`'s. */
export async function beginSubmission(
  { q, t }: Db,
  { id, owner, submission }: { id: string; owner: string; submission: Submission },
): Promise<boolean> {
  return updateRows(q, t.jobs, { id, status: "leased", leaseOwner: owner }, { submission });
}

/** Few enough for a short transaction. */
const FAILED_AT_ONCE = 400;

/** Fails these jobs of a collect, and some that wait, without asking them. Returns how many. */
export async function failUnasked(
  { q, t }: Db,
  collectId: string,
  {
    ids,
    reason,
    outcome = "canceled",
    now,
  }: { ids: readonly string[]; reason: string; outcome?: QuestionEnd; now: Instant },
): Promise<number> {
  const { jobs } = t;
  const queued = q
    .select({ id: jobs.id })
    .from(jobs)
    .where(matches(jobs, { collectId, status: "queued" }))
    .limit(FAILED_AT_ONCE);
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
