import { and, count, isNotNull, min, sql } from "drizzle-orm";
import type { Instant } from "../../core/shared/time.ts";
import type { Db } from "../engine/store.ts";
import { figuresOfQuestions, volumeOf } from "./keyword-figures.ts";
import { keywordsMatching, type KeywordFilter } from "../metrics/search-metrics.ts";

/**
 * Who told the search volumes of the keywords that a filter lets through, of how many and of when; who told that of the first keyword
 * comes first.
 */
export async function countVolumes(db: Db, projectId: string, filter: KeywordFilter) {
  const { questions, keywordFigures } = db.t;
  const { searchVolume, volumeFrom, volumeAt } = volumeOf(db.t);
  return (
    db.q
      .select({
        from: volumeFrom,
        keywords: count(),
        firstAt: sql<Instant | null>`min(${volumeAt})`.mapWith(keywordFigures.volumeAt),
        lastAt: sql<Instant | null>`max(${volumeAt})`.mapWith(keywordFigures.volumeAt),
      })
      .from(questions)
      .leftJoin(keywordFigures, await figuresOfQuestions(db, projectId))
      .where(and(await keywordsMatching(db, projectId, filter), isNotNull(searchVolume), isNotNull(volumeFrom)))
      // By the first column: written once more, its parameter would be another one.
      .groupBy(sql`1`)
      .orderBy(min(questions.position))
  );
}
