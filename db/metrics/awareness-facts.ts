import { and, asc, eq, inArray } from "drizzle-orm";
import { unpackFacts } from "../../core/metrics/facts/collect-facts.ts";
import type { PromptKind } from "../../core/prompts/brand-prompt.ts";
import type { AwarenessVerdict } from "../../core/reading/capture.ts";
import type { Source } from "../../core/sources/sources.ts";
import { pick } from "../engine/rows.ts";
import type { Db, Tenant } from "../engine/store.ts";
import { createFactsReader } from "../answers/facts-reader.ts";
import { findLastPosition } from "../analyses/prompt-clusters.ts";

export const listAwarenessFacts = createFactsReader("collectAwareness", unpackFacts);

/** Includes questions of earlier setups. Ordered by position. */
export async function listQuestionsOfKinds(db: Db, analysisId: string, kinds: readonly PromptKind[]) {
  const key = `questions ${analysisId} ${kinds.join()} ${await findLastPosition(db, analysisId)}`;
  return db.cache.get(key, async () => {
    const { questions } = db.t;
    const { id, position, text, promptKind, country, personaId, askedBrandId, otherBrandId, lookAlike, template } =
      questions;
    const rows = await db.q
      .select({
        id,
        position,
        text,
        promptKind,
        country,
        personaId,
        askedBrandId,
        otherBrandId,
        lookAlike,
        template,
        asksProsCons: questions.asksProsCons,
      })
      .from(questions)
      .where(and(eq(questions.analysisId, analysisId), inArray(promptKind, [...kinds])))
      .orderBy(asc(position));
    return { value: rows, bytes: rows.length * QUESTION_BYTES };
  });
}
const QUESTION_BYTES = 500;
export type KindQuestion = Awaited<ReturnType<typeof listQuestionsOfKinds>>[number];

export interface WantedVerdict {
  collectId: string;
  questionId: string;
  source: Source;
  verdict: AwarenessVerdict;
}

export async function findAwareAnswers({ db, workspaceId }: Tenant, verdicts: readonly WantedVerdict[]) {
  const { q, t } = db;
  const each = <Key extends keyof WantedVerdict>(key: Key) => [...new Set(verdicts.map((one) => one[key]))];
  const candidates = await q
    .select({
      ...pick(t.answers, "key", "collectId", "questionId", "source"),
      verdict: t.awareness.verdict,
    })
    .from(t.answers)
    .innerJoin(t.awareness, eq(t.awareness.answerKey, t.answers.key))
    .where(
      and(
        eq(t.answers.workspaceId, workspaceId),
        inArray(t.answers.collectId, each("collectId")),
        inArray(t.answers.questionId, each("questionId")),
        inArray(t.answers.source, each("source")),
        inArray(t.awareness.verdict, each("verdict")),
      ),
    )
    .orderBy(asc(t.answers.run));
  const keys = verdicts.map((one) => candidates.find((row) => isWanted(row, one))?.key);
  const rows = await q
    .select({
      ...pick(t.answers, "key", "id", "text"),
      start: t.awareness.start,
      end: t.awareness.end,
    })
    .from(t.answers)
    .innerJoin(t.awareness, eq(t.awareness.answerKey, t.answers.key))
    .where(inArray(t.answers.key, [...new Set(keys.filter((key) => key !== undefined))]));
  const found = new Map(rows.map((row) => [row.key, row]));
  return keys.map((key) => (key === undefined ? undefined : found.get(key)));
}
export type AwareAnswer = Awaited<ReturnType<typeof findAwareAnswers>>[number];

function isWanted(row: WantedVerdict, one: WantedVerdict): boolean {
  return (
    row.collectId === one.collectId &&
    row.questionId === one.questionId &&
    row.source === one.source &&
    row.verdict === one.verdict
  );
}
