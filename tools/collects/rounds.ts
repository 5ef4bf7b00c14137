import type { AnalysisRow } from "../../db/analyses/analyses.ts";
import { updateRounds } from "../../db/analyses/due-collects.ts";
import { releaseReserved } from "../../db/credits/credits.ts";
import type { Tenant } from "../../db/engine/store.ts";
import { countRounds, findNextRound } from "../../core/analyses/schedule.ts";
import type { Instant } from "../../core/shared/time.ts";

interface RoundContext {
  now: Instant;
  newId: () => string;
}

/** Releases the credits of rounds that do not start. Read `analysis` in the transaction. */
export async function advanceRounds(
  tenant: Tenant,
  analysis: AnalysisRow,
  { startCount, now, newId }: RoundContext & { startCount: 0 | 1 },
): Promise<void> {
  const { schedule, endsAt, nextCollectAt, roundsLeft } = analysis;
  const due = countRounds(schedule, nextCollectAt ?? undefined, now, roundsLeft);
  if (due === 0) return;
  const next = findNextRound(schedule, now);
  const isOver = due === roundsLeft || next === undefined || (endsAt !== null && next > endsAt);
  const left = isOver ? 0 : roundsLeft - due;
  const rounds = { nextCollectAt: isOver ? null : next, roundsLeft: left, reckonedAt: now };
  await updateRounds(tenant, analysis.id, rounds);
  const missed = roundsLeft - left - startCount;
  await releaseRoundCredits(tenant, analysis, missed, {
    now,
    newId,
    ledgerNote: "Collects that were due while none could start",
  });
}

/** Read `analysis` in the same transaction. */
export async function cancelRounds(tenant: Tenant, analysis: AnalysisRow, by: RoundContext): Promise<void> {
  await updateRounds(tenant, analysis.id, { nextCollectAt: null, roundsLeft: 0, reckonedAt: null });
  await releaseRoundCredits(tenant, analysis, analysis.roundsLeft, {
    ...by,
    ledgerNote: "Planned collects that were canceled",
  });
}

async function releaseRoundCredits(
  tenant: Tenant,
  { id: analysisId, roundCredits }: AnalysisRow,
  rounds: number,
  { now, newId, ledgerNote }: RoundContext & { ledgerNote: string },
): Promise<void> {
  const cause = { id: newId(), at: now, note: `${ledgerNote}: ${rounds}`, workspaceId: tenant.workspaceId, analysisId };
  await releaseReserved(tenant, rounds * roundCredits, cause);
}
