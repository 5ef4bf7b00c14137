import { and, asc, desc, eq, exists, sql } from "drizzle-orm";
import type { Source } from "../../core/sources.ts";
import type { Instant } from "../../core/time.ts";
import type { CollectRow } from "./analyses.ts";
import type { Tenant } from "../engine/store.ts";

/** One round of collection as it is planned: every question at every source, `runs` times. */
export interface PlannedCollect {
  id: string;
  analysisId: string;
  /** 1 for the first collect of the analysis. */
  number: number;
  questionIds: readonly string[];
  sources: readonly Source[];
  runs: number;
  /** Credits of one question; what all of them cost must have been reserved in the same transaction. */
  unitCredits: number;
  /** True where no person waits for it. */
  isScheduled?: boolean;
  at: Instant;
  newId: () => string;
}

/** Stores a queued collect and its jobs, before anything is asked. Runs are numbered from 1. */
export async function insertCollectWithJobs(tenant: Tenant, plan: PlannedCollect): Promise<CollectRow> {
  const runs = Array.from({ length: plan.runs }, (_, index) => index + 1);
  const askings = runs.flatMap((run) =>
    plan.questionIds.flatMap((questionId) => plan.sources.map((source) => ({ questionId, source, run }))),
  );
  return insertJobs(tenant, plan, askings);
}

interface Asking {
  questionId: string;
  source: Source;
  run: number;
}

async function insertJobs(
  tenant: Tenant,
  plan: Omit<PlannedCollect, "questionIds" | "sources" | "runs">,
  askings: readonly Asking[],
): Promise<CollectRow> {
  const { id, unitCredits, at, newId } = plan;
  const collect = await insertCollect(tenant, plan, {
    status: "queued",
    planned: askings.length,
    succeeded: 0,
    unitCredits,
    startedAt: null,
    isScheduled: plan.isScheduled ?? false,
  });
  const { db } = tenant;
  const jobs = askings.map((asking) => ({
    ...asking,
    id: newId(),
    collectId: id,
    status: "queued" as const,
    attempts: 0,
    notBefore: at,
  }));
  await db.bulkInsert(db.t.jobs, jobs);
  return collect;
}

/** Stores a collect of answers that were collected elsewhere: nothing is asked and nothing costs credits. */
export async function insertImportedCollect(
  tenant: Tenant,
  plan: Pick<PlannedCollect, "id" | "analysisId" | "at"> & { answers: number },
): Promise<CollectRow> {
  const { analysisId, answers, at } = plan;
  const number = await nextCollectNumber(tenant, analysisId);
  return insertCollect(
    tenant,
    { ...plan, number },
    {
      status: "running",
      planned: answers,
      succeeded: answers,
      unitCredits: 0,
      startedAt: at,
      isScheduled: false,
    },
  );
}

async function insertCollect(
  { db, organizationId, workspaceId }: Tenant,
  { id, analysisId, number, at }: Pick<PlannedCollect, "id" | "analysisId" | "number" | "at">,
  state: Pick<CollectRow, "status" | "planned" | "succeeded" | "unitCredits" | "startedAt" | "isScheduled">,
): Promise<CollectRow> {
  const collect: CollectRow = {
    id,
    organizationId,
    workspaceId,
    analysisId,
    number,
    ...state,
    failed: 0,
    reservedCredits: state.planned * state.unitCredits,
    costCredits: 0,
    collectionMethods: [],
    readingChanges: 0,
    createdAt: at,
    finishedAt: null,
  };
  await db.q.insert(db.t.collects).values(collect);
  return collect;
}

/**
 * Stores a queued collect that asks exactly what the last asked collect of the analysis asked, whatever imports have
 * added since: that is what was priced. Undefined if nothing was ever asked.
 */
export async function insertRepeatedCollect(
  tenant: Tenant,
  plan: Pick<PlannedCollect, "id" | "analysisId" | "at" | "newId">,
): Promise<CollectRow | undefined> {
  const { q, t } = tenant.db;
  const [last] = await q
    .select({ id: t.collects.id, unitCredits: t.collects.unitCredits })
    .from(t.collects)
    .where(
      and(
        eq(t.collects.analysisId, plan.analysisId),
        exists(q.select({ id: t.jobs.id }).from(t.jobs).where(eq(t.jobs.collectId, t.collects.id))),
      ),
    )
    .orderBy(desc(t.collects.number))
    .limit(1);
  if (!last) return undefined;
  const askings = await q
    .select({ questionId: t.jobs.questionId, source: t.jobs.source, run: t.jobs.run })
    .from(t.jobs)
    .where(eq(t.jobs.collectId, last.id))
    .orderBy(asc(t.jobs.id));
  const number = await nextCollectNumber(tenant, plan.analysisId);
  return insertJobs(tenant, { ...plan, number, unitCredits: last.unitCredits, isScheduled: true }, askings);
}

/** The number that the next collect of an analysis gets. */
async function nextCollectNumber({ db: { q, t } }: Tenant, analysisId: string): Promise<number> {
  const [row] = await q
    .select({ last: sql<number>`coalesce(max(${t.collects.number}), 0)` })
    .from(t.collects)
    .where(eq(t.collects.analysisId, analysisId));
  return (row?.last ?? 0) + 1;
}
