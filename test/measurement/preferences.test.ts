import { expect, test } from "vitest";
import {
  iterateAttributeScores,
  toScore,
  compareStances,
  iteratePreferences,
} from "../../core/metrics/facts/preferences.ts";
import { unpackPerception, type CollectPerception } from "../../core/metrics/facts/collect-perception.ts";
import { createPerceptionGatherer } from "../../core/metrics/facts/perception-gatherer.ts";
import type { StoredPerception } from "../../core/metrics/facts/stored-perception.ts";
import { createAspectNamer } from "../../core/perception/attributes.ts";

const [ACME, BOLT, CIVET] = [7, 3, 5];
const PLACE = { start: 0, end: 4 };

/** Opinions of one source: two answers to the first question, one to the third. */
function said(...answers: Partial<StoredPerception>[]): CollectPerception {
  const gathering = createPerceptionGatherer(3);
  for (const [at, one] of answers.entries()) {
    gathering.add({
      question: at < 2 ? 0 : 2,
      key: 100 + at,
      source: "ASSISTANT_A",
      collectionMethod: "api",
      model: "m",
      isShown: true,
      text: "Acme",
      perception: {
        language: "en",
        unjudged: null,
        judge: null,
        stances: [],
        points: [],
        comparisons: [],
        attributes: [],
        ...one,
      },
    });
  }
  const [source] = gathering.sources();
  if (!source) throw new Error("no source");
  return unpackPerception(source.pack());
}

const stance = (brand: number, of: "winner" | "recommended" | "mentioned") => ({ brand, stance: of, ...PLACE });
const clause = (brand: number, attribute: string, score: number) => ({ brand, attribute, score, ...PLACE });
const prefers = (better: number, worse: number, aspect: string | null = null) => ({ better, worse, aspect, ...PLACE });

test("preferring one of two brands is a win or loss, each in something a half", () => {
  const found = said(
    { comparisons: [prefers(ACME, BOLT, "price"), prefers(BOLT, ACME, "zoom"), prefers(CIVET, ACME)] },
    { comparisons: [prefers(BOLT, ACME, "zoom"), prefers(BOLT, ACME)] },
    { comparisons: [prefers(ACME, BOLT)] },
  );
  const counted = (of: (aspect: string | null) => boolean) => [
    ...iteratePreferences(found, { brand: ACME, other: BOLT }, of),
  ];
  expect(counted(() => true)).toEqual([
    { question: 0, runIndex: 0, value: 0.5 },
    { question: 0, runIndex: 1, value: 0 },
    { question: 2, runIndex: 0, value: 1 },
  ]);
  expect(counted((aspect) => aspect === "price")).toEqual([{ question: 0, runIndex: 0, value: 1 }]);
  expect(counted((aspect) => aspect === null)).toEqual([
    { question: 0, runIndex: 1, value: 0 },
    { question: 2, runIndex: 0, value: 1 },
  ]);
  expect([...iteratePreferences(found, { brand: BOLT, other: CIVET }, () => true)]).toEqual([]);
});

test("of two brands in an answer, the one with the better stance ranks higher", () => {
  const found = said(
    { stances: [stance(ACME, "recommended"), stance(BOLT, "winner"), stance(ACME, "mentioned")] },
    { stances: [stance(ACME, "recommended"), stance(BOLT, "recommended")] },
    { stances: [stance(ACME, "winner")] },
  );
  const values = (brand: number, other: number) =>
    Array.from(compareStances(found, { brand, other }), ({ runIndex, value }) => [runIndex, value]);
  expect(values(ACME, BOLT)).toEqual([
    [0, 0],
    [1, 0.5],
  ]);
  expect(values(BOLT, ACME)).toEqual([
    [0, 1],
    [1, 0.5],
  ]);
});

test("an answer counts for an attribute with the mean of its clauses, to a tenth of a point", () => {
  const found = said(
    { attributes: [clause(ACME, "price", 3), clause(ACME, "price", 3), clause(ACME, "price", 2)] },
    { attributes: [clause(BOLT, "price", -5), clause(ACME, "weight", 5)] },
    { attributes: [clause(ACME, "price", -5)] },
  );
  const scores = (brand: number, attribute: string) =>
    Array.from(iterateAttributeScores(found, { brand, attribute }), ({ question, runIndex, value, passageCount }) => {
      return [question, runIndex, toScore(value), passageCount];
    });
  expect(scores(ACME, "price")).toEqual([
    [0, 0, expect.closeTo(2.7, 9), 3],
    [2, 0, -5, 1],
  ]);
  expect(scores(BOLT, "price")).toEqual([[0, 1, -5, 1]]);
  expect(scores(ACME, "weight")).toEqual([[0, 1, 5, 1]]);
  expect(scores(ACME, "noise")).toEqual([]);
});

test.each([
  ["cheaper", "Price"],
  ["its price", "Price"],
  ["battery", "battery life"],
  ["life", "life"],
  ["quieter", "noise"],
  ["camera system", "camera"],
  ["mature ecosystem", "ecosystem"],
  ["sound quality", "sound quality"],
  ["value for money", "value"],
])("a comparison in %j is one in %j", (aspect, name) => {
  expect(createAspectNamer(["Price", "battery life"])(aspect)).toBe(name);
});
