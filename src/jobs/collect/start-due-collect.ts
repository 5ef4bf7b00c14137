import type { AnalysisRow } from "../../../db/measuring/analyses.ts";
import { insertRepeatedCollect } from "../../../db/measuring/collects.ts";
import { moveNextCollect } from "../../../db/measuring/due-collects.ts";
import { releaseReserved } from "../../../db/catalog/credits.ts";
import type { Db } from "../../../db/engine/store.ts";
import { collectInstant } from "../../../core/schedule.ts";
import type { Instant } from "../../../core/time.ts";

/**
 * Starts the due collect of an analysis, with the credits that its creation reserved for it. Collects that fell due in
 * the meantime are not made up for: they would all measure the same day, so their credits are released.
 */
export async function startDueCollect(
  db: Db,
  analysis: AnalysisRow,
  { now, newId }: { now: Instant; newId: () => string },
): Promise<void> {
  const { due, next } = dueIndexes(analysis, now);
  const nextAt = next === null ? undefined : collectInstant(analysis.schedule, analysis.createdAt, next);
  // Another process was faster.
  if (!(await moveNextCollect(db, analysis, nextAt ?? null))) return;
  const { id: analysisId, organizationId, workspaceId } = analysis;
  const tenant = { db, organizationId, workspaceId };
  const collect = await insertRepeatedCollect(tenant, { id: newId(), analysisId, at: now, newId });
  const missed = (next ?? analysis.plannedCollects) - due - 1;
  const note = `Collects that were due while none could start: ${missed}`;
  const cause = { id: newId(), at: now, note, workspaceId, analysisId };
  await releaseReserved(tenant, missed * (collect?.reservedCredits ?? 0), cause);
}

/** Which of the planned collects is due (0 is the first), and which comes next; null where none does. */
function dueIndexes(
  { schedule, createdAt, nextCollectAt, plannedCollects }: AnalysisRow,
  now: Instant,
): { due: number; next: number | null } {
  const instants = Array.from({ length: plannedCollects }, (_, index) => collectInstant(schedule, createdAt, index));
  const dueIndex = instants.findIndex((instant) => instant !== undefined && instant >= (nextCollectAt ?? now));
  const next = instants.findIndex((instant, index) => index > dueIndex && instant !== undefined && instant > now);
  return { due: dueIndex, next: next === -1 ? null : next };
}
