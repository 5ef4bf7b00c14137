import { findAnalysis, type AnalysisRow } from "../../../db/analyses/analyses.ts";
import { insertNextCollect } from "../../../db/analyses/collects.ts";
import { countScheduledCollects, findDueAnalysis, updateRounds } from "../../../db/analyses/due-collects.ts";
import { findSetup } from "../../../db/analyses/setups.ts";
import { reserveCredits } from "../../../db/credits/credits.ts";
import type { Db } from "../../../db/engine/store.ts";
import { countRounds, findNextRound } from "../../../core/analyses/schedule.ts";
import type { Instant } from "../../../core/shared/time.ts";
import { getAnalysisKind } from "../../../tools/analyses/kinds/kinds.ts";
import { advanceRounds } from "../../../tools/collects/rounds.ts";

/** A fast clock marked collects as missed. Without enough credits they stay missed. */
export async function resumeSchedule(
  db: Db,
  { id: analysisId, organizationId, workspaceId, reckonedAt }: AnalysisRow,
  { now, newId }: { now: Instant; newId: () => string },
): Promise<void> {
  const tenant = { db, organizationId, workspaceId };
  const analysis = await findAnalysis(tenant, analysisId);
  if (analysis?.reckonedAt !== reckonedAt) return;
  const { schedule, plannedCollects, roundsLeft, roundCredits, endsAt } = analysis;
  const next = findNextRound(schedule, now);
  // Excludes collects that the fast clock already started.
  const maxRounds = plannedCollects - 1 - (await countScheduledCollects(tenant, analysisId));
  const toCome = Math.max(roundsLeft, countRounds(schedule, next, endsAt, maxRounds));
  const missed = toCome - roundsLeft;
  const note = `Collects that were taken for missed while the clock was ahead: ${missed}`;
  const cause = { id: newId(), at: now, note, workspaceId, analysisId };
  const left = (await reserveCredits(tenant, missed * roundCredits, cause)) ? toCome : roundsLeft;
  const nextCollectAt = left > 0 ? (next ?? null) : null;
  await updateRounds(tenant, analysisId, { nextCollectAt, roundsLeft: left, reckonedAt: now });
}

/**
 * Makes up for one missed collect only, because several would measure the same day.
 * Paused analyses skip missed collects.
 */
export async function startDueCollect(db: Db, { now, newId }: { now: Instant; newId: () => string }): Promise<void> {
  const analysis = await findDueAnalysis(db, now);
  if (!analysis) return;
  const { id: analysisId, organizationId, workspaceId, type, status, roundCredits: credits } = analysis;
  const tenant = { db, organizationId, workspaceId };
  const startCount = status === "paused" ? 0 : 1;
  await advanceRounds(tenant, analysis, { startCount, now, newId });
  if (startCount === 0) return;
  const setup = await findSetup(tenant, analysis);
  const runPlan = getAnalysisKind(type).buildRunPlan(setup.setup);
  const plan = { id: newId(), analysisId, setup, runPlan, credits, isScheduled: true, at: now, newId };
  await insertNextCollect(tenant, plan);
}
