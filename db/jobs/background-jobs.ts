import { and, asc, desc, eq, exists, gt, inArray, lte, ne, not, or, sql, type SQL } from "drizzle-orm";
import type { BackgroundKind } from "../../core/jobs/background.ts";
import { SUSPECT_FAILURES } from "../../core/jobs/worker-failures.ts";
import { type Instant, latestPlausible } from "../../core/shared/time.ts";
import { MAX_LEASE_MS } from "../../core/jobs/waits.ts";
import { alias } from "../engine/columns.ts";
import { deleteRows, matches, pick, updateRows } from "../engine/rows.ts";
import type { Db, OrganizationTenant, Tenant } from "../engine/store.ts";

/**
 * Call in the transaction that needs the job. Does nothing if the same job is queued: it reads
 * everything committed before it starts.
 */
export async function enqueueBackgroundJob(
  { db: { q, t }, organizationId, workspaceId }: OrganizationTenant & { workspaceId: string | null },
  job: { id: string; kind: BackgroundKind; subjectId: string; at: Instant; notBefore?: Instant },
): Promise<void> {
  const { id, kind, subjectId, at } = job;
  const waiting = await q
    .select({ id: t.backgroundJobs.id })
    .from(t.backgroundJobs)
    .where(matches(t.backgroundJobs, { subjectId, kind, status: "queued" }))
    .limit(1);
  if (waiting.length > 0) return;
  await q.insert(t.backgroundJobs).values({
    id,
    organizationId,
    workspaceId,
    kind,
    subjectId,
    status: "queued",
    attempts: 0,
    notBefore: job.notBefore ?? at,
    createdAt: at,
  });
}

export async function withdrawBackgroundJob(
  { db: { q, t }, organizationId }: OrganizationTenant,
  kind: BackgroundKind,
  subjectId: string,
): Promise<void> {
  await deleteRows(q, t.backgroundJobs, { organizationId, subjectId, kind, status: "queued" });
}

export async function findBackgroundJob(
  { db: { q, t }, organizationId, workspaceId }: Tenant,
  kind: BackgroundKind,
  subjectId: string,
) {
  const [job] = await q
    .select(pick(t.backgroundJobs, "id", "status", "progress", "failureReason", "createdAt", "finishedAt"))
    .from(t.backgroundJobs)
    .where(matches(t.backgroundJobs, { organizationId, workspaceId, subjectId, kind }))
    // Status before id: ids follow the clock, which may have been ahead for an older job.
    .orderBy(
      sql`case ${t.backgroundJobs.status} when 'queued' then 0 when 'leased' then 1 else 2 end`,
      desc(t.backgroundJobs.id),
    )
    .limit(1);
  return job;
}

export async function isBackgroundJobActive(
  { db: { q, t }, organizationId, workspaceId }: Tenant,
  kind: BackgroundKind,
  subjectId: string,
): Promise<boolean> {
  const own = { organizationId, workspaceId, kind, subjectId, status: ["queued", "leased"] as const };
  return (await q.$count(t.backgroundJobs, matches(t.backgroundJobs, own))) > 0;
}

/** Not tenant-scoped: only the worker of the job has its id. */
export async function storeJobProgress({ q, t }: Db, jobId: string, progress: Record<string, unknown>): Promise<void> {
  await updateRows(q, t.backgroundJobs, { id: jobId }, { progress });
}

/** False if another worker has taken over the job. */
export async function storeLeasedProgress(
  { q, t: { backgroundJobs } }: Db,
  { id, attempts }: { id: string; attempts: number },
  progress: Record<string, unknown> | null,
): Promise<boolean> {
  // Every claim increments `attempts`, so it identifies the claim.
  const isHeld = matches(backgroundJobs, { id, status: "leased", attempts });
  return updateRows(q, backgroundJobs, isHeld, { progress });
}

/** Call when a job makes progress: it did not crash its worker. */
export async function clearWorkerFailures({ q, t }: Db, job: { id: string; workerFailures: number }): Promise<void> {
  if (!(job.workerFailures > 0)) return;
  await updateRows(q, t.backgroundJobs, { id: job.id }, { workerFailures: 0 });
}

export type MaxWaits = Readonly<Partial<Record<BackgroundKind, number>>>;

/** Expired leases, and due times that only a wrong clock can have set. */
function lostJobCondition({ t }: Db, { now, owner, maxWaits }: { now: Instant; owner: string; maxWaits: MaxWaits }) {
  const { status, notBefore, leaseOwner, kind } = t.backgroundJobs;
  const isFar = and(gt(notBefore, latestPlausible(now, MAX_LEASE_MS)), ne(leaseOwner, owner));
  const waits = Object.entries(maxWaits).map(([name, maxMs]) =>
    and(eq(kind, name as BackgroundKind), gt(notBefore, latestPlausible(now, maxMs))),
  );
  return or(and(eq(status, "leased"), or(lte(notBefore, now), isFar)), and(eq(status, "queued"), or(...waits)));
}

export async function hasBackgroundWork(db: Db, claim: { now: Instant; owner: string; maxWaits: MaxWaits }) {
  const { id, status, notBefore } = db.t.backgroundJobs;
  const isReady = and(eq(status, "queued"), lte(notBefore, claim.now));
  for (const which of [isReady, lostJobCondition(db, claim)]) {
    if ((await db.q.select({ id }).from(db.t.backgroundJobs).where(which).limit(1)).length > 0) return true;
  }
  return false;
}

export type ClaimedBackgroundJob = Awaited<ReturnType<typeof claimBackgroundJob>>;

export async function requeueLostBackgroundJobs(db: Db, claim: { now: Instant; owner: string; maxWaits: MaxWaits }) {
  await updateRows(db.q, db.t.backgroundJobs, lostJobCondition(db, claim), {
    status: "queued",
    leaseOwner: null,
    notBefore: claim.now,
  });
}

export async function expireBackgroundLeases({ q, t: { backgroundJobs } }: Db, owner: string, now: Instant) {
  await updateRows(
    q,
    backgroundJobs,
    { status: "leased", leaseOwner: owner },
    { notBefore: now, workerFailures: sql`${backgroundJobs.workerFailures} + 1` },
  );
}

export interface BackgroundClaim {
  owner: string;
  kinds: readonly BackgroundKind[];
  laneKinds: readonly BackgroundKind[];
  canTakeSuspects: boolean;
  /** Round-robin continues with the next id. */
  after: string;
  now: Instant;
  leaseEnd: Instant;
}

/** Prefers organizations without a running job in the lane, then round-robin order, then age. */
export async function claimBackgroundJob(db: Db, claim: BackgroundClaim) {
  const { q, t } = db;
  const other = alias(t.backgroundJobs, "other");
  const inProgress = (condition: SQL | undefined) =>
    exists(
      q
        .select({ id: other.id })
        .from(other)
        .where(and(eq(other.status, "leased"), condition)),
    );
  const isTwin = matches(other, { subjectId: t.backgroundJobs.subjectId, kind: t.backgroundJobs.kind });
  const isOfLane = matches(other, { organizationId: t.backgroundJobs.organizationId, kind: claim.laneKinds });
  const next = q
    .select({ id: t.backgroundJobs.id })
    .from(t.backgroundJobs)
    .where(
      and(
        matches(t.backgroundJobs, { status: "queued", kind: claim.kinds }),
        lte(t.backgroundJobs.notBefore, claim.now),
        not(inProgress(isTwin)),
        claim.canTakeSuspects ? undefined : ne(t.backgroundJobs.workerFailures, SUSPECT_FAILURES),
      ),
    )
    .orderBy(
      sql`case when ${inProgress(isOfLane)} then 1 else 0 end`,
      sql`case when ${gt(t.backgroundJobs.organizationId, claim.after)} then 0 else 1 end`,
      asc(t.backgroundJobs.organizationId),
      asc(t.backgroundJobs.notBefore),
      asc(t.backgroundJobs.id),
    )
    .limit(1);
  const [job] = await q
    .update(t.backgroundJobs)
    .set({
      status: "leased",
      leaseOwner: claim.owner,
      notBefore: claim.leaseEnd,
      attempts: sql`${t.backgroundJobs.attempts} + 1`,
    })
    .where(inArray(t.backgroundJobs.id, next))
    .returning({
      ...pick(t.backgroundJobs, "id", "kind", "subjectId", "organizationId", "workspaceId", "attempts"),
      ...pick(t.backgroundJobs, "progress", "workerFailures"),
    });
  return job && { ...job, workspaceId: job.workspaceId ?? "" };
}

export interface BackgroundJobOutcome {
  status: "succeeded" | "failed" | "queued";
  notBefore: Instant;
  /** Shown to users. */
  reason: string | null;
  /** An attempt that the service aborted does not count. */
  countsAsAttempt: boolean;
  /** The job ended without its worker hanging or crashing. */
  clearsFailures: boolean;
}

/** Also deletes earlier results of the job. Does nothing if another worker took it over. */
export async function finishBackgroundJob(
  { q, t }: Db,
  job: { id: string; owner: string; kind: BackgroundKind; subjectId: string },
  end: BackgroundJobOutcome,
  now: Instant,
): Promise<void> {
  const ended = await q
    .update(t.backgroundJobs)
    .set({
      status: end.status,
      notBefore: end.notBefore,
      failureReason: end.reason,
      finishedAt: end.status === "queued" ? null : now,
      leaseOwner: null,
      ...(end.countsAsAttempt ? {} : { attempts: sql`${t.backgroundJobs.attempts} - 1` }),
      ...(end.clearsFailures ? { workerFailures: 0 } : {}),
    })
    .where(matches(t.backgroundJobs, { id: job.id, status: "leased", leaseOwner: job.owner }))
    .returning({ id: t.backgroundJobs.id });
  if (ended.length === 0 || end.status === "queued") return;
  await deleteRows(
    q,
    t.backgroundJobs,
    and(
      matches(t.backgroundJobs, { subjectId: job.subjectId, kind: job.kind, status: ["succeeded", "failed"] }),
      ne(t.backgroundJobs.id, job.id),
    ),
  );
}

export async function renewBackgroundLeases({ q, t }: Db, owner: string, leaseEnd: Instant): Promise<void> {
  await updateRows(q, t.backgroundJobs, { status: "leased", leaseOwner: owner }, { notBefore: leaseEnd });
}
