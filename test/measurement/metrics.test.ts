import { computeShareOfVoice, selectFamilies } from "../../core/metrics/share-of-voice.ts";
import { expect, test } from "vitest";
import { unpackFacts, packFacts } from "../../core/metrics/facts/collect-facts.ts";
import { createCollectGatherer } from "../../core/metrics/facts/collect-gatherer.ts";
import { createSums } from "../../core/metrics/packed-sums.ts";
import { computeBrandMetrics, createBrandSums, computeRankWeight } from "../../core/metrics/metrics.ts";
import { listCountedPositions, groupPositionsByPrompt } from "../../core/metrics/prompt-clusters.ts";
import { sumFacts } from "../../core/metrics/facts/sum-facts.ts";

const [MINE, RIVAL, PART_OF_MINE] = [1, 2, 3];
/** The third brand belongs to the first. */
const FAMILIES = selectFamilies([
  { number: MINE, parentId: null },
  { number: RIVAL, parentId: null },
  { number: PART_OF_MINE, parentId: "mine" },
]);

/** An answer to a keyword: ranks by brand number; null if nothing was shown. */
type Answer = [keyword: number, ranks: Record<number, number> | null];

function sumsOf(answers: readonly Answer[]) {
  const gathering = createCollectGatherer(3, MINE);
  for (const [key, [keyword, ranks]] of answers.entries()) {
    const shown = { isShown: ranks !== null, isInformative: Object.keys(ranks ?? {}).length > 0 };
    gathering.addAnswer({ key, keyword, source: "ASSISTANT_A", collectionMethod: "api", model: "m", ...shown });
    for (const [brand, rank] of Object.entries(ranks ?? {})) {
      gathering.addRank({ answerKey: key, brand: Number(brand), rank, brandRank: rank, mentions: 2, url: null });
    }
  }
  const facts = gathering.sources().map((source) => unpackFacts(packFacts(source.answers, source.rows)));
  return sumFacts(facts, groupPositionsByPrompt(listCountedPositions(facts, null), null), FAMILIES);
}

const ANSWERS: Answer[] = [
  [0, { [MINE]: 1, [RIVAL]: 3, [PART_OF_MINE]: 1 }],
  [0, { [RIVAL]: 1 }],
  [1, { [MINE]: 3 }],
  [1, {}],
  [2, null],
];

test("the weight of a rank", () => {
  expect([1, 2, 3, 7].map(computeRankWeight)).toEqual([1, 1 / Math.log2(3), 0.5, 1 / 3]);
});

test("sums count answers without brands, but not missing answers", () => {
  const { brands, ...common } = sumsOf(ANSWERS);
  expect(common).toEqual({
    total: 4,
    not_shown: 1,
    informative: 3,
    keywords: 2,
    runs_least: 2,
    runs_most: 2,
    nn: 8,
    // Weights 1 + 0.5 + 1 of the first keyword, 0.5 of the second; sub-brands do not count
    // separately.
    voice: 3,
    vv: 6.5,
  });
  expect(new Set(Array.from(brands, ([brand]) => brand))).toEqual(new Set([MINE, RIVAL, PART_OF_MINE]));
  expect(brands.get(MINE)).toEqual({
    occurrences: 2,
    total_mentions: 4,
    nb_keywords: 2,
    full_keywords: 0,
    top_3_keywords: 2,
    full_top_3_keywords: 0,
    first_keywords: 0,
    only_keywords: 1,
    cited: 0,
    cited_keywords: 0,
    full_cited_keywords: 0,
    cc: 0,
    cn: 0,
    rank_sum: 4,
    brand_rank_sum: 4,
    top_3: 2,
    weight_sum: 1.5,
    xx: 2,
    xn: 4,
    tt: 2,
    tn: 4,
    ww: 1.25,
    wn: 3,
    wv: 2.75,
    rr: 10,
    rx: 4,
  });
  expect(brands.get(RIVAL)).toMatchObject({ occurrences: 2, nb_keywords: 1, full_keywords: 1, xx: 4, rr: 16, rx: 8 });
});

test("a brand in 5 of 50 answers that name no other is present in a tenth of them", () => {
  // Fault: answers that name no tracked brand were left out of the total, so that the only brand
  // was present in all.
  const { total, brands } = sumsOf(
    Array.from({ length: 50 }, (_, nth): Answer => [nth % 3, nth < 5 ? { [MINE]: 1 } : {}]),
  );
  expect(computeBrandMetrics(brands.get(MINE), total)).toMatchObject({ presence_rate: 0.1, visibility_score: 10 });
});

test("the figures of a brand", () => {
  const { total, brands } = sumsOf(ANSWERS);
  expect(computeBrandMetrics(brands.get(MINE), total)).toEqual({
    visibility_score: 37.5,
    presence_rate: 0.5,
    average_rank: 2,
    average_brand_rank: 2,
    top_3_rate: 0.5,
    occurrences: 2,
    total_mentions: 4,
    nb_keywords: 2,
  });
});

test("a brand that never appears has rates of 0 and no rank", () => {
  expect(computeBrandMetrics(undefined, 4)).toMatchObject({
    visibility_score: 0,
    presence_rate: 0,
    average_rank: null,
  });
});

test("without answers no rate is known", () => {
  expect(computeBrandMetrics(undefined, 0)).toMatchObject({
    visibility_score: null,
    presence_rate: null,
    average_rank: null,
  });
});

test("a brand that is always first scores 100", () => {
  const { total, brands } = sumsOf([
    [0, { [MINE]: 1 }],
    [1, { [MINE]: 1 }],
  ]);
  expect(computeBrandMetrics(brands.get(MINE), total)).toMatchObject({ visibility_score: 100, presence_rate: 1 });
});

test("a sub-brand adds nothing to the denominator of share of voice", () => {
  const sums = sumsOf([[0, { [MINE]: 1, [RIVAL]: 1, [PART_OF_MINE]: 1 }]]);
  expect(FAMILIES.count).toBe(2);
  expect([MINE, RIVAL].map((brand) => computeShareOfVoice(sums.brands.get(brand), sums, FAMILIES))).toEqual([0.5, 0.5]);
});

test.each([
  [1.5, 2, 2, 0.75],
  [0, 2, 2, 0],
  [1, 1, 1, null],
  [0, 0, 2, null],
])("share of voice of %d of %d among %d families is %s", (weight, voice, families, share) => {
  const own = { ...createBrandSums(), weight_sum: weight };
  expect(computeShareOfVoice(own, { ...createSums(), voice }, { ...FAMILIES, count: families })).toBe(share);
});
