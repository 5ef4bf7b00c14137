import { expect, test } from "vitest";
import { brandMetrics, rankWeight, shareOfVoice, sumReadings } from "../../core/measuring/metrics.ts";
import type { KeywordReading } from "../../core/measuring/metrics.ts";

function reading(keyword: string, ranks: Record<string, number>, eligible = true): KeywordReading {
  const places = Object.entries(ranks).map(([brand_id, rank]) => ({ brand_id, rank, mentions: 2, url: null }));
  return { keyword, reading: { eligible, places } };
}

const READINGS = [
  reading("a", { mine: 1, rival: 3 }),
  reading("a", { rival: 1 }),
  reading("b", { mine: 3 }),
  reading("b", {}),
  reading("c", { mine: 1 }, false),
];

test("the weight of a rank", () => {
  expect([1, 2, 3, 7].map(rankWeight)).toEqual([1, 1 / Math.log2(3), 0.5, 1 / 3]);
});

test("sums over a selection, to which what is not eligible adds nothing", () => {
  expect(sumReadings(READINGS)).toEqual({
    total: 4,
    brands: new Map([
      ["mine", { occurrences: 2, total_mentions: 4, nb_keywords: 2, rank_sum: 4, weight_sum: 1.5 }],
      ["rival", { occurrences: 2, total_mentions: 4, nb_keywords: 1, rank_sum: 4, weight_sum: 1.5 }],
    ]),
  });
});

test("the figures of a brand", () => {
  const { total, brands } = sumReadings(READINGS);
  expect(brandMetrics(brands.get("mine"), total)).toEqual({
    visibility_score: 37.5,
    presence_rate: 0.5,
    average_rank: 2,
    occurrences: 2,
    total_mentions: 4,
    nb_keywords: 2,
  });
});

test("a brand that never appears has rates of 0 and no rank", () => {
  expect(brandMetrics(undefined, 4)).toMatchObject({ visibility_score: 0, presence_rate: 0, average_rank: null });
});

test("of nothing no rate is known", () => {
  expect(brandMetrics(undefined, 0)).toMatchObject({ visibility_score: null, presence_rate: null, average_rank: null });
});

test("a brand that is always first scores 100", () => {
  const { total, brands } = sumReadings([reading("a", { mine: 1 }), reading("b", { mine: 1 })]);
  expect(brandMetrics(brands.get("mine"), total)).toMatchObject({ visibility_score: 100, presence_rate: 1 });
});

test.each([
  [1.5, [1.5, 0.5], 0.75],
  [0, [0, 2], 0],
  [1, [1], null],
  [0, [0, 0], null],
])("share of voice of %d among %j is %s", (weight, all, share) => {
  expect(shareOfVoice(weight, all)).toBe(share);
});
