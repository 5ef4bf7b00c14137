import { createFamilies } from "../../core/metrics/share-of-voice.ts";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  createKeywordAnswers,
  unpackFacts,
  packFacts,
  type FactRow,
  type KeywordAnswers,
} from "../../core/metrics/facts/collect-facts.ts";
import { groupFactsByPrompt } from "../../core/metrics/facts/group-facts-by-prompt.ts";
import {
  compareFacts,
  countCells,
  type CollectSide,
  type Comparison,
} from "../../core/metrics/changes/compare-facts.ts";
import { compareValue } from "../../core/metrics/changes/compare-value.ts";
import { countAnswers, sumFacts } from "../../core/metrics/facts/sum-facts.ts";
import {
  groupByCell,
  buildPromptClusters,
  groupPositionsByPrompt,
  type PromptClusters,
} from "../../core/metrics/prompt-clusters.ts";
import type { Source } from "../../core/sources/sources.ts";
import { judgeDifference } from "../../core/statistics/change.ts";

const OWN = 1;
const FAMILIES = createFamilies([1]);
const WAY = { method: "api", model: "m" } as const;

/** A question of a brand analysis, with the runs of each collect in which the brand is named. */
interface Asked {
  prompt: number;
  country: string;
  collects: boolean[][];
}

function clustered(asked: readonly Asked[]): PromptClusters {
  return buildPromptClusters(
    asked.map(({ prompt, country }, position) => {
      const named = { promptKind: "unaided", askedBrandId: null, lookAlike: null, personaId: null };
      return { position, text: `Which ${prompt}?`, country, ...named };
    }),
  );
}

/** Facts of one source of a collect. */
function factsOf(asked: readonly Asked[], collect: number) {
  const rows: FactRow[] = [];
  const answers = asked.map(({ collects }, keyword): KeywordAnswers => {
    const runs = collects[collect] ?? [];
    for (const [runIndex, isNamed] of runs.entries()) {
      if (isNamed) rows.push({ keyword, runIndex, brand: OWN, rank: 1 + runIndex, brandRank: 1, mentions: 1 });
    }
    return runs.length === 0 ? createKeywordAnswers() : { ...createKeywordAnswers(), answers: runs.length, way: WAY };
  });
  return unpackFacts(packFacts(answers, rows));
}

/** Comparison of facts grouped by prompt, one source per country. */
function comparedByPrompt(asked: readonly Asked[]): Comparison {
  const placed = asked.map(({ prompt, country: slot }, position) => ({ position, prompt, slot }));
  const side = (collect: number): CollectSide => {
    return { sources: groupFactsByPrompt(factsOf(asked, collect), placed) as CollectSide["sources"] }; // any distinct keys work
  };
  const prompts = [...new Set(asked.map(({ prompt }) => prompt))].map((prompt) => [[prompt]]);
  return drained(compareFacts(side(1), [side(0)], { prompts, comparedMetric: "presence" }));
}

function compared(asked: readonly Asked[], clusters: PromptClusters): Comparison {
  const side = (collect: number): CollectSide => ({
    sources: new Map<Source, ReturnType<typeof factsOf>>([["ASSISTANT_A", factsOf(asked, collect)]]),
  });
  const prompts = groupPositionsByPrompt([...asked.keys()], clusters).map((prompt) => groupByCell(prompt, clusters));
  return drained(compareFacts(side(1), [side(0)], { prompts, comparedMetric: "presence" }));
}

function drained<Value>(generator: Generator<undefined, Value>): Value {
  for (;;) {
    const part = generator.next();
    if (part.done) return part.value;
  }
}

test("questions of one wording are one prompt over countries and personas; each keyword is one", () => {
  const of = { promptKind: "aided", askedBrandId: "b", lookAlike: null, text: "Do you know it?", country: "US" };
  const questions = [
    { ...of, personaId: null },
    { ...of, personaId: null, text: "What is it?" },
    { ...of, personaId: null, country: "DE" },
    { ...of, personaId: "p" },
    { ...of, personaId: null, lookAlike: "Belmora" },
    { ...of, personaId: null, askedBrandId: "c" },
    { ...of, personaId: null, promptKind: "perception" },
    // A different tag does not matter.
    { ...of, personaId: null },
  ];
  const clusters = buildPromptClusters(questions.map((one, position) => ({ position, ...one })));
  const positions = [...questions.keys()];
  expect(groupPositionsByPrompt(positions, clusters)).toEqual([[0, 2, 3, 7], [1], [4], [5], [6]]);
  expect(groupByCell([0, 2, 3, 7], clusters)).toEqual([[0, 7], [2], [3]]);
  expect(groupPositionsByPrompt([7, 6, 3, 20], clusters)).toEqual([[7, 3], [6], [20]]);
  const keywords = buildPromptClusters(questions.map((one, position) => ({ position, ...one, promptKind: null })));
  expect([keywords, groupPositionsByPrompt([2, 3], keywords), groupByCell([2, 3], keywords)]).toEqual([
    null,
    [[2], [3]],
    [[2], [3]],
  ]);
});

const question = fc.record({
  prompt: fc.integer({ min: 0, max: 5 }),
  country: fc.constantFrom("US", "DE", "FR"),
  collects: fc.tuple(fc.array(fc.boolean(), { maxLength: 3 }), fc.array(fc.boolean(), { maxLength: 3 })),
});

const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
const namedIn = (runs: readonly boolean[]) => runs.filter(Boolean).length;
const differing = (values: readonly number[]) => values.filter((value) => value !== 0).length;

test("sums and counts have a cluster for each prompt, and a comparison its cells in each country", () => {
  fc.assert(
    fc.property(fc.array(question, { maxLength: 40 }), (asked) => {
      const clusters = clustered(asked);
      const prompts = groupPositionsByPrompt([...asked.keys()], clusters);
      const numbers = [...new Set(asked.map(({ prompt }) => prompt))];
      const facts = [factsOf(asked, 0)];
      const each = numbers.map((number) => {
        const runs = asked.filter(({ prompt }) => prompt === number).flatMap(({ collects }) => collects[0]);
        return { n: runs.length, x: namedIn(runs) };
      });
      const sums = sumFacts(facts, prompts, FAMILIES);
      expect([sums.total, sums.keywords, sums.nn]).toEqual([
        sum(each.map(({ n }) => n)),
        each.filter(({ n }) => n > 0).length,
        sum(each.map(({ n }) => n * n)),
      ]);
      const { occurrences = 0, nb_keywords = 0, full_keywords = 0, xx = 0, xn = 0 } = sums.brands.get(OWN) ?? {};
      expect({ occurrences, nb_keywords, full_keywords, xx, xn }).toEqual({
        occurrences: sum(each.map(({ x }) => x)),
        nb_keywords: each.filter(({ x }) => x > 0).length,
        full_keywords: each.filter(({ x, n }) => x > 0 && x === n).length,
        xx: sum(each.map(({ x }) => x * x)),
        xn: sum(each.map(({ x, n }) => x * n)),
      });
      const placed = asked.map(({ prompt, country }, position) => ({ position, prompt, slot: country }));
      const slices = facts.flatMap((one) => [...groupFactsByPrompt(one, placed).values()]);
      const places = numbers.map((prompt) => [prompt]);
      expect(sumFacts(slices, places, FAMILIES)).toEqual({
        ...sums,
        runs_least: expect.any(Number),
        runs_most: expect.any(Number),
      });
      expect(sums).toMatchObject(countAnswers(facts, prompts));

      const cells = numbers.map((number) =>
        ["US", "DE", "FR"].flatMap((country) => {
          const own = asked.filter((one) => one.prompt === number && one.country === country);
          const sides = [0, 1].map((collect) => own.flatMap(({ collects }) => collects[collect] ?? []));
          const n = Math.min(...sides.map(({ length }) => length));
          const [before = 0, after = 0] = sides.map((runs) => namedIn(runs.slice(0, n)));
          return n === 0 ? [] : [{ n, d: after - before }];
        }),
      );
      const common = cells.filter((one) => one.length > 0);
      const eachPrompt = common.map((one) => ({ n: sum(one.map(({ n }) => n)), d: sum(one.map(({ d }) => d)) }));
      const comparison = compared(asked, clusters);
      expect({ ...comparedByPrompt(asked), sourcePromptCount: common.length }).toEqual(comparison);
      const [side, before] = [1, 0].map((collect): CollectSide => {
        return { sources: new Map([["ASSISTANT_A", factsOf(asked, collect)]]) };
      });
      const ofCells = prompts.map((prompt) => groupByCell(prompt, clusters));
      expect(side && before && drained(countCells(side, [before], ofCells))).toEqual(comparison.cells);
      expect(comparison).toMatchObject({
        promptCount: common.length,
        sourcePromptCount: common.length,
        cells: { commonCount: common.flat().length },
        n: sum(eachPrompt.map(({ n }) => n)),
        nn: sum(eachPrompt.map(({ n }) => n * n)),
      });
      const { d = 0, dd = 0, dn = 0, ...pairs } = comparison.brands.get(OWN)?.pairMoments ?? { differing: 0 };
      expect({ d, dd, dn, ...pairs }).toEqual({
        d: sum(eachPrompt.map((one) => one.d)),
        dd: sum(eachPrompt.map((one) => one.d ** 2)),
        dn: sum(eachPrompt.map((one) => one.d * one.n)),
        differing: differing(eachPrompt.map((one) => one.d)),
      });
    }),
    { seed: 20_261_123, numRuns: 300 },
  );
});

/** Numbers from 0 to 1, the same at every run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return (state >>> 0) / 2 ** 32;
  };
}

test("an unchanged brand is reported as changed in at most 6 of 100 pairs, with prompts in eight countries", () => {
  const random = randomFrom(20_261_123);
  const [PAIRS, PROMPTS] = [600, 20];
  const countries = Array.from({ length: 8 }, (_, at) => `C${at}`);
  /** Each prompt has its presence, which a collect shifts equally in all countries. */
  const asked = (): Asked[] =>
    Array.from({ length: PROMPTS }, (_, prompt) => {
      const presence = 0.1 + 0.5 * random();
      const collects = [0, 1].map(() => presence + 0.3 * (random() - 0.5));
      return countries.map((country) => ({ prompt, country, collects: collects.map((rate) => [random() < rate]) }));
    }).flat();
  const share = { byPrompt: 0, byQuestion: 0 };
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const own = asked();
    const isCalled = (clusters: PromptClusters) => {
      const { p } = judgeDifference(compareValue(compared(own, clusters), OWN).difference);
      return p !== null && p <= 0.05 ? 1 / PAIRS : 0;
    };
    share.byPrompt += isCalled(clustered(own));
    share.byQuestion += isCalled(null);
  }
  expect(share.byPrompt).toBeLessThanOrEqual(0.06);
  // Treating each question as a prompt reports too many changes.
  expect(share.byQuestion).toBeGreaterThan(0.06);
});
