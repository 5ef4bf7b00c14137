import type { AnalysisRow } from "../../../db/measuring/analyses.ts";
import { countAskedCollects, moveNextCollect } from "../../../db/measuring/due-collects.ts";
import { reserveCredits } from "../../../db/catalog/credits.ts";
import type { Db } from "../../../db/engine/store.ts";
import { collectInstant } from "../../../core/schedule.ts";
import type { Instant } from "../../../core/time.ts";
import { isAhead } from "../../../core/waits.ts";

/**
 * Has an analysis collect again when its schedule says so, where a clock that was ahead took its collects for missed. What
 * was given back for them is reserved again; where that is no longer there, it stays as it is.
 */
export async function resumeSchedule(
  db: Db,
  analysis: AnalysisRow,
  { now, newId }: { now: Instant; newId: () => string },
): Promise<void> {
  const { id: analysisId, organizationId, workspaceId, schedule, plannedCollects, nextCollectAt } = analysis;
  const tenant = { db, organizationId, workspaceId };
  // One that was made in the future was made now.
  const start = isAhead(analysis.createdAt, now) ? now : analysis.createdAt;
  const instantsFrom = (from: Instant) =>
    Array.from({ length: plannedCollects }, (_, index) => collectInstant(schedule, from, index));
  const instants = instantsFrom(start);
  const planned = nextCollectAt === null ? plannedCollects : instantsFrom(analysis.createdAt).indexOf(nextCollectAt);
  const first = instants.findIndex((at) => at !== undefined && at > now);
  if (planned === -1 || first === -1) return;
  const { asked, credits } = await countAskedCollects(tenant, analysisId);
  const missed = Math.max(0, Math.min(planned - first, planned - asked));
  const next = instants[planned - missed] ?? null;
  if (next === nextCollectAt) return;
  const note = `Collects that were taken for missed while the clock was ahead: ${missed}`;
  const cause = { id: newId(), at: now, note, workspaceId, analysisId };
  // Another process may have been faster.
  if (await moveNextCollect(db, analysis, next, start)) {
    if (await reserveCredits(tenant, missed * credits, cause)) return;
    await moveNextCollect(db, { ...analysis, nextCollectAt: next }, nextCollectAt);
  }
}
