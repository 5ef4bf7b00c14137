import { sumMoments, computeRankInterval, computeRateInterval, type Interval } from "../../core/statistics/interval.ts";
import { RandomGenerator } from "./chance.ts";
import { BRANDS, drawMarketSums, drawMarket, type MarketSums, type Market } from "./simulated-market.ts";

const RUNS = 3;
/** From the strongest to the weakest. */
const SHOWN_BRANDS = [0, 5, 11, 16, 20, 24];

const FIGURES = ["visibility", "top 3", "share of voice", "rank"] as const;
type Figure = (typeof FIGURES)[number];

/** Coverage of a metric's interval by brand: the share of collects that contain the truth. */
export type CoverageByBrand = Record<Figure, number[]>;

/** True metrics of the market by brand, estimated from very many prompts. */
export type Truth = Record<Figure, number[]>;

export function trueMetrics(market: Omit<Market, "prompts" | "sources">, prompts: number, seed: number): Truth {
  const chance = new RandomGenerator(seed);
  const whole = { ...market, prompts, sources: 1 };
  const listed = drawMarketSums(chance, { cells: drawMarket(chance, whole), market: whole, runs: 1 });
  const present = sumsOf(listed.present);
  const weights = listed.weights.reduce((sum, weight) => sum + weight, 0);
  return {
    visibility: sumsOf(listed.weights).map((sum) => sum / prompts),
    "top 3": sumsOf(listed.top3).map((sum) => sum / prompts),
    "share of voice": sumsOf(listed.weights).map((sum) => sum / weights),
    rank: sumsOf(listed.ranks).map((sum, at) => sum / (present[at] ?? 1)),
  };
}

export function measureCoverage(
  market: Market,
  truth: Truth,
  draw: { collects: number; seed: number },
): CoverageByBrand {
  const chance = new RandomGenerator(draw.seed);
  const counts = { visibility: noTallies(), "top 3": noTallies(), "share of voice": noTallies(), rank: noTallies() };
  for (let collect = 0; collect < draw.collects; collect += 1) {
    const listed = drawMarketSums(chance, { cells: drawMarket(chance, market), market, runs: RUNS });
    for (const [at, brand] of SHOWN_BRANDS.entries()) {
      const intervals = intervalsOf(listed, brand, market);
      for (const figure of FIGURES) {
        const interval = intervals[figure];
        const tally = counts[figure][at];
        const value = truth[figure][at] ?? 0;
        if (!interval || !tally) continue;
        tally.of += 1;
        if (interval.low <= value && value <= interval.high) tally.held += 1;
      }
    }
  }
  const shares = (figure: Figure) => counts[figure].map(({ held, of }) => held / of);
  return {
    visibility: shares("visibility"),
    "top 3": shares("top 3"),
    "share of voice": shares("share of voice"),
    rank: shares("rank"),
  };
}

function intervalsOf(
  listed: MarketSums,
  brand: number,
  { prompts, sources: sourceCount }: Market,
): Record<Figure, Interval | null> {
  const design = { runs: RUNS, sourceCount };
  const of = (values: Float64Array, n: (prompt: number) => number) =>
    sumMoments(
      Array.from({ length: prompts }, (_, prompt) => ({ x: values[prompt * BRANDS + brand] ?? 0, n: n(prompt) })),
    );
  const answers = () => RUNS * sourceCount;
  const voice = (prompt: number) => sumOf(listed.weights.subarray(prompt * BRANDS, (prompt + 1) * BRANDS), 0, 1);
  return {
    visibility: computeRateInterval(of(listed.weights, answers), design),
    "top 3": computeRateInterval(of(listed.top3, answers), design),
    "share of voice": computeRateInterval(of(listed.weights, voice), design),
    rank: computeRankInterval(of(listed.ranks, (prompt) => listed.present[prompt * BRANDS + brand] ?? 0)),
  };
}

function noTallies() {
  return SHOWN_BRANDS.map(() => ({ held: 0, of: 0 }));
}

function sumsOf(values: Float64Array): number[] {
  return SHOWN_BRANDS.map((brand) => sumOf(values, brand, BRANDS));
}

function sumOf(values: Float64Array, from: number, step: number): number {
  let sum = 0;
  for (let at = from; at < values.length; at += step) sum += values[at] ?? 0;
  return sum;
}
