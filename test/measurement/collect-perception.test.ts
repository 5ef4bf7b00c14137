import { expect, test } from "vitest";
import {
  SCORE_AGAINST,
  SCORE_FOR,
  buildScoredFacts,
  computeScoreMoments,
} from "../../core/metrics/facts/scored-facts.ts";
import { unpackPerception } from "../../core/metrics/facts/collect-perception.ts";
import {
  createPerceptionGatherer,
  selectStrongestStance,
  type OpinionAnswer,
} from "../../core/metrics/facts/perception-gatherer.ts";
import { copyToParents, type StoredPerception } from "../../core/metrics/facts/stored-perception.ts";

const NOTHING: StoredPerception = {
  language: "en",
  unjudged: null,
  judge: null,
  stances: [],
  points: [],
  comparisons: [],
  attributes: [],
};
const TEXT = "Acme has a long battery life. Acme has great battery life. Bolt is dear.";
const at = (part: string) => ({ start: TEXT.indexOf(part), end: TEXT.indexOf(part) + part.length });
const ACME: StoredPerception = {
  ...NOTHING,
  stances: [
    { brand: 7, ...at("Acme"), stance: "mentioned" },
    { brand: 7, ...at("Acme"), stance: "winner" },
    { brand: 3, ...at("Bolt"), stance: "caveated" },
  ],
  points: [
    { brand: 7, ...at("long battery life"), polarity: "pro", head: "battery life" },
    { brand: 7, ...at("great battery life"), polarity: "pro", head: "battery life" },
    { brand: 3, ...at("dear"), polarity: "con", head: "price" },
  ],
  comparisons: [
    { better: 7, worse: 3, ...at("Acme"), aspect: null },
    { better: 7, worse: 3, ...at("Bolt"), aspect: null },
    { better: 7, worse: 3, ...at("Bolt"), aspect: "battery life" },
  ],
  attributes: [{ brand: 3, ...at("dear"), attribute: "price", score: -2 }],
};
const answer = (question: number, perception: StoredPerception | null, more: Partial<OpinionAnswer> = {}) => ({
  question,
  key: 1,
  source: "ASSISTANT_A" as const,
  collectionMethod: "api" as const,
  model: "m",
  isShown: true,
  text: TEXT,
  perception,
  ...more,
});

function opened(...answers: OpinionAnswer[]) {
  const gathering = createPerceptionGatherer(3);
  for (const one of answers) gathering.add(one);
  const [source] = gathering.sources();
  if (!source) throw new Error("no source");
  return unpackPerception(source.pack());
}

test("opinions are packed once per answer, and found by question and run", () => {
  const found = opened(answer(0, NOTHING), answer(0, ACME), answer(2, ACME, { isShown: false }), answer(2, null));
  expect({
    answers: [...found.answers],
    ways: found.ways,
    starts: [...found.opinions.rowStarts],
    opinions: [found.opinions.runIndexes, found.opinions.brands, found.opinions.stanceIndexes].map((column) => [
      ...column,
    ]),
    counts: [found.opinions.proCounts, found.opinions.conCounts, found.opinions.judgedFlags].map((column) => [
      ...column,
    ]),
    points: [...found.points.groupIndexes],
    groups: found.groups,
    comparisons: [found.comparisons.betterBrands, found.comparisons.worseBrands, found.comparisons.aspects].map(
      (column) => [...column],
    ),
    aspects: found.aspects,
    attributes: [found.attributes.runIndexes, found.attributes.brands, found.attributes.scores].map((column) => [
      ...column,
    ]),
    attributeNames: found.attributeNames,
  }).toEqual({
    answers: [2, 0, 0],
    ways: [{ method: "api", model: "m" }],
    starts: [0, 2, 2, 2],
    opinions: [
      [1, 1],
      [3, 7],
      [2, 0],
    ],
    counts: [
      [0, 2],
      [1, 0],
      [1, 1],
    ],
    points: [0, 1],
    groups: [
      { brand: 7, polarity: "pro", head: "battery life", phrase: "long battery life", said: 1 },
      { brand: 3, polarity: "con", head: "price", phrase: "dear", said: 1 },
    ],
    comparisons: [
      [7, 7],
      [3, 3],
      [0, 1],
    ],
    aspects: ["battery life"],
    attributes: [[1], [3], [3]],
    attributeNames: ["price"],
  });
});

test.each([
  [["mentioned", "recommended"], "recommended"],
  [["caveated", "winner"], "winner"],
  [["mentioned", "discouraged"], "discouraged"],
  [["caveated", "discouraged"], "discouraged"],
  [["recommended", "discouraged"], "recommended"],
  [["mentioned"], "mentioned"],
] as const)("an answer with mentions that are %j is %s", (mentions, stance) => {
  expect(selectStrongestStance(mentions)).toBe(stance);
});

test("a figure of some answers is the share of their values", () => {
  const found = opened(answer(0, ACME), answer(0, ACME), answer(1, ACME), answer(2, ACME));
  const facts = buildScoredFacts(found, [
    { question: 0, runIndex: 0, value: 1 },
    { question: 0, runIndex: 1, value: 0.5 },
    { question: 2, runIndex: 0, value: 0 },
  ]);
  expect([[...facts.answers], [...facts.rowStarts], [...facts.brands], [...facts.ranks]]).toEqual([
    [2, 1, 1],
    [0, 4, 4, 6],
    [SCORE_FOR, SCORE_AGAINST, SCORE_FOR, SCORE_AGAINST, SCORE_FOR, SCORE_AGAINST],
    [100, 0, 50, 50, 0, 100],
  ]);
  expect(computeScoreMoments([facts], [0, 1, 2])).toEqual({
    promptCount: 2,
    n: 3,
    x: 1.5,
    xx: 2.25,
    xn: 3,
    nn: 5,
    withValue: 1,
    withoutFull: 2,
  });
});

test("opinions on a product count for its brand, except between two products of one brand", () => {
  const said: StoredPerception = {
    ...NOTHING,
    stances: [{ brand: 8, ...at("Acme"), stance: "winner" }],
    points: [{ brand: 8, ...at("dear"), polarity: "con", head: "price" }],
    comparisons: [
      { better: 8, worse: 3, ...at("Acme"), aspect: null },
      { better: 8, worse: 9, ...at("Bolt"), aspect: null },
    ],
    attributes: [{ brand: 8, ...at("dear"), attribute: "price", score: -2 }],
  };
  const parents = new Map([
    [8, [7]],
    [9, [7]],
  ]);
  const { stances, points, comparisons, attributes } = copyToParents(said, parents);
  expect([stances, points, attributes].map((rows) => rows.map(({ brand }) => brand))).toEqual([
    [8, 7],
    [8, 7],
    [8, 7],
  ]);
  expect(comparisons.map(({ better, worse }) => [better, worse])).toEqual([
    [8, 3],
    [7, 3],
    [8, 9],
  ]);
});
