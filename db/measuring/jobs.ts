import { and, asc, eq, gt, inArray, isNull, lte, ne, or, sql, type SQL } from "drizzle-orm";
import type { Instant } from "../../core/time.ts";
import { furthest, LONGEST_LEASE_MS, LONGEST_RETRY_MS } from "../../core/waits.ts";
import { prepared, type Db } from "../engine/store.ts";
import { pickJobs, type Places, type Turns } from "./job-turns.ts";

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

/** True if some job could be claimed at `now`. */
export async function hasReadyJobs(db: Db, now: Instant): Promise<boolean> {
  return (await waiting(db, { status: "queued", now: Date.parse(now) })).length > 0;
}

/** Some job of this status that waits for an instant later than any can be. */
const stranded = prepared(({ q, t }) =>
  q
    .select({ id: t.jobs.id })
    .from(t.jobs)
    .where(
      and(
        eq(t.jobs.status, sql.placeholder("status")),
        gt(t.jobs.notBefore, sql.placeholder("furthest")),
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
    (await stranded(db, { status: "queued", furthest: Date.parse(wait), owner })).length > 0
  );
}

/** Puts the jobs that `hasLostJobs` means in the queue, to be taken now. */
export async function requeueLostJobs({ q, t }: Db, owner: string, now: Instant): Promise<void> {
  const { status, notBefore, leaseOwner } = t.jobs;
  const isFar = and(gt(notBefore, furthest(now, LONGEST_LEASE_MS)), ne(leaseOwner, owner));
  await q
    .update(t.jobs)
    .set({ status: "queued", leaseOwner: null, notBefore: now })
    .where(
      or(
        and(eq(status, "leased"), or(lte(notBefore, now), isFar)),
        and(eq(status, "queued"), gt(notBefore, furthest(now, LONGEST_RETRY_MS))),
      ),
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
  const { q, t } = db;
  const { ids, turns } = await pickJobs(db, claim, claim.turns);
  if (ids.length === 0) return { jobs: [], turns };
  await q
    .update(t.jobs)
    .set({
      status: "leased",
      leaseOwner: claim.owner,
      notBefore: claim.leaseEnd,
      attempts: sql`${t.jobs.attempts} + 1`,
    })
    .where(inArray(t.jobs.id, ids));
  const turnOf = new Map(ids.map((id, turn) => [id, turn]));
  const jobs = await listJobs(db, ids);
  return { jobs: jobs.toSorted((a, b) => (turnOf.get(a.id) ?? 0) - (turnOf.get(b.id) ?? 0)), turns };
}

export type ClaimedJob = Awaited<ReturnType<typeof listJobs>>[number];

/** Jobs with everything that asking them takes, in the order of their ids. */
async function listJobs({ q, t }: Db, ids: readonly string[]) {
  const rows = await q
    .select({
      id: t.jobs.id,
      attempts: t.jobs.attempts,
      source: t.jobs.source,
      run: t.jobs.run,
      questionId: t.jobs.questionId,
      prompt: t.questions.text,
      thematicId: t.questions.thematicId,
      topicId: t.questions.topicId,
      persona: { name: t.personas.name, archetype: t.personas.archetype, description: t.personas.description },
      collectId: t.collects.id,
      collectNumber: t.collects.number,
      unitCredits: t.collects.unitCredits,
      organizationId: t.collects.organizationId,
      workspaceId: t.collects.workspaceId,
      analysisId: t.collects.analysisId,
      analysisType: t.analyses.type,
      setup: t.analyses.setup,
    })
    .from(t.jobs)
    .innerJoin(t.questions, eq(t.questions.id, t.jobs.questionId))
    .innerJoin(t.collects, eq(t.collects.id, t.jobs.collectId))
    .innerJoin(t.analyses, eq(t.analyses.id, t.collects.analysisId))
    .leftJoin(t.personas, eq(t.personas.id, t.questions.personaId))
    .where(inArray(t.jobs.id, [...ids]))
    .orderBy(asc(t.jobs.id));
  const facetIds = [...new Set(rows.flatMap((row) => [row.thematicId, row.topicId]))].filter((id) => id !== null);
  const facets = await q
    .select({ id: t.facets.id, name: t.facets.name })
    .from(t.facets)
    .where(inArray(t.facets.id, facetIds))
    .orderBy(asc(t.facets.id));
  const names = new Map(facets.map((facet) => [facet.id, facet.name]));
  const nameOf = (id: string | null) => (id === null ? "" : (names.get(id) ?? ""));
  return rows.map(({ thematicId, topicId, ...row }) => ({
    ...row,
    thematic: nameOf(thematicId),
    topic: nameOf(topicId),
  }));
}

/** What became of a claimed job: answered, given up, or back in the queue until `notBefore`. */
export interface JobEnd {
  id: string;
  status: "succeeded" | "failed" | "queued";
  notBefore: Instant;
  /** Why it was not answered, for people; null if it was. */
  reason: string | null;
  /** False if the attempt never reached the provider and so does not count. */
  attempted: boolean;
}

/** Ends leases of `owner`. Gives the ids that were still its own: whatever else it brought came too late. */
export async function endJobs(
  { q, t }: Db,
  owner: string,
  ends: readonly JobEnd[],
  now: Instant,
): Promise<Set<string>> {
  if (ends.length === 0) return new Set();
  const byId = (valueOf: (end: JobEnd) => SQL) =>
    sql`case ${t.jobs.id} ${sql.join(
      ends.map((end) => sql`when ${end.id} then ${valueOf(end)}`),
      sql` `,
    )} end`;
  const ended = await q
    .update(t.jobs)
    .set({
      status: byId((end) => sql`${end.status}`),
      notBefore: byId((end) => sql`${sql.param(end.notBefore, t.jobs.notBefore)}`),
      failureReason: byId((end) => sql`${end.reason}`),
      finishedAt: byId((end) => (end.status === "queued" ? sql`null` : sql`${sql.param(now, t.jobs.finishedAt)}`)),
      attempts: sql`${t.jobs.attempts} - ${byId((end) => (end.attempted ? sql`0` : sql`1`))}`,
      leaseOwner: null,
    })
    .where(
      and(
        inArray(
          t.jobs.id,
          ends.map((end) => end.id),
        ),
        eq(t.jobs.status, "leased"),
        eq(t.jobs.leaseOwner, owner),
      ),
    )
    .returning({ id: t.jobs.id });
  return new Set(ended.map((row) => row.id));
}

/** Moves the end of every lease of `owner`. */
export async function renewLeases({ q, t }: Db, owner: string, leaseEnd: Instant): Promise<void> {
  await q
    .update(t.jobs)
    .set({ notBefore: leaseEnd })
    .where(and(eq(t.jobs.status, "leased"), eq(t.jobs.leaseOwner, owner)));
}

/** Why the first failed job of a collect failed. */
export async function findFailureReason({ q, t }: Db, collectId: string): Promise<string | null | undefined> {
  const [job] = await q
    .select({ reason: t.jobs.failureReason })
    .from(t.jobs)
    .where(and(eq(t.jobs.collectId, collectId), eq(t.jobs.status, "failed")))
    .orderBy(asc(t.jobs.id))
    .limit(1);
  return job?.reason;
}
