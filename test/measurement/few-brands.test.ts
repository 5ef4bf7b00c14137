import { createFamilies } from "../../core/metrics/share-of-voice.ts";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createKeywordAnswers, unpackFacts, packFacts, type FactRow } from "../../core/metrics/facts/collect-facts.ts";
import { createFactSummer } from "../../core/metrics/facts/sum-facts.ts";
import type { MeasuredCollect } from "../../db/metrics/search-metrics.ts";
import { openComparisons, type SeriesCollect } from "../../core/metrics/changes/changes.ts";

const BRANDS = 6;
const FAMILIES = createFamilies([1, 2, 3, 5, 6]);
const WAY = { method: "api", model: "m" } as const;

type Named = readonly (readonly number[])[];

/** Facts of keywords with one answer each: brands in order. */
function factsOf(named: Named) {
  const rows = named.flatMap((brands, keyword): FactRow[] =>
    brands.map((brand, at) => ({ keyword, runIndex: 0, brand, rank: at + 1, brandRank: at + 1, mentions: 1 })),
  );
  const cited = named.flatMap(([brand], keyword) => (brand === undefined ? [] : [{ keyword, runIndex: 0, brand }]));
  return unpackFacts(
    packFacts(
      named.map(() => ({ ...createKeywordAnswers(), answers: 1, way: WAY })),
      rows,
      { cited },
    ),
  );
}

const named = fc.array(fc.uniqueArray(fc.integer({ min: 1, max: BRANDS }), { maxLength: BRANDS }), { maxLength: 12 });

test("sums of some brands are theirs among the sums of all, group after group", () => {
  fc.assert(
    fc.property(named, fc.uniqueArray(fc.integer({ min: 1, max: BRANDS })), (asked, wanted) => {
      const all = createFactSummer([factsOf(asked)], FAMILIES);
      const some = createFactSummer([factsOf(asked)], FAMILIES, new Set(wanted));
      for (const half of [0, 1]) {
        for (const keyword of asked.keys()) {
          if (keyword % 2 !== half) continue;
          expect(some.add([keyword])).toBe(all.add([keyword]));
        }
        const { brands, ...common } = all.takeTotals();
        const own = new Map([...brands].filter(([brand]) => wanted.includes(brand)));
        expect(some.takeTotals()).toEqual({ ...common, brands: own });
      }
    }),
  );
});

test("reports obstacles to comparing collects before and after the comparison", async () => {
  const [last, before, other] = [read(3, [[1], [2], [3]]), read(2, [[2], [1], [3]]), read(1, [[1]])];
  const of = {
    comparedMetric: "presence" as const,
    pause: async () => undefined,
    clusters: null,
    families: FAMILIES,
    rivals: [2, 3],
    shownBrands: [1, 2, 3],
  };
  const comparisons = openComparisons(of, { sources: null, keywords: [0, 1, 2] });
  const obstacles = async () => [
    await comparisons.findObstacle(last, [before]),
    await comparisons.findObstacle(last, [other]),
  ];
  expect(await obstacles()).toEqual([null, "basket_changed"]);
  const { cells } = await comparisons.compare(last, [before]);
  expect(cells.commonCount).toBe(3);
  expect(await obstacles()).toEqual([null, "basket_changed"]);
});

function read(number: number, asked: Named): SeriesCollect {
  const collect = { id: `c${number}`, number, summedVersion: "1" } as MeasuredCollect; // all that is looked at
  return { collect, collectSide: { sources: new Map([["ASSISTANT_A", factsOf(asked)]]) } };
}
