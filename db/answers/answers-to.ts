import { and, eq, inArray, or } from "drizzle-orm";
import type { CollectedPart } from "../../core/metrics/counted-together.ts";
import type { Db } from "../engine/store.ts";

export interface AnswersTo {
  collectId: string;
  questionIds: readonly string[];
  /** By which method those of each source are: `listCountedWays` gives it. */
  ways: readonly CollectedPart[];
}

/** Holds for these answers, where their source showed something. */
export function isAnswerTo({ t: { answers } }: Db, { collectId, questionIds, ways }: AnswersTo) {
  return and(
    eq(answers.collectId, collectId),
    inArray(answers.questionId, [...questionIds]),
    eq(answers.isShown, true),
    or(...ways.map(({ source, method }) => and(eq(answers.source, source), eq(answers.collectionMethod, method)))),
  );
}
