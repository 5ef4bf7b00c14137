import { and, asc, countDistinct, eq, inArray, isNull, ne, or } from "drizzle-orm";
import type { Db } from "../engine/store.ts";

/** Answers of a collect to some questions. */
export interface AnswersTo {
  collectId: string;
  questionIds: readonly string[];
}

/** Pages that these answers cite, by domain and address, a row per source; without those of the brand `exceptBrandId`. */
export async function listPagesCitedIn({ q, t }: Db, { collectId, questionIds }: AnswersTo, exceptBrandId?: string) {
  if (questionIds.length === 0) return [];
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
    .leftJoin(
      t.brands,
      and(eq(t.brands.workspaceId, t.answers.workspaceId), eq(t.brands.number, t.citations.brandNumber)),
    )
    .where(
      and(
        eq(t.answers.collectId, collectId),
        inArray(t.answers.questionId, [...questionIds]),
        eq(t.answers.isShown, true),
        eq(t.citations.isCited, true),
        exceptBrandId === undefined ? undefined : or(isNull(t.brands.id), ne(t.brands.id, exceptBrandId)),
      ),
    )
    .groupBy(t.citations.domain, t.citations.url, t.citations.competitorType, t.answers.source)
    .orderBy(asc(t.citations.domain), asc(t.citations.url), asc(t.answers.source));
}
