import type { CollectRow } from "./analyses.ts";
import { matches, pick } from "../engine/rows.ts";
import type { Db } from "../engine/store.ts";

/** Not tenant-scoped: the caller passes a collect row it has already authorised. */
export async function listAnsweredRuns(
  { q, t }: Db,
  { id, analysisId }: Pick<CollectRow, "id" | "analysisId">,
  positions: readonly number[],
) {
  return q
    .select({
      position: t.questions.position,
      ...pick(t.answers, "source", "collectionMethod", "run"),
    })
    .from(t.questions)
    .innerJoin(t.answers, matches(t.answers, { collectId: id, questionId: t.questions.id }))
    .where(matches(t.questions, { analysisId, position: positions }));
}
