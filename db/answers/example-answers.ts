import { exists, max, notExists, sql, type SQL } from "drizzle-orm";
import type { Source } from "../../core/sources/sources.ts";
import { matches } from "../engine/rows.ts";
import type { Tenant } from "../engine/store.ts";
import { answerToQuestionsCondition, type QuestionAnswers } from "./question-answers.ts";

/** Newest answers to a question with and without a brand; null if there are none. */
export interface ExampleAnswers {
  questionId: string;
  source: Source;
  withId: string | null;
  withoutId: string | null;
}

export async function listExampleAnswers(
  { db }: Pick<Tenant, "db">,
  to: QuestionAnswers,
  brandNumber: number,
): Promise<ExampleAnswers[]> {
  const { answers, places } = db.t;
  const ranks = db.q
    .select({ number: places.brandNumber })
    .from(places)
    .where(matches(places, { answerKey: answers.key, brandNumber }));
  const newest = (condition: SQL) => max(sql<string>`case when ${condition} then ${answers.id} end`);
  return db.q
    .select({
      questionId: answers.questionId,
      source: answers.source,
      withId: newest(exists(ranks)),
      withoutId: newest(notExists(ranks)),
    })
    .from(answers)
    .where(answerToQuestionsCondition(db, to))
    .groupBy(answers.questionId, answers.source);
}
