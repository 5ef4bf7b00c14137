import { and, asc, eq, exists, inArray, isNull, lte, not, sql } from "drizzle-orm";
import { collectInstant } from "../../core/schedule.ts";
import type { Instant } from "../../core/time.ts";
import type { AnalysisRow } from "./analyses.ts";
import { insertRepeatedCollect } from "./collects.ts";
import { releaseReserved } from "../catalog/credits.ts";
import { prepared, type Db } from "../engine/store.ts";

const due = prepared(({ q, t }) =>
  q
    .select()
    .from(t.analyses)
    .where(
      and(
        lte(t.analyses.nextCollectAt, sql.placeholder("now")),
        inArray(t.analyses.status, ["launching", "collecting", "live", "failed"]),
        // An archived workspace collects again from when it is restored.
        exists(
          q
            .select({ id: t.workspaces.id })
            .from(t.workspaces)
            .where(and(eq(t.workspaces.id, t.analyses.workspaceId), isNull(t.workspaces.archivedAt))),
        ),
        not(
          exists(
            q
              .select({ id: t.collects.id })
              .from(t.collects)
              .where(and(eq(t.collects.analysisId, t.analyses.id), inArray(t.collects.status, ["queued", "running"]))),
          ),
        ),
      ),
    )
    .orderBy(asc(t.analyses.nextCollectAt), asc(t.analyses.id))
    .limit(20),
);

/** Analyses whose next collect is due and whose last one has ended, the longest due first. Of every organization. */
export async function listDueAnalyses(db: Db, now: Instant): Promise<AnalysisRow[]> {
  return due(db, { now: Date.parse(now) });
}

/**
 * Starts the due collect of an analysis, with the credits that its creation reserved for it. Collects that fell due in
 * the meantime are not made up for: they would all measure the same day, so their credits are released.
 */
export async function startDueCollect(
  db: Db,
  analysis: AnalysisRow,
  by: { now: Instant; newId: () => string },
): Promise<void> {
  const { q, t } = db;
  const { due: index, next } = dueIndexes(analysis, by.now);
  const taken = await q
    .update(t.analyses)
    .set({
      nextCollectAt: next === null ? null : (collectInstant(analysis.schedule, analysis.createdAt, next) ?? null),
    })
    .where(
      and(
        eq(t.analyses.id, analysis.id),
        analysis.nextCollectAt === null ? undefined : eq(t.analyses.nextCollectAt, analysis.nextCollectAt),
      ),
    )
    .returning({ id: t.analyses.id });
  // Another process was faster.
  if (taken.length === 0) return;
  const tenant = { db, organizationId: analysis.organizationId, workspaceId: analysis.workspaceId };
  const collect = await insertRepeatedCollect(tenant, {
    id: by.newId(),
    analysisId: analysis.id,
    at: by.now,
    newId: by.newId,
  });
  const missed = (next ?? analysis.plannedCollects) - index - 1;
  await releaseReserved(tenant, missed * (collect?.reservedCredits ?? 0), {
    id: by.newId(),
    at: by.now,
    note: `Collects that were due while none could start: ${missed}`,
    workspaceId: analysis.workspaceId,
    analysisId: analysis.id,
  });
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
