import type { Source } from "../src/core/sources.ts";
import type { Instant } from "../src/core/time.ts";
import type { tables } from "./schema.ts";
import type { Tenant } from "./store.ts";

export type CollectRow = typeof tables.collects.$inferSelect;

/** One round of collection as it is planned: every keyword at every source, `runs` times. */
export interface PlannedCollect {
  id: string;
  analysisId: string;
  /** 1 for the first collect of the analysis. */
  number: number;
  keywordIds: readonly string[];
  sources: readonly Source[];
  runs: number;
  /** Credits of one question; what all of them cost must have been reserved in the same transaction. */
  unitCredits: number;
  at: Instant;
  newId: () => string;
}

/** Stores a queued collect and its jobs, before anything is asked. Runs are numbered from 1. */
export async function insertCollectWithJobs(tenant: Tenant, plan: PlannedCollect): Promise<CollectRow> {
  const { db, organizationId, workspaceId } = tenant;
  const { id, analysisId, number, keywordIds, sources, runs, unitCredits, at, newId } = plan;
  const planned = keywordIds.length * sources.length * runs;
  const collect: CollectRow = {
    id,
    organizationId,
    workspaceId,
    analysisId,
    number,
    status: "queued",
    planned,
    succeeded: 0,
    failed: 0,
    unitCredits,
    reservedCredits: planned * unitCredits,
    costCredits: 0,
    createdAt: at,
    startedAt: null,
    finishedAt: null,
  };
  await db.q.insert(db.t.collects).values(collect);
  const numbers = Array.from({ length: runs }, (_, index) => index + 1);
  const jobs = numbers.flatMap((run) =>
    keywordIds.flatMap((keywordId) =>
      sources.map((source) => ({
        id: newId(),
        collectId: id,
        keywordId,
        source,
        run,
        status: "queued" as const,
        attempts: 0,
        notBefore: at,
      })),
    ),
  );
  await db.bulkInsert(db.t.jobs, jobs);
  return collect;
}
