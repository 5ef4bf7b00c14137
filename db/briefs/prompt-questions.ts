import { and, asc, eq, inArray } from "drizzle-orm";
import type { Tenant } from "../engine/store.ts";
import { readPromptClusters } from "../analyses/prompt-clusters.ts";

/** A prompt's questions for all countries and personas; for a keyword, itself. */
export async function listPromptQuestions({ db }: Tenant, analysisId: string, ids: readonly string[]) {
  const clusters = await readPromptClusters(db, analysisId);
  if (clusters === null || ids.length === 0) return new Map(ids.map((id) => [id, [id]]));
  const { questions } = db.t;
  const listed = async (among: ReturnType<typeof inArray>) =>
    db.q
      .select({ id: questions.id, position: questions.position })
      .from(questions)
      .where(and(eq(questions.analysisId, analysisId), among))
      .orderBy(asc(questions.position));
  const named = await listed(inArray(questions.id, [...ids]));
  const prompts = new Map(named.map(({ id, position }) => [clusters.prompts[position], id]));
  const positions = [...clusters.prompts.keys()].filter((position) => prompts.has(clusters.prompts[position]));
  const groups = new Map(named.map(({ id }): [string, string[]] => [id, []]));
  for (const { id, position } of await listed(inArray(questions.position, positions))) {
    groups.get(prompts.get(clusters.prompts[position]) ?? "")?.push(id);
  }
  return groups;
}
