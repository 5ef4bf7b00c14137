import { COLLECTS } from "../../src/demo/demo-content.ts";
import { latest, cited, names } from "./answer-tasks.ts";
import type { Question, Reasoned } from "./question.ts";
import { top } from "./visibility-tasks.ts";

// Questions that need what the product does not do yet. The test fails once one of them is answered: it then belongs to
// the others.

/** A question with the words of the product for what it waits for. */
export type Waiting = (Question | Reasoned) & { waitsFor: string };

const six = (value: number) => Math.round(value * 1e6) / 1e6;
const VERDICTS = "verdicts on changes, which say whether there are enough answers";
const BY_DIMENSION = "visibility by dimension and time";
const BRAND_ANALYSES = "brand analyses";

export const WAITING: Waiting[] = [
  {
    question: "What was the visibility score of each brand in the previous collect?",
    waitsFor: "the previous visibility_score beside the present one",
    facts(demo) {
      const before = new Map(top(demo, () => true, COLLECTS - 1).map((row) => [row["brand"], row["visibility_score"]]));
      return top(demo).map((row) => [row["brand"], row["visibility_score"], before.get(row["brand"])]);
    },
  },
  {
    question: "What is our share of voice?",
    waitsFor: BY_DIMENSION,
    facts(demo) {
      const rows = top(demo).map(({ brand, visibility_score: score }) => ({ brand, score: Number(score) }));
      const all = rows.reduce((sum, { score }) => sum + score, 0);
      return rows.map(({ brand, score }) => [brand, six(score / all)]);
    },
  },
  {
    question: "Which source is our weakest: how present are we in each?",
    waitsFor: BY_DIMENSION,
    facts: (demo) =>
      demo.sources.flatMap((source) => {
        const own = top(demo, (one) => one.source === source).find((row) => row["is_my_brand"] === true);
        return own ? [[own["presence_rate"], own["total"]]] : [];
      }),
  },
  {
    question: "How did our presence develop over all collects?",
    waitsFor: BY_DIMENSION,
    facts: (demo) =>
      Array.from({ length: COLLECTS }, (_, index) => index + 1).flatMap((collect) => {
        const own = top(demo, () => true, collect).find((row) => row["is_my_brand"] === true);
        return own ? [[collect, own["presence_rate"]]] : [];
      }),
  },
  {
    question: 'Which brand stands first, second and third for "best compact espresso machine"?',
    waitsFor: BY_DIMENSION,
    facts: (demo) =>
      top(demo, ({ keyword }) => keyword.text === "best compact espresso machine")
        .slice(0, 3)
        .map((row) => [row["brand"], row["presence_rate"]]),
  },
  {
    question: "Which sites are cited where Brindlecup is named but not us?",
    waitsFor: "citations of answers with and without a brand",
    facts: (demo) => {
      const asked = demo.asked.filter(
        (one) => latest(one) && names("Brindlecup", one, demo) && !names("Kestrova", one, demo),
      );
      return cited(asked, ({ domain }) => domain).slice(0, 5);
    },
  },
  {
    question: "Did our presence really change since the previous collect, or is it chance?",
    waitsFor: VERDICTS,
    because: /\b(?:within_noise|first_sign|moved)\b/,
  },
  {
    question: "Did Orbarista gain in Amazon's assistant for office managers?",
    waitsFor: VERDICTS,
    because: /\binsufficient_data\b/,
  },
  {
    question: "Can the figures of ChatGPT be compared although its model changed?",
    waitsFor: "a demo in which a model changed",
    because: /\bmodel_changed\b/,
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
