import { RUN_COUNT } from "../../src/demo/demo-content.ts";
import type { Question, Reasoned } from "./question.ts";
import { rankBrands } from "./visibility-tasks.ts";

// Questions that need missing features. The test fails once one is answered; then it moves to the
// others.

/** A question with the missing feature. */
export type PendingQuestion = (Question | Reasoned) & { waitsFor: string };

export const PENDING_QUESTIONS: PendingQuestion[] = [
  {
    question: "What was the visibility score of each brand in the previous collect?",
    waitsFor: "the previous visibility_score beside the present one",
    facts(demo) {
      const before = new Map(
        rankBrands(demo, () => true, RUN_COUNT - 1).map((row) => [row["brand"], row["visibility_score"]]),
      );
      return rankBrands(demo).map((row) => [row["brand"], row["visibility_score"], before.get(row["brand"])]);
    },
  },
];
