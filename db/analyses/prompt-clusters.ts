import { and, asc, eq, isNotNull, max } from "drizzle-orm";
import { buildPromptClusters, type PromptClusters } from "../../core/metrics/prompt-clusters.ts";
import type { Db } from "../engine/store.ts";

/** Works as a cache key: questions are only added, with higher positions, and never changed. */
export async function findLastPosition(db: Db, analysisId: string): Promise<number | null> {
  const { questions } = db.t;
  const [last] = await db.q
    .select({ position: max(questions.position) })
    .from(questions)
    .where(eq(questions.analysisId, analysisId));
  return last?.position ?? null;
}

export async function readPromptClusters(db: Db, analysisId: string): Promise<PromptClusters> {
  const key = `clusters ${analysisId} ${await findLastPosition(db, analysisId)}`;
  return db.cache.get(key, async () => {
    const { questions } = db.t;
    const { position, promptKind, askedBrandId, lookAlike, text, country, personaId } = questions;
    const rows = await db.q
      .select({ position, promptKind, askedBrandId, lookAlike, text, country, personaId })
      .from(questions)
      .where(and(eq(questions.analysisId, analysisId), isNotNull(promptKind)))
      .orderBy(asc(position));
    const clusters = buildPromptClusters(rows);
    return { value: clusters, bytes: key.length + 2 * (clusters?.prompts.byteLength ?? 0) };
  });
}
