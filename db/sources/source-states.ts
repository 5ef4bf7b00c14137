import { and, desc, eq, ne, sql } from "drizzle-orm";
import type { QuestionEnd } from "../../core/sources/question-ends.ts";
import { waysToAsk } from "../../core/sources/asked-sources.ts";
import type { Source } from "../../core/sources/sources.ts";
import type { Instant } from "../../core/shared/time.ts";
import { matches, pick } from "../engine/rows.ts";
import { prepared, type OrganizationTenant } from "../engine/store.ts";

export interface SourceEnd {
  at: Instant;
  reason: string | null;
  outcome: QuestionEnd | null;
  provider: string | null;
}

/** Collects that are looked through: a source that none of them asked has no end. */
const NEWEST_COLLECTS = 20;

/** The newest question of a source that was answered, and the newest that failed, in the newest collects of the organization. */
export async function findSourceEnds(tenant: OrganizationTenant, sources: readonly Source[]) {
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
    .limit(NEWEST_COLLECTS);
  const known = new Map<Source, { answered: SourceEnd | null; failed: SourceEnd | null }>();
  for (const source of sources) {
    const newest = async (status: string) => {
      const ends = collects.flatMap(({ id: collectId }) =>
        waysToAsk(source).map(async (asked) => (await lastEnd(db, { collectId, source: asked, status }))[0]),
      );
      const found = await Promise.all(ends);
      // Nor did what was not asked because a person bounded what an analysis may cost.
      const ended = found.filter((end) => end !== undefined).filter(({ outcome }) => outcome !== "over_analysis_cap");
      return ended.toSorted((a, b) => b.at.localeCompare(a.at))[0] ?? null;
    };
    known.set(source, { answered: await newest("succeeded"), failed: await newest("failed") });
  }
  return known;
}

const lastEnd = prepared(({ q, t }) =>
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
    // A job that has ended is of the instant of its end.
    .orderBy(desc(t.jobs.notBefore))
    .limit(1),
);
