import { and, asc, eq, inArray } from "drizzle-orm";
import { openFacts, type CollectFacts } from "../../core/measuring/collect-facts.ts";
import type { PromptKind } from "../../core/prompts/brand-prompt.ts";
import type { AwarenessVerdict } from "../../core/reading/awareness.ts";
import type { Source } from "../../core/sources.ts";
import type { Db, Tenant } from "../engine/store.ts";

/** What answers to the aided prompts of a collect know, by source, opened. */
export async function listAwarenessFacts(db: Db, collectId: string) {
  const { collectAwareness } = db.t;
  const isOf = eq(collectAwareness.collectId, collectId);
  const { source, isSimulated, digest } = collectAwareness;
  const keys = await db.q.select({ source, isSimulated, digest }).from(collectAwareness).where(isOf);
  const opened: { source: Source; isSimulated: boolean; facts: CollectFacts }[] = [];
  for (const key of keys) {
    const facts = await db.kept.get(`facts ${key.digest}`, async () => {
      const [row] = await db.q
        .select({ facts: collectAwareness.facts })
        .from(collectAwareness)
        .where(and(isOf, eq(source, key.source), eq(isSimulated, key.isSimulated)));
      if (!row) throw new Error("facts that have gone while they were read");
      return { value: openFacts(row.facts), bytes: row.facts.byteLength };
    });
    opened.push({ source: key.source, isSimulated: key.isSimulated, facts });
  }
  return opened;
}

/** The questions of these kinds that an analysis asks or has asked, in their order. */
export async function listQuestionsOfKinds({ q, t }: Db, analysisId: string, kinds: readonly PromptKind[]) {
  const { id, position, text, promptKind, country, personaId, askedBrandId, lookAlike, template } = t.questions;
  return q
    .select({ id, position, text, promptKind, country, personaId, askedBrandId, lookAlike, template })
    .from(t.questions)
    .where(and(eq(t.questions.analysisId, analysisId), inArray(promptKind, [...kinds])))
    .orderBy(asc(position));
}
export type KindQuestion = Awaited<ReturnType<typeof listQuestionsOfKinds>>[number];

/** The first answer of a source to a question in a collect of the workspace that was read so, with where it says it. */
export async function findAwareAnswer(
  { db: { q, t }, workspaceId }: Tenant,
  of: { collectId: string; questionId: string; source: Source; verdict: AwarenessVerdict },
) {
  const [row] = await q
    .select({ id: t.answers.id, text: t.answers.text, start: t.awareness.start, end: t.awareness.end })
    .from(t.answers)
    .innerJoin(t.awareness, eq(t.awareness.answerKey, t.answers.key))
    .where(
      and(
        eq(t.answers.collectId, of.collectId),
        eq(t.answers.questionId, of.questionId),
        eq(t.answers.source, of.source),
        eq(t.answers.workspaceId, workspaceId),
        eq(t.awareness.verdict, of.verdict),
      ),
    )
    .orderBy(asc(t.answers.run))
    .limit(1);
  return row;
}
