import { expect, test } from "vitest";
import { labelledCatalog, RECORDED_ANSWERS } from "../measurement/truth.ts";
import { declaredFacts } from "./facts.ts";
import { findDrifted, labelledUnits, unitsOf } from "./labels.ts";
import { identifiedAnswers } from "./recorded.ts";
import { toneOf } from "./tasks.ts";
import type { LabelledUnit } from "./units.ts";

const held = labelledUnits("held-out");
const open = labelledUnits("open");
const all = [...held, ...open];
const answers = identifiedAnswers();
if (!answers) console.warn(`skipped: the recorded answers are not at ${RECORDED_ANSWERS}`);

function countOf(units: readonly LabelledUnit[]): Record<string, number> {
  const names = [
    ...unitsOf(units, "stance").map(({ label }) => toneOf(label)),
    ...unitsOf(units, "pros_and_cons").flatMap(({ label }) => label.map(({ polarity }) => polarity)),
    ...unitsOf(units, "comparison").flatMap(({ label }) => label.map(() => "prefers")),
    ...unitsOf(units, "claim").map(({ label }) => label.verdict),
  ];
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

test("no answer is in both halves, and each half names itself", () => {
  const open_ = new Set(open.map(({ answer }) => answer));
  expect(held.filter(({ answer }) => open_.has(answer))).toEqual([]);
  expect(held.filter(({ part }) => part !== "held-out")).toEqual([]);
  expect(open.filter(({ part }) => part !== "open")).toEqual([]);
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
});

test("every class has 30 labels at least, and of 100 claims or more 20 are wrong", () => {
  const counts = countOf(all);
  const few = Object.entries(counts).filter(([, count]) => count < 30);
  expect(few).toEqual([]);
  expect(Object.keys(counts)).toHaveLength(9);
  expect(unitsOf(all, "claim").length).toBeGreaterThanOrEqual(100);
  expect(counts["contradicted"]).toBeGreaterThanOrEqual(20);
});

test("labels contain offsets and catalog names, and no text of answers", () => {
  const brands = new Set(labelledCatalog().brands.map(({ id }) => id));
  const facts = new Set(declaredFacts().map(({ id }) => id));
  const spans = unitsOf(all, "pros_and_cons").flatMap((unit) => unit.label.map((span) => ({ unit, span })));
  const pairs = unitsOf(all, "comparison").flatMap(({ label }) => label);
  expect(unitsOf(all, "claim").filter(({ fact }) => !facts.has(fact))).toEqual([]);
  expect(spans.filter(({ span }) => !brands.has(span.brand) || span.start >= span.end)).toEqual([]);
  expect(spans.filter(({ unit, span }) => span.start < unit.start || span.end > unit.end)).toEqual([]);
  expect(pairs.filter(({ better, worse }) => !brands.has(better) || !brands.has(worse) || better === worse)).toEqual(
    [],
  );
  const strings = JSON.stringify(all).match(/"[^"]*"/g) ?? [];
  expect(strings.filter((text) => text.includes(" "))).toEqual([]);
});

test.skipIf(!answers)("the recorded answers have the text that was labelled", () => {
  expect(findDrifted(all, answers ?? [])).toEqual([]);
});
