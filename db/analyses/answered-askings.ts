import { and, eq, inArray } from "drizzle-orm";
import type { CollectRow } from "./analyses.ts";
import type { Db } from "../engine/store.ts";

/** Which askings of some questions of a collect were answered. Of any organization: the row says whose. */
export async function listAnsweredAskings(
  { q, t }: Db,
  { id, analysisId }: Pick<CollectRow, "id" | "analysisId">,
  positions: readonly number[],
) {
  return q
    .select({
      position: t.questions.position,
      source: t.answers.source,
      collectionMethod: t.answers.collectionMethod,
      run: t.answers.run,
    })
    .from(t.questions)
    .innerJoin(t.answers, and(eq(t.answers.collectId, id), eq(t.answers.questionId, t.questions.id)))
    .where(and(eq(t.questions.analysisId, analysisId), inArray(t.questions.position, [...positions])));
}
