import { and, eq, exists, inArray, or, type SQL } from "drizzle-orm";
import type { BackgroundKind } from "../../core/jobs/background.ts";
import { matches } from "../engine/rows.ts";
import type { Db, Tenant } from "../engine/store.ts";

const OPEN_STATUSES = ["queued", "leased"] as const;

function existsOpenJob({ q, t }: Db, kinds: readonly BackgroundKind[], of: SQL | undefined): SQL {
  const { backgroundJobs: job } = t;
  return exists(
    q
      .select({ id: job.id })
      .from(job)
      .where(and(of, matches(job, { kind: kinds, status: OPEN_STATUSES }))),
  );
}

/** True while questions, or jobs of the first collect, remain to be stored. */
export function isLaunching(db: Db): SQL {
  const { q, t } = db;
  const { backgroundJobs: job, analyses, collects } = t;
  const own = q.select({ id: collects.id }).from(collects).where(eq(collects.analysisId, analyses.id));
  return existsOpenJob(
    db,
    ["launch_analysis", "launch_collect"],
    or(eq(job.subjectId, analyses.id), inArray(job.subjectId, own)),
  );
}

export async function isStillLaunching({ db, workspaceId }: Tenant, analysisId: string): Promise<boolean> {
  const { analyses } = db.t;
  const isThis = and(matches(analyses, { id: analysisId, workspaceId }), isLaunching(db));
  return (await db.q.$count(analyses, isThis)) > 0;
}

export async function hasQuestionsToCome({ db, workspaceId }: Tenant, analysisId: string): Promise<boolean> {
  const { q, t } = db;
  const found = await q
    .select({ id: t.analyses.id })
    .from(t.analyses)
    .where(
      and(
        matches(t.analyses, { id: analysisId, workspaceId }),
        existsOpenJob(db, ["launch_analysis"], eq(t.backgroundJobs.subjectId, analysisId)),
      ),
    );
  return found.length > 0;
}
