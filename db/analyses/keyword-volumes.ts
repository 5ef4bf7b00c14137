import { and, count, isNotNull, min, sql } from "drizzle-orm";
import type { Instant } from "../../core/shared/time.ts";
import type { Db } from "../engine/store.ts";
import { figuresOfQuestions, volumeOf } from "./keyword-figures.ts";
import { keywordsMatching, type KeywordFilter } from "../metrics/search-metrics.ts";

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
      // By ordinal: repeating the expression would bind its parameter again.
      .groupBy(sql`1`)
      .orderBy(min(questions.position))
  );
}
