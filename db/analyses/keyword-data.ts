import { and, asc, eq, isNull, lt, ne, or, sql, type SQL } from "drizzle-orm";
import { KEYWORD_DATA_ORIGINS, type KeywordData, type KeywordDataKind } from "../../core/analyses/keyword-data.ts";
import { parseLocation, type AnalysisLocation } from "../../core/shared/analysis-location.ts";
import type { Instant } from "../../core/shared/time.ts";
import type { Tables } from "../schema.ts";
import { findRow, matches } from "../engine/rows.ts";
import type { Db, Tenant } from "../engine/store.ts";

// Metrics apply to every question of the workspace with the same text, country and language.

export async function keywordDataCondition(db: Db, analysisId: string): Promise<SQL | undefined> {
  const analysis = await findRow(db.q, db.t.analyses, { id: analysisId });
  const { country, language } = parseLocation(analysis?.setup ?? {});
  const { questions, keywordFigures } = db.t;
  return matches(keywordFigures, {
    workspaceId: analysis?.workspaceId ?? "",
    country: sql`coalesce(${questions.country}, ${country})`,
    language,
    keyword: questions.text,
  });
}

/** The setup's volume overrides the found one. */
export function buildVolumeColumns({ questions: { searchVolume, trends }, keywordFigures: found }: Tables) {
  const isGiven = sql`${searchVolume} is not null or ${trends} is not null`;
  return {
    searchVolume: sql<number | null>`case when ${isGiven} then ${searchVolume} else ${found.searchVolume} end`,
    volumeFrom: sql<
      string | null
    >`case when ${isGiven} then ${KEYWORD_DATA_ORIGINS.setup} else ${found.volumeFrom} end`,
    volumeAt: sql<Instant | null>`case when ${isGiven} then null else ${found.volumeAt} end`.mapWith(found.volumeAt),
  };
}

/** Distinct keywords without metrics, or with provider metrics older than `before`. */
export async function listKeywordsWithoutData(
  { db }: Tenant,
  analysisId: string,
  { wanted, outdatedBefore }: { wanted: KeywordDataKind; outdatedBefore: Instant },
): Promise<string[]> {
  const { q, t } = db;
  const { questions, keywordFigures: found } = t;
  const [given, from, at] =
    wanted === "volume"
      ? [[questions.searchVolume, questions.trends], found.volumeFrom, found.volumeAt]
      : [[questions.searchInterestTrends, questions.relatedQueries], found.interestFrom, found.interestAt];
  const rows = await q
    .select({ text: questions.text })
    .from(questions)
    .leftJoin(found, await keywordDataCondition(db, analysisId))
    .where(
      and(
        eq(questions.analysisId, analysisId),
        ...given.map((column) => isNull(column)),
        or(isNull(from), and(ne(from, KEYWORD_DATA_ORIGINS.import), lt(at, outdatedBefore))),
      ),
    )
    .orderBy(asc(questions.position));
  return [...new Set(rows.map(({ text }) => text))];
}

export async function storeKeywordData(
  { db: { q, t }, organizationId, workspaceId }: Tenant,
  { country, language }: AnalysisLocation,
  answer: { wanted: KeywordDataKind; from: string; at: Instant; figures: ReadonlyMap<string, Partial<KeywordData>> },
): Promise<void> {
  const { wanted, from, at } = answer;
  const rows = [...answer.figures].map(([keyword, figures]) => ({
    organizationId,
    workspaceId,
    country,
    language,
    keyword,
    ...(wanted === "volume"
      ? { searchVolume: figures.searchVolume ?? null, trends: figures.trends ?? null, volumeFrom: from, volumeAt: at }
      : {
          searchInterestTrends: figures.searchInterestTrends ?? null,
          relatedQueries: figures.relatedQueries ?? null,
          interestFrom: from,
          interestAt: at,
        }),
  }));
  if (rows.length === 0) return;
  const { keywordFigures: stored } = t;
  await q
    .insert(stored)
    .values(rows)
    .onConflictDoUpdate({
      target: [stored.workspaceId, stored.country, stored.language, stored.keyword],
      set:
        wanted === "volume"
          ? {
              searchVolume: sql`excluded.search_volume`,
              trends: sql`excluded.trends`,
              volumeFrom: sql`excluded.volume_from`,
              volumeAt: sql`excluded.volume_at`,
            }
          : {
              searchInterestTrends: sql`excluded.search_interest_trends`,
              relatedQueries: sql`excluded.related_queries`,
              interestFrom: sql`excluded.interest_from`,
              interestAt: sql`excluded.interest_at`,
            },
    });
}

export async function listKeywordsInProgress({ db: { q, t }, workspaceId }: Tenant, jobId: string): Promise<unknown[]> {
  const { backgroundJobs } = t;
  const rows = await q
    .select({ progress: backgroundJobs.progress })
    .from(backgroundJobs)
    .where(
      and(
        matches(backgroundJobs, { workspaceId, kind: "read_keywords", status: ["queued", "leased"] }),
        ne(backgroundJobs.id, jobId),
      ),
    )
    .orderBy(asc(backgroundJobs.id));
  return rows.flatMap(({ progress }) => progress ?? []);
}
