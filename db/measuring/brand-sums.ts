import { setImmediate as nextTurn } from "node:timers/promises";
import { and, asc, between, eq } from "drizzle-orm";
import { gatherAwareness, type AwarenessGathering } from "../../core/measuring/collect-awareness.ts";
import { packFacts } from "../../core/measuring/collect-facts.ts";
import { digestOf } from "../../core/measuring/packed-columns.ts";
import type { Db, Read } from "../engine/store.ts";
import { gatherSums, type CollectSums } from "./rollups.ts";
import { changesBetween } from "./sum-changes.ts";

/** Questions that are read at once: their answers stay few enough for the process to answer others in between. */
const QUESTIONS_AT_ONCE = 100;

/** Computes the sums of a collect of a brand analysis: those of any analysis, and of what its answers know. As `gatherSums` does. */
export async function gatherBrandSums(
  read: Read,
  collect: { id: string; analysisId: string },
  pause: () => Promise<void> = nextTurn,
): Promise<CollectSums> {
  const sums = await gatherSums(read, collect, pause);
  const positions = await read((db) => listAidedPositions(db, collect.analysisId));
  const gathering = gatherAwareness((positions.at(-1) ?? -1) + 1);
  for (let at = 0; at < positions.length; at += QUESTIONS_AT_ONCE) {
    const part = positions.slice(at, at + QUESTIONS_AT_ONCE);
    await read((db) => addAnswers(db, collect, part, gathering));
    await pause();
  }
  const wanted = gathering.sources().map(({ source, isSimulated, answers, rows }) => {
    const facts = packFacts(answers, rows);
    return { collectId: collect.id, source, isSimulated, digest: digestOf(facts), facts };
  });
  const stored = await read(({ q, t }) =>
    q.select().from(t.collectAwareness).where(eq(t.collectAwareness.collectId, collect.id)),
  );
  const changes = changesBetween({ collectAwareness: stored }, { collectAwareness: wanted });
  return { ...sums, changes: [...sums.changes, ...changes] };
}

async function listAidedPositions({ q, t }: Db, analysisId: string): Promise<number[]> {
  const rows = await q
    .select({ position: t.questions.position })
    .from(t.questions)
    .where(and(eq(t.questions.analysisId, analysisId), eq(t.questions.promptKind, "aided")))
    .orderBy(asc(t.questions.position));
  return rows.map(({ position }) => position);
}

async function addAnswers(
  { q, t }: Db,
  collect: { id: string; analysisId: string },
  positions: readonly number[],
  gathering: AwarenessGathering,
): Promise<void> {
  const [first = 0, last = first] = [positions[0], positions.at(-1)];
  const rows = await q
    .select({
      question: t.questions.position,
      source: t.answers.source,
      collectionMethod: t.answers.collectionMethod,
      model: t.answers.model,
      isShown: t.answers.isShown,
      verdict: t.awareness.verdict,
    })
    .from(t.questions)
    .innerJoin(t.answers, eq(t.answers.questionId, t.questions.id))
    .leftJoin(t.awareness, eq(t.awareness.answerKey, t.answers.key))
    .where(
      and(
        eq(t.questions.analysisId, collect.analysisId),
        between(t.questions.position, first, last),
        eq(t.questions.promptKind, "aided"),
        eq(t.answers.collectId, collect.id),
      ),
    )
    .orderBy(asc(t.questions.position), asc(t.answers.source), asc(t.answers.run));
  for (const row of rows) gathering.add(row);
}
