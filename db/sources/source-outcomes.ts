import { and, desc, eq, ne, sql } from "drizzle-orm";
import { listSourceVariants, type Source } from "../../core/sources/sources.ts";
import { matches, pick } from "../engine/rows.ts";
import { prepareQuery, type OrganizationTenant } from "../engine/store.ts";

/** A source that none of the searched collects used has no result. */
const MAX_COLLECTS = 20;

export async function findLatestOutcomes(tenant: OrganizationTenant, sources: readonly Source[]) {
  const { db, organizationId } = tenant;
  const { q, t } = db;
  const collects = await q
    .select({ id: t.collects.id })
    .from(t.collects)
    .innerJoin(t.analyses, eq(t.analyses.id, t.collects.analysisId))
    .where(
      and(
        matches(t.collects, { organizationId, isImported: false, isCanceled: false }),
        ne(t.analyses.type, "geo_audit"),
      ),
    )
    .orderBy(desc(t.collects.id))
    .limit(MAX_COLLECTS);
  const known = new Map<Source, { lastSuccess: SourceOutcome | null; lastFailure: SourceOutcome | null }>();
  for (const source of sources) {
    const newest = async (status: string) => {
      const ends = collects.flatMap(({ id: collectId }) =>
        listSourceVariants(source).map(
          async (asked) => (await selectLatestOutcome(db, { collectId, source: asked, status }))[0],
        ),
      );
      const found = await Promise.all(ends);
      // A prompt skipped by the spending cap of its analysis says nothing about the source.
      const ended = found.filter((end) => end !== undefined).filter(({ outcome }) => outcome !== "over_analysis_cap");
      return ended.toSorted((a, b) => b.at.localeCompare(a.at))[0] ?? null;
    };
    known.set(source, { lastSuccess: await newest("succeeded"), lastFailure: await newest("failed") });
  }
  return known;
}

const selectLatestOutcome = prepareQuery(({ q, t }) =>
  q
    .select({
      at: t.jobs.notBefore,
      reason: t.jobs.failureReason,
      outcome: t.jobs.outcome,
      provider: t.answers.provider,
    })
    .from(t.jobs)
    .leftJoin(
      t.answers,
      matches(t.answers, {
        ...pick(t.jobs, "collectId", "questionId", "run"),
        jobId: t.jobs.id,
      }),
    )
    .where(
      matches(t.jobs, {
        collectId: sql.placeholder("collectId"),
        status: sql.placeholder("status"),
        source: sql.placeholder("source"),
      }),
    )
    // `notBefore` of a finished job is its completion time.
    .orderBy(desc(t.jobs.notBefore))
    .limit(1),
);
export type SourceOutcome = Awaited<ReturnType<typeof selectLatestOutcome>>[number];
