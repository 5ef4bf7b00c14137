import { findAnalysis, type AnalysisRow } from "../../../db/analyses/analyses.ts";
import { countScheduledCollects, updateRounds } from "../../../db/analyses/due-collects.ts";
import { reserveCredits } from "../../../db/credits/credits.ts";
import type { Db } from "../../../db/engine/store.ts";
import { countRounds, nextRound } from "../../../core/analyses/schedule.ts";
import type { Instant } from "../../../core/shared/time.ts";

/**
 * Restores scheduled collects that a fast clock marked as missed. Reserves the released credits
 * again; without enough credits they stay missed.
 */
export async function resumeSchedule(
  db: Db,
  { id: analysisId, organizationId, workspaceId, reckonedAt }: AnalysisRow,
  { now, newId }: { now: Instant; newId: () => string },
): Promise<void> {
  const tenant = { db, organizationId, workspaceId };
  const analysis = await findAnalysis(tenant, analysisId);
  if (analysis?.reckonedAt !== reckonedAt) return;
  const { schedule, plannedCollects, roundsLeft, roundCredits, endsAt } = analysis;
  const next = nextRound(schedule, now);
  // Excludes collects that the fast clock already started.
  const most = plannedCollects - 1 - (await countScheduledCollects(tenant, analysisId));
  const toCome = Math.max(roundsLeft, countRounds(schedule, next, endsAt, most));
  const missed = toCome - roundsLeft;
  const note = `Collects that were taken for missed while the clock was ahead: ${missed}`;
  const cause = { id: newId(), at: now, note, workspaceId, analysisId };
  const left = (await reserveCredits(tenant, missed * roundCredits, cause)) ? toCome : roundsLeft;
  const nextCollectAt = left > 0 ? (next ?? null) : null;
  await updateRounds(tenant, analysisId, { nextCollectAt, roundsLeft: left, reckonedAt: now });
}
