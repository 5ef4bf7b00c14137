import { and, asc, count, eq, exists, gt, inArray, isNull, lte, not, or, sql } from "drizzle-orm";
import type { Schedule } from "../../core/analysis.ts";
import { LONGEST_PERIOD_MS } from "../../core/schedule.ts";
import type { Instant } from "../../core/time.ts";
import { furthest } from "../../core/waits.ts";
import type { AnalysisRow } from "./analyses.ts";
import { prepared, type Db, type Tenant } from "../engine/store.ts";

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
              .where(
                and(
                  eq(t.collects.analysisId, t.analyses.id),
                  inArray(t.collects.status, ["queued", "running"]),
                  // An import may take an hour, and asks nothing.
                  not(
                    exists(
                      q
                        .select({ id: t.imports.collectId })
                        .from(t.imports)
                        .where(eq(t.imports.collectId, t.collects.id)),
                    ),
                  ),
                ),
              ),
          ),
        ),
      ),
    )
    .orderBy(asc(t.analyses.nextCollectAt), asc(t.analyses.id))
    .limit(1),
);

/** The analysis whose next collect is due for longest, of those whose last one has ended. Of every organization. */
export async function findDueAnalysis(db: Db, now: Instant): Promise<AnalysisRow | undefined> {
  return (await due(db, { now: Date.parse(now) }))[0];
}

/**
 * Analyses whose next collect is further away than a period, or which have none any more: only a clock that was ahead, or
 * the end of the schedule, brings an analysis there. Of every organization.
 */
export async function listStrandedAnalyses({ q, t }: Db, now: Instant): Promise<AnalysisRow[]> {
  const { nextCollectAt, schedule, status, plannedCollects } = t.analyses;
  const isFar = Object.entries(LONGEST_PERIOD_MS).map(([name, periodMs]) =>
    and(eq(schedule, name as Schedule), gt(nextCollectAt, furthest(now, periodMs))),
  );
  return q
    .select()
    .from(t.analyses)
    .where(
      and(
        or(isNull(nextCollectAt), ...isFar),
        gt(plannedCollects, 1),
        inArray(status, ["launching", "collecting", "live", "failed"]),
      ),
    );
}

/** The collects of an analysis in which something was asked, and what one of them reserves. */
export async function countAskedCollects(
  { db: { q, t }, organizationId, workspaceId }: Tenant,
  analysisId: string,
): Promise<{ asked: number; credits: number }> {
  const [found] = await q
    .select({
      asked: count(),
      credits: sql<number>`coalesce(max(${t.collects.planned} * ${t.collects.unitCredits}), 0)`,
    })
    .from(t.collects)
    .where(
      and(
        eq(t.collects.organizationId, organizationId),
        eq(t.collects.workspaceId, workspaceId),
        eq(t.collects.analysisId, analysisId),
        exists(q.select({ id: t.jobs.id }).from(t.jobs).where(eq(t.jobs.collectId, t.collects.id))),
      ),
    );
  return found ?? { asked: 0, credits: 0 };
}

/** Moves the next collect of an analysis to `next`, and where it was made in the future, that too. False if another process moved it first. */
export async function moveNextCollect(
  { q, t }: Db,
  analysis: Pick<AnalysisRow, "id" | "nextCollectAt" | "createdAt">,
  next: Instant | null,
  createdAt: Instant = analysis.createdAt,
): Promise<boolean> {
  const { id, nextCollectAt } = analysis;
  const known = nextCollectAt === null ? isNull(t.analyses.nextCollectAt) : eq(t.analyses.nextCollectAt, nextCollectAt);
  const moved = await q
    .update(t.analyses)
    .set({ nextCollectAt: next, createdAt })
    .where(and(eq(t.analyses.id, id), known))
    .returning({ id: t.analyses.id });
  return moved.length > 0;
}
