import { expect, test } from "vitest";
import { labelledUnits } from "../perception/labels.ts";
import { pairAgreements } from "./agreement.ts";
import { catalogOf, labelledAnswers } from "./label-lines.ts";
import { readTexts, missingTextsReason } from "./texts.ts";

const held = labelledAnswers("held-out");
const open = labelledAnswers("open");
const all = [...held, ...open];
const pairs = all.flatMap((answer) => answer.pairs);
const absent = missingTextsReason();
if (absent) console.warn(absent);

function idOf({ answer }: { answer: string }): string {
  return answer.replace("#constructed", "");
}

test("has no answer in both halves, nor in the opposite half of the perception labels", () => {
  const halves = [
    { part: "open", answers: open, other: held },
    { part: "held-out", answers: held, other: open },
  ];
  for (const { part, answers, other } of halves) {
    const there = new Set(other.map(idOf));
    for (const { answer } of labelledUnits(part === "open" ? "held-out" : "open")) there.add(`recorded/${answer}`);
    expect(answers.filter((answer) => answer.part !== part || there.has(idOf(answer)))).toEqual([]);
  }
  expect(new Set(all.map(({ answer }) => answer)).size).toBe(all.length);
});

test("stores identifiers and offsets, and no text except our own prompts", () => {
  const bare = all.map((answer) => ({ ...answer, prompt: "" }));
  expect((JSON.stringify(bare).match(/"[^"]*"/g) ?? []).filter((text) => text.includes(" "))).toEqual([]);
  expect(all.filter(({ prompt, prompt_from }) => (prompt !== undefined) !== (prompt_from === "constructed"))).toEqual(
    [],
  );
});

test("every pair is of a tracked brand, and only brands that are present have a rank, a stance and points", () => {
  const wrong = all.flatMap((answer) => {
    const { indexById } = catalogOf(answer);
    return answer.pairs.filter(({ brand, present, rank, stance, pros, cons }) => {
      const said = [rank, stance, pros, cons].filter((label) => label !== undefined).length;
      return !indexById.has(brand) || said !== (present ? 4 : 0);
    });
  });
  expect(wrong).toEqual([]);
});

test("has at least 30 labels per measured class except winners, and none that is advised against", () => {
  const counts: Record<string, number> = {};
  const count = (name: string, by = 1): void => void (counts[name] = (counts[name] ?? 0) + by);
  for (const { present, named, stance, pros = [], cons = [] } of pairs) {
    count(present ? "present" : "absent");
    count(named ? "named" : "not named");
    if (stance) count(stance);
    count("pros", pros.length);
    count("cons", cons.length);
  }
  expect(counts).toEqual({
    present: 273,
    absent: 123,
    named: 45,
    "not named": 351,
    mentioned: 117,
    recommended: 100,
    caveated: 40,
    winner: 16,
    pros: 433,
    cons: 129,
  });
});

test("measures the annotator agreement that the README states", () => {
  const figures = pairAgreements(all).map(({ what, value }) => [what, value.toFixed(2)]);
  expect(figures).toEqual([
    ["rank", "0.96"],
    ["rank: 1, to 3, to 10, beyond", "0.99"],
    ["stance, five labels", "0.97"],
    ["stance, three classes", "0.99"],
    ["pros, relaxed", "0.92"],
    ["cons, relaxed", "0.96"],
  ]);
});

test.skipIf(absent)("has the labelled texts, with every offset inside its text", () => {
  const texts = readTexts(all);
  const beyond = all.filter(({ pairs: own }, index) => {
    const places = own.flatMap(({ pros = [], cons = [] }) => [...pros, ...cons]);
    const length = texts[index]?.text.length ?? 0;
    return places.some(([start, end]) => start >= end || end > length);
  });
  expect(beyond).toEqual([]);
});
