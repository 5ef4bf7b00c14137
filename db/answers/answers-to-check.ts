import { and, asc, between, eq, inArray } from "drizzle-orm";
import type { AnswerWithClaims } from "../../core/metrics/facts/collect-claims.ts";
import type { CapturedCitation, Mention } from "../../core/reading/capture.ts";
import { isResultPageSource } from "../../core/sources/sources.ts";
import { matches } from "../engine/rows.ts";
import type { Db } from "../engine/store.ts";
import type { tables } from "../schema.ts";

export type ClaimRow = typeof tables.claims.$inferSelect;

export interface AnswerToCheck extends Omit<AnswerWithClaims, "named"> {
  names: ReadonlySet<number>;
  /** Null if the answer names no brand to check. */
  text: string | null;
  /** By brand number; empty if `text` is null. */
  mentions: Mention[];
  citations: CapturedCitation[];
  claims: ClaimRow[];
}

/** Excludes prompts about invented names. Only answers naming a brand of `read` have texts. */
export async function listAnswersToCheck(
  db: Db,
  part: { id: string; analysisId: string; first: number; last: number },
  read: ReadonlySet<number>,
): Promise<AnswerToCheck[]> {
  // Skips result pages, which list content of others and make no claims.
  const rows = (await listPartAnswers(db, part)).filter(({ source }) => !isResultPageSource(source));
  const keys = rows.map(({ key }) => key);
  const mentions = groupByAnswer(await listMentions(db, keys));
  const namesIn = (key: number) => new Set((mentions.get(key) ?? []).map(({ brandNumber }) => brandNumber));
  const toRead = keys.filter((key) => [...namesIn(key)].some((number) => read.has(number)));
  const texts = new Map((await listTexts(db, toRead)).map(({ key, text }) => [key, text]));
  const pages = groupByAnswer(await listPages(db, toRead));
  const claims = groupByAnswer(await listClaims(db, part.id, keys));
  return rows.map((row) => {
    const text = texts.get(row.key) ?? null;
    const named = text === null ? [] : (mentions.get(row.key) ?? []);
    return {
      ...row,
      text,
      names: namesIn(row.key),
      mentions: named.map(({ brandNumber, alias, start, end }) => ({
        brand_id: String(brandNumber),
        alias,
        start,
        end,
      })),
      citations: (pages.get(row.key) ?? []).map(({ spans, ...page }) => ({ ...page, ...(spans && { spans }) })),
      claims: claims.get(row.key) ?? [],
    };
  });
}

function groupByAnswer<Row extends { answerKey: number }>(rows: readonly Row[]): Map<number, Row[]> {
  const groups = new Map<number, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.answerKey);
    if (group) group.push(row);
    else groups.set(row.answerKey, [row]);
  }
  return groups;
}

async function listPartAnswers({ q, t }: Db, part: { id: string; analysisId: string; first: number; last: number }) {
  const { key, source, collectionMethod, model, isShown } = t.answers;
  return q
    .select({ key, question: t.questions.position, source, collectionMethod, model, isShown })
    .from(t.questions)
    .innerJoin(t.answers, eq(t.answers.questionId, t.questions.id))
    .where(
      and(
        matches(t.questions, { analysisId: part.analysisId, lookAlike: null }),
        between(t.questions.position, part.first, part.last),
        eq(t.answers.collectId, part.id),
      ),
    )
    .orderBy(asc(t.questions.position), asc(t.answers.source), asc(t.answers.run));
}

async function listMentions({ q, t }: Db, keys: readonly number[]) {
  return q
    .select()
    .from(t.mentions)
    .where(inArray(t.mentions.answerKey, [...keys]))
    .orderBy(asc(t.mentions.answerKey), asc(t.mentions.start));
}

async function listTexts({ q, t }: Db, keys: readonly number[]) {
  return q
    .select({ key: t.answers.key, text: t.answers.text })
    .from(t.answers)
    .where(inArray(t.answers.key, [...keys]));
}

async function listPages({ q, t }: Db, keys: readonly number[]) {
  const { answerKey, position, url, isCited, spans } = t.citations;
  return q
    .select({ answerKey, position, url, spans })
    .from(t.citations)
    .where(and(inArray(answerKey, [...keys]), eq(isCited, true)))
    .orderBy(asc(answerKey), asc(position));
}

async function listClaims({ q, t }: Db, collectId: string, keys: readonly number[]): Promise<ClaimRow[]> {
  return q
    .select()
    .from(t.claims)
    .where(matches(t.claims, { collectId, answerKey: keys }));
}
