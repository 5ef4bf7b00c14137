import { and, asc, eq, exists, inArray, isNull, lte, not, sql } from "drizzle-orm";
import type { Instant } from "../../core/time.ts";
import type { AnalysisRow } from "./analyses.ts";
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

/** Moves the next collect of an analysis to `next`. False if another process moved it first. */
export async function moveNextCollect(
  { q, t }: Db,
  analysis: Pick<AnalysisRow, "id" | "nextCollectAt">,
  next: Instant | null,
): Promise<boolean> {
  const { id, nextCollectAt } = analysis;
  const known = nextCollectAt === null ? isNull(t.analyses.nextCollectAt) : eq(t.analyses.nextCollectAt, nextCollectAt);
  const moved = await q
    .update(t.analyses)
    .set({ nextCollectAt: next })
    .where(and(eq(t.analyses.id, id), known))
    .returning({ id: t.analyses.id });
  return moved.length > 0;
}
