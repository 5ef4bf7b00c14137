import type { AnalysisRow, CollectRow } from "../../db/analyses/analyses.ts";
import { updateAnalysisAfterCollect, finishCollect, hasMeasuredCollect } from "../../db/analyses/collect-progress.ts";
import { publishSums, type CollectSums } from "../../db/metrics/rollups.ts";
import { enqueueBackgroundJob, findBackgroundJob } from "../../db/jobs/background-jobs.ts";
import { findFailureReason } from "../../db/jobs/collect-jobs.ts";
import { releaseReserved, spendReserved } from "../../db/credits/credits.ts";
import { findExtractionVersion } from "../../db/catalog/catalogs.ts";
import type { Db, Tenant } from "../../db/engine/store.ts";
import type { CollectStatus } from "../../core/analyses/analysis.ts";
import { POISONED_REASON } from "../../core/jobs/worker-failures.ts";
import type { Instant } from "../../core/shared/time.ts";
import type { MeasuredKind } from "../analyses/kinds/analysis-kind.ts";

const NOT_SUMMED_REASON = `The answers of the collect could not be summed up. ${POISONED_REASON}`;

export interface CollectCompletion {
  collect: CollectRow;
  kind: MeasuredKind;
  /** Not stored yet; null if they cannot be computed, which fails the collect. */
  sums: CollectSums | null;
  spent: number;
}

/** One transaction. Works across organizations. */
export async function completeCollect(
  db: Db,
  { collect, kind, sums, spent: costCredits }: CollectCompletion,
  by: { now: Instant; newId: () => string; hasKeywordProvider?: boolean },
): Promise<void> {
  const status = sums === null ? "failed" : getCompletedStatus(collect);
  await finishCollect(db, collect.id, { status, costCredits, finishedAt: by.now });
  if (sums !== null && status !== "failed") {
    await publishSums(db, collect.id, sums, await findReadingVersion({ ...collect, db }));
    for (const job of kind.afterCollect) {
      await enqueueBackgroundJob({ ...collect, db }, { id: by.newId(), kind: job, subjectId: collect.id, at: by.now });
    }
    if (kind.readsKeywords && by.hasKeywordProvider) {
      const reading = { id: by.newId(), kind: "read_keywords", subjectId: collect.analysisId, at: by.now } as const;
      await enqueueBackgroundJob({ ...collect, db }, reading);
    }
  }
  await settleCredits(db, collect, costCredits, by);
  await updateAnalysisAfterCollect(db, collect.analysisId, {
    ...(await findStateAfterCollect(db, collect, sums === null ? NOT_SUMMED_REASON : undefined)),
    updatedAt: by.now,
  });
}

export type AnalysisState = Pick<AnalysisRow, "status" | "statusReason">;

export async function findStateAfterCollect(
  db: Db,
  collect: Pick<CollectRow, "id" | "analysisId" | "number">,
  failure?: string,
): Promise<AnalysisState> {
  if (await hasMeasuredCollect(db, collect.analysisId)) return { status: "live", statusReason: null };
  if (failure !== undefined) return { status: "failed", statusReason: failure };
  const reason = await findFailureReason(db, collect.id);
  const statusReason = `No prompt of run ${collect.number} was answered. ${reason ?? ""}`.trim();
  return { status: "failed", statusReason };
}

/** Null while some answers wait for re-extraction. */
async function findReadingVersion(tenant: Tenant): Promise<string | null> {
  const rereading = await findBackgroundJob(tenant, "reread_answers", tenant.workspaceId);
  const isOpen = rereading?.status === "queued" || rereading?.status === "leased";
  return isOpen ? null : findExtractionVersion(tenant);
}

function getCompletedStatus({ succeeded, failed }: CollectRow): CollectStatus {
  if (succeeded === 0) return "failed";
  return failed === 0 ? "completed" : "partial";
}

async function settleCredits(
  db: Db,
  collect: CollectRow,
  spent: number,
  { now, newId }: { now: Instant; newId: () => string },
): Promise<void> {
  const tenant = { db, organizationId: collect.organizationId };
  const cause = (note: string) => ({
    id: newId(),
    at: now,
    note,
    workspaceId: collect.workspaceId,
    analysisId: collect.analysisId,
    collectId: collect.id,
  });
  await spendReserved(tenant, spent, cause(`Answers of run ${collect.number}: ${collect.succeeded}`));
  const rest = collect.reservedCredits - spent;
  await releaseReserved(tenant, rest, cause(`Failed prompts of run ${collect.number}: ${collect.failed}`));
}
