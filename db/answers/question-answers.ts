import { and, or } from "drizzle-orm";
import type { CollectedPart } from "../../core/metrics/select-counted-parts.ts";
import { matches } from "../engine/rows.ts";
import type { Db } from "../engine/store.ts";

export interface QuestionAnswers {
  collectId: string;
  questionIds: readonly string[];
  ways: readonly CollectedPart[];
}

/** Excludes answers where the source showed nothing. */
export function answerToQuestionsCondition({ t: { answers } }: Db, { collectId, questionIds, ways }: QuestionAnswers) {
  return and(
    matches(answers, { collectId, questionId: questionIds, isShown: true }),
    or(...ways.map(({ source, method }) => matches(answers, { source, collectionMethod: method }))),
  );
}
