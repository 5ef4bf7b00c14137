import { and, count, isNotNull, min, sql } from "drizzle-orm";
import type { Instant } from "../../core/shared/time.ts";
import type { Db } from "../engine/store.ts";
import { keywordDataCondition, buildVolumeColumns } from "./keyword-data.ts";
import { keywordCondition, type KeywordFilter } from "../metrics/search-metrics.ts";

export async function countVolumes(db: Db, analysisId: string, filter: KeywordFilter) {
  const { questions, keywordFigures } = db.t;
  const { searchVolume, volumeFrom, volumeAt } = buildVolumeColumns(db.t);
  return (
    db.q
      .select({
        from: volumeFrom,
        keywords: count(),
        firstAt: sql<Instant | null>`min(${volumeAt})`.mapWith(keywordFigures.volumeAt),
        lastAt: sql<Instant | null>`max(${volumeAt})`.mapWith(keywordFigures.volumeAt),
      })
      .from(questions)
      .leftJoin(keywordFigures, await keywordDataCondition(db, analysisId))
      .where(and(await keywordCondition(db, analysisId, filter), isNotNull(searchVolume), isNotNull(volumeFrom)))
      // Groups by ordinal: repeating the expression would bind its parameter again.
      .groupBy(sql`1`)
      .orderBy(min(questions.position))
  );
}
