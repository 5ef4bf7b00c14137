import { expect, test } from "vitest";
import type { DeclaredFact } from "./facts.ts";
import type { PerceptionReading } from "./perception-reading.ts";
import { evaluate, type Material } from "./tasks.ts";
import type { LabelledUnit } from "./units.ts";

const TEXT = "Acme is fast but loud. Bolt is quieter than Acme.";
const drawn = { part: "open", answer: "a", hash: "" } as const;
const common = { ...drawn, brand: "acme", start: 0, end: 22, window: { start: 0, end: 22 } };
const spans = [
  { brand: "acme", polarity: "pro", start: 8, end: 12 },
  { brand: "acme", polarity: "con", start: 17, end: 21 },
] as const;
const pair = { better: "bolt", worse: "acme", aspect: null };
const claim = { verdict: "agreed" } as const;

const UNITS: LabelledUnit[] = [
  { ...common, id: "s", kind: "stance", label: "caveated", first: "caveated", second: "caveated" },
  { ...common, id: "p", kind: "pros_and_cons", label: [...spans], first: [], second: [] },
  { ...common, id: "c", kind: "comparison", start: 23, end: 49, label: [pair], first: [], second: [] },
  { ...common, id: "f", kind: "claim", fact: "f1", end: 49, label: claim, first: claim, second: claim },
];

const FACT: DeclaredFact = {
  id: "f1",
  brand: "acme",
  names: ["Acme"],
  attribute: "loud",
  kind: "feature",
  value: true,
  unit: null,
};

const material: Material = {
  answers: new Map([["a", { id: "a", product: "", prompt: "", text: TEXT }]]),
  facts: new Map([[FACT.id, FACT]]),
};

const PERFECT: PerceptionReading = {
  name: "perfect",
  stance: () => "discouraged",
  prosAndCons: () => spans.map(({ brand, ...span }) => ({ ...span, brandId: brand })),
  comparisons: () => [{ better: "bolt", worse: "acme", start: 23, end: 49, aspect: "quiet" }],
  claim: () => ({ verdict: "agreed", start: 0, end: 22 }),
};

test("gives full marks in every task to a reading that equals the labels", () => {
  const results = evaluate(PERFECT, UNITS, material);
  expect(results.map(({ task, score }) => [task, score.f1])).toEqual([
    ["stance", 1],
    ["pros and cons", 1],
    ["comparisons", 1],
    ["claims", 1],
  ]);
});

test("counts a wrong direction, brand or polarity as wrong, and ignores findings outside the units", () => {
  const wrong: PerceptionReading = {
    name: "wrong",
    prosAndCons: () => [
      { brandId: "bolt", polarity: "pro", start: 8, end: 12 },
      { brandId: "acme", polarity: "pro", start: 17, end: 21 },
      { brandId: "bolt", polarity: "pro", start: 31, end: 38 },
    ],
    comparisons: () => [{ better: "acme", worse: "bolt", start: 23, end: 49, aspect: null }],
  };
  const [first, second] = evaluate(wrong, UNITS, material);
  expect(first?.score.classes.get("pro")).toMatchObject({ found: 2, right: 0, there: 1 });
  expect(second?.score.classes.get("prefers")).toMatchObject({ found: 1, right: 0, there: 1 });
  expect(evaluate(wrong, UNITS, material)).toHaveLength(2);
});
