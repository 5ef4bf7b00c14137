import { judgeDifference } from "../../core/statistics/change.ts";
import { computePairDifference, computeShareDifference } from "../../core/statistics/difference.ts";
import { sumShareMoments } from "../../core/statistics/share-moments.ts";
import { isFieldMoving } from "../../core/statistics/field.ts";
import { adjustPValues, judgeChange } from "../../core/statistics/verdict.ts";
import { RandomGenerator } from "./chance.ts";
import { BRANDS, drawMarketSums, drawMarket, type MarketSums, type Market } from "./simulated-market.ts";
import { pairMomentsOf } from "./sums.ts";

const RUNS = 3;
const OWN = 8;

/**
 * Events between two collects of a market, in logits: drift of all brands, and the own brand's
 * move.
 */
export interface MarketChange {
  drift: number;
  move: number;
}

/** Shares of tables. */
export interface Tables {
  /** Share with at least one rival called changed, adjusted for their number. */
  anyRival: number;
  /** Like anyRival, without the adjustment. */
  anyUnadjusted: number;
  /** Share in which the rivals together are called changed. */
  field: number;
  /** Share in which the own brand is a first sign or moved, before the field check. */
  own: number;
  /** Like own, for share of voice. */
  ownVoice: number;
  /** Like ownVoice, against the mean of four collects. */
  ownVoiceInSeries: number;
}

export function simulateTables(
  market: Market,
  { drift, move }: MarketChange,
  draw: { tables: number; seed: number },
): Tables {
  const chance = new RandomGenerator(draw.seed);
  const sums: Tables = { anyRival: 0, anyUnadjusted: 0, field: 0, own: 0, ownVoice: 0, ownVoiceInSeries: 0 };
  for (let table = 0; table < draw.tables; table += 1) {
    const cells = drawMarket(chance, market);
    const [before, after, ...more] = [0, move, 0, 0, 0].map((moved) => {
      const shifts = Array.from(
        { length: BRANDS },
        (_, brand) => drift * chance.normal() + (brand === OWN ? moved : 0),
      );
      return drawMarketSums(chance, { cells, market, runs: RUNS }, shifts);
    });
    if (!before || !after) continue;
    const pair = { before: before.present, after: after.present, market };
    const changes = Array.from({ length: BRANDS }, (_, brand) => changeIn(pair, brand));
    const rivals = changes.filter((_, brand) => brand !== OWN).map(({ p }) => p);
    if (adjustPValues(rivals).some(isDetected)) sums.anyRival += 1 / draw.tables;
    if (rivals.some(isDetected)) sums.anyUnadjusted += 1 / draw.tables;
    if (isDetected(changes[OWN]?.p ?? null)) sums.own += 1 / draw.tables;
    if (isDetected(voiceChange([before, after], market.prompts).p)) sums.ownVoice += 1 / draw.tables;
    if (isDetected(voiceChange([...more, before, after], market.prompts).p)) sums.ownVoiceInSeries += 1 / draw.tables;
    if (isFieldMoving(market.prompts, rivalsIn(pair))) sums.field += 1 / draw.tables;
  }
  return sums;
}

interface Pair {
  before: Float64Array;
  after: Float64Array;
  market: Market;
}

function isDetected(p: number | null): boolean {
  const verdict = judgeChange({ delta: 0, p }, { obstacle: null });
  return verdict === "first_sign" || verdict === "moved";
}

function changeIn({ before, after, market: { prompts, sources } }: Pair, brand: number) {
  const pairs = Array.from({ length: prompts }, (_, prompt) => ({
    before: before[prompt * BRANDS + brand] ?? 0,
    after: after[prompt * BRANDS + brand] ?? 0,
    n: RUNS * sources,
  }));
  return judgeDifference(computePairDifference(pairMomentsOf(pairs)));
}

/** Change of the own brand's share of voice in the last of these collects. */
function voiceChange(collects: readonly MarketSums[], prompts: number) {
  return judgeDifference(
    computeShareDifference(
      sumShareMoments(
        Array.from({ length: prompts }, (_, prompt) => {
          const shares = collects.map(({ weights }) => voiceIn(weights, prompt));
          return { x: shares.map(({ x }) => x), n: shares.map(({ n }) => n) };
        }),
      ),
    ),
  );
}

function voiceIn(weights: Float64Array, prompt: number) {
  const all = weights.subarray(prompt * BRANDS, (prompt + 1) * BRANDS);
  return { x: all[OWN] ?? 0, n: all.reduce((sum, weight) => sum + weight, 0) };
}

function rivalsIn({ before, after, market: { prompts } }: Pair) {
  const all = Array.from({ length: prompts }, (_, prompt) => prompt);
  return Array.from({ length: BRANDS }, (_, brand) => ({
    prompts: all,
    d: all.map((prompt) => (after[prompt * BRANDS + brand] ?? 0) - (before[prompt * BRANDS + brand] ?? 0)),
  })).filter((_, brand) => brand !== OWN);
}
