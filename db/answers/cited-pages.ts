import { and, asc, countDistinct, eq, isNull, ne, or } from "drizzle-orm";
import { matches } from "../engine/rows.ts";
import type { Db } from "../engine/store.ts";
import { answerToQuestionsCondition, type QuestionAnswers } from "./question-answers.ts";

/** One row per domain, URL and source. */
export async function listCitedPages(db: Db, to: QuestionAnswers, exceptBrandId?: string) {
  if (to.questionIds.length === 0) return [];
  const { q, t } = db;
  return q
    .select({
      domain: t.citations.domain,
      url: t.citations.url,
      siteType: t.citations.competitorType,
      source: t.answers.source,
      answers: countDistinct(t.answers.id),
    })
    .from(t.answers)
    .innerJoin(t.citations, eq(t.citations.answerKey, t.answers.key))
    .leftJoin(t.brands, matches(t.brands, { workspaceId: t.answers.workspaceId, number: t.citations.brandNumber }))
    .where(
      and(
        answerToQuestionsCondition(db, to),
        eq(t.citations.isCited, true),
        exceptBrandId === undefined ? undefined : or(isNull(t.brands.id), ne(t.brands.id, exceptBrandId)),
      ),
    )
    .groupBy(t.citations.domain, t.citations.url, t.citations.competitorType, t.answers.source)
    .orderBy(asc(t.citations.domain), asc(t.citations.url), asc(t.answers.source));
}
