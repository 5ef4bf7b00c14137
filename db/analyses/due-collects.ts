import { and, asc, eq, exists, gt, inArray, lte, not, or, sql } from "drizzle-orm";
import { type Instant, latestPlausible } from "../../core/shared/time.ts";
import type { AnalysisRow } from "./analyses.ts";
import { greaterThan, matches, updateRows } from "../engine/rows.ts";
import { prepareQuery, type Db, type Tenant } from "../engine/store.ts";

const ACTIVE_STATUSES = ["launching", "collecting", "live", "failed"] as const;

const openWorkspaceCondition = ({ q, t }: Db) =>
  exists(
    q
      .select({ id: t.workspaces.id })
      .from(t.workspaces)
      .where(matches(t.workspaces, { id: t.analyses.workspaceId, archivedAt: null })),
  );

const selectDueAnalysis = prepareQuery((db) => {
  const { q, t } = db;
  // Imports do not block scheduled collects: they can take an hour and send no prompts.
  const imported = q.select({ id: t.imports.collectId }).from(t.imports).where(eq(t.imports.collectId, t.collects.id));
  const running = q
    .select({ id: t.collects.id })
    .from(t.collects)
    .where(
      and(matches(t.collects, { analysisId: t.analyses.id, status: ["queued", "running"] }), not(exists(imported))),
    );
  return q
    .select()
    .from(t.analyses)
    .where(
      and(
        lte(t.analyses.nextCollectAt, sql.placeholder("now")),
        or(
          // Collects that fall due during a pause are skipped.
          eq(t.analyses.status, "paused"),
          and(inArray(t.analyses.status, [...ACTIVE_STATUSES]), not(exists(running))),
        ),
        openWorkspaceCondition(db),
      ),
    )
    .orderBy(asc(t.analyses.nextCollectAt), asc(t.analyses.id))
    .limit(1);
});

/** The most overdue analysis without a collect in progress, or paused. Covers all organizations. */
export async function findDueAnalysis(db: Db, now: Instant): Promise<AnalysisRow | undefined> {
  return (await selectDueAnalysis(db, { now: Date.parse(now) }))[0];
}

/** Covers all organizations. */
export async function listAnalysesPlannedAhead(db: Db, now: Instant): Promise<AnalysisRow[]> {
  const { q, t } = db;
  return q
    .select()
    .from(t.analyses)
    .where(
      and(
        matches(t.analyses, {
          reckonedAt: greaterThan(latestPlausible(now, 0)),
          plannedCollects: greaterThan(1),
          status: [...ACTIVE_STATUSES, "paused"],
        }),
        openWorkspaceCondition(db),
      ),
    );
}

export async function listPlannedAnalyses({ db: { q, t }, workspaceId }: Tenant): Promise<AnalysisRow[]> {
  return q
    .select()
    .from(t.analyses)
    .where(
      and(eq(t.analyses.workspaceId, workspaceId), or(gt(t.analyses.roundsLeft, 0), eq(t.analyses.status, "paused"))),
    )
    .orderBy(asc(t.analyses.id));
}

export async function countScheduledCollects({ db: { q, t }, workspaceId }: Tenant, analysisId: string) {
  return q.$count(t.collects, matches(t.collects, { workspaceId, analysisId, isScheduled: true }));
}

/** `reckonedAt` is null when no further collect is planned. */
export type RemainingRounds = Pick<AnalysisRow, "nextCollectAt" | "roundsLeft" | "reckonedAt">;

export async function updateRounds({ db: { q, t }, workspaceId }: Tenant, id: string, rounds: RemainingRounds) {
  await updateRows(q, t.analyses, { id, workspaceId }, rounds);
}
