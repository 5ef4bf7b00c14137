import { and, asc, eq, gt, inArray, or, sql, type SQL } from "drizzle-orm";
import { mergeKeywordData } from "../../core/analyses/keyword-data.ts";
import { foldName } from "../../core/shared/names.ts";
import type { Page } from "../../core/shared/pagination.ts";
import type { Tenant } from "../engine/store.ts";
import type { tables } from "../schema.ts";
import { keywordDataCondition } from "./keyword-data.ts";

export type FacetRow = typeof tables.facets.$inferSelect;
export type QuestionRow = typeof tables.questions.$inferSelect;

export interface QuestionRows {
  facets: (typeof tables.facets.$inferInsert)[];
  questions: (typeof tables.questions.$inferInsert)[];
}

export async function insertQuestions({ db }: Tenant, rows: QuestionRows): Promise<void> {
  await db.bulkInsert(db.t.facets, rows.facets);
  await db.bulkInsert(db.t.questions, rows.questions);
}

export async function listFacets({ db: { q, t } }: Tenant, analysisId: string): Promise<FacetRow[]> {
  return q
    .select()
    .from(t.facets)
    .where(eq(t.facets.analysisId, analysisId))
    .orderBy(asc(t.facets.kind), asc(t.facets.position), asc(t.facets.id));
}

export async function countQuestions({ db: { q, t } }: Tenant, analysisId: string): Promise<number> {
  return q.$count(t.questions, eq(t.questions.analysisId, analysisId));
}

/** Includes questions of earlier setups and of imports. */
export async function listAllQuestions({ db: { q, t } }: Tenant, analysisId: string): Promise<QuestionRow[]> {
  return q.select().from(t.questions).where(eq(t.questions.analysisId, analysisId)).orderBy(asc(t.questions.position));
}

export async function listQuestionTexts({ db: { q, t } }: Tenant, analysisId: string) {
  return q
    .select({ id: t.questions.id, text: t.questions.text })
    .from(t.questions)
    .where(eq(t.questions.analysisId, analysisId))
    .orderBy(asc(t.questions.position));
}

const UUID_PATTERN = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Matches ids and texts; texts ignore ASCII case. */
export async function listQuestionsByIdOrText({ db: { q, t } }: Tenant, analysisId: string, values: readonly string[]) {
  const texts = values.filter((value) => !UUID_PATTERN.test(value));
  const ids = values.map((value) => value.toLowerCase());
  // Texts have no index, so matching by text scans all questions of the analysis.
  const named = or(
    inArray(t.questions.id, ids),
    texts.length === 0 ? undefined : inArray(t.questions.text, texts),
    texts.length === 0 ? undefined : inArray(sql`lower(${t.questions.text})`, texts.map(foldName)),
  );
  const rows = await q
    .select({ id: t.questions.id, name: t.questions.text, country: t.questions.country, persona: t.personas.name })
    .from(t.questions)
    .leftJoin(t.personas, eq(t.personas.id, t.questions.personaId))
    .where(and(eq(t.questions.analysisId, analysisId), named));
  return rows.map(({ id, name, country, persona }) => {
    const detail = [country, persona].filter((part) => part !== null).join(", ");
    return { id, name, ...(detail !== "" && { detail }) };
  });
}

export async function listFirstQuestions({ db: { q, t } }: Tenant, analysisId: string, limit: number) {
  return q
    .select({ id: t.questions.id, name: t.questions.text })
    .from(t.questions)
    .where(eq(t.questions.analysisId, analysisId))
    .orderBy(asc(t.questions.position))
    .limit(limit);
}

/** The cursor key is the position. Null positions do not filter. */
export async function listAnalysisQuestions(
  { db }: Tenant,
  analysisId: string,
  page: Page,
  { positions, among }: { positions: readonly number[] | null; among: SQL | undefined },
) {
  const { q, t } = db;
  const after = page.after?.[0] === undefined ? -1 : Number(page.after[0]);
  const rows = await q
    .select({ question: t.questions, found: t.keywordFigures })
    .from(t.questions)
    .leftJoin(t.keywordFigures, await keywordDataCondition(db, analysisId))
    .where(
      and(
        eq(t.questions.analysisId, analysisId),
        among,
        gt(t.questions.position, after),
        positions === null
          ? undefined
          : inArray(
              t.questions.position,
              positions.filter((one) => one > after),
            ),
      ),
    )
    .orderBy(asc(t.questions.position))
    .limit(page.limit + 1);
  return rows.map(({ question, found }) => ({ ...question, ...mergeKeywordData(question, found) }));
}
