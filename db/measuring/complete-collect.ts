import { and, asc, eq, inArray } from "drizzle-orm";
import { MEASURED_STATUSES, type CollectStatus } from "../../core/analysis.ts";
import type { Instant } from "../../core/time.ts";
import type { CollectRow } from "./analyses.ts";
import { enqueueBackgroundJob } from "../engine/background-jobs.ts";
import { releaseReserved, spendReserved } from "../catalog/credits.ts";
import { writeRollups } from "./rollups.ts";
import type { Db } from "../engine/store.ts";

/**
 * Ends a collect all of whose questions are answered or given up: its sums, its credits (spent for what succeeded, the
 * rest released) and its analysis, all in the transaction of the last answer. Of any organization: the row says whose.
 */
export async function completeCollect(
  db: Db,
  collect: CollectRow,
  by: { now: Instant; newId: () => string },
): Promise<void> {
  const { q, t } = db;
  const status = endStatus(collect);
  const spent = collect.succeeded * collect.unitCredits;
  await q
    .update(t.collects)
    .set({ status, finishedAt: by.now, costCredits: spent, reservedCredits: 0 })
    .where(eq(t.collects.id, collect.id));
  if (status !== "failed") {
    await writeRollups(db, collect);
    for (const kind of ["suggest_brands", "recommend_actions"] as const) {
      await enqueueBackgroundJob({ ...collect, db }, { id: by.newId(), kind, subjectId: collect.id, at: by.now });
    }
  }
  await settle(db, collect, spent, by);
  await endAnalysis(db, collect, status, by.now);
}

function endStatus({ succeeded, failed }: CollectRow): CollectStatus {
  if (succeeded === 0) return "failed";
  return failed === 0 ? "completed" : "partial";
}

async function settle(
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
  await spendReserved(tenant, spent, cause(`Answers of collect ${collect.number}: ${collect.succeeded}`));
  const rest = collect.reservedCredits - spent;
  await releaseReserved(tenant, rest, cause(`Failed questions of collect ${collect.number}: ${collect.failed}`));
}

/** An analysis with anything to show is live; one whose only collects failed is failed, and says so. */
async function endAnalysis(db: Db, collect: CollectRow, status: CollectStatus, now: Instant): Promise<void> {
  const { q, t } = db;
  const { analysisId } = collect;
  const measured = await q.$count(
    t.collects,
    and(eq(t.collects.analysisId, analysisId), inArray(t.collects.status, [...MEASURED_STATUSES])),
  );
  const end =
    measured > 0
      ? { status: "live" as const, statusReason: null }
      : { status: "failed" as const, statusReason: await failureOf(db, collect) };
  await q
    .update(t.analyses)
    .set({ ...end, updatedAt: now })
    .where(
      and(eq(t.analyses.id, analysisId), inArray(t.analyses.status, ["launching", "collecting", "live", "failed"])),
    );
}

async function failureOf({ q, t }: Db, collect: CollectRow): Promise<string> {
  const [job] = await q
    .select({ reason: t.jobs.failureReason })
    .from(t.jobs)
    .where(and(eq(t.jobs.collectId, collect.id), eq(t.jobs.status, "failed")))
    .orderBy(asc(t.jobs.id))
    .limit(1);
  return `No question of collect ${collect.number} was answered. ${job?.reason ?? ""}`.trim();
}
