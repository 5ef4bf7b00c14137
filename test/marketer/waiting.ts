import { COLLECTS } from "../../src/demo/demo-content.ts";
import type { Question, Reasoned } from "./question.ts";
import { PAGES, presenceOverTime, top } from "./visibility-tasks.ts";

// Questions that need what the product does not do yet. The test fails once one of them is answered: it then belongs to
// the others.

/** A question with the words of the product for what it waits for. */
export type Waiting = (Question | Reasoned) & { waitsFor: string };

const BRAND_ANALYSES = "brand analyses";

export const WAITING: Waiting[] = [
  {
    question: "Which source is our weakest: how present are we in each?",
    // As with the dimension collect below: more than one tool groups by source, so that the player takes the word for none.
    waitsFor: "words that tell the dimension source from the sources that many tools speak of",
    facts: (demo) =>
      demo.sources
        .filter((source) => !PAGES.has(source))
        .flatMap((source) =>
          top(demo, (asked) => asked.source === source)
            .filter(({ brand }) => brand === "Kestrova")
            .map(({ presence_rate, total }) => [presence_rate, total]),
        ),
  },
  {
    question: "What was the visibility score of each brand in the previous collect?",
    waitsFor: "the previous visibility_score beside the present one",
    facts(demo) {
      const before = new Map(top(demo, () => true, COLLECTS - 1).map((row) => [row["brand"], row["visibility_score"]]));
      return top(demo).map((row) => [row["brand"], row["visibility_score"], before.get(row["brand"])]);
    },
  },
  {
    question: "How did our presence develop over all collects?",
    // A model names the dimension, as the plan by hand does. The player takes the word for one that names nothing.
    waitsFor: "words that tell the dimension collect from the collects that many tools speak of",
    facts: presenceOverTime,
  },
  {
    question: "What do assistants praise about us, and what do they blame?",
    waitsFor: BRAND_ANALYSES,
    because: /\bstance\b|\bcons\b/,
  },
  {
    question: "Do assistants know our brand when it is not named in the prompt?",
    waitsFor: BRAND_ANALYSES,
    because: /\bunaided\b/,
  },
];
