import { momentsOf, rankInterval, rateInterval, type Interval } from "../../core/statistics/interval.ts";
import { Chance } from "./chance.ts";
import { BRANDS, drawListed, drawMarket, type Listed, type Market } from "./simulated-market.ts";

const RUNS = 3;
/** From the strongest to the weakest. */
const SHOWN = [0, 5, 11, 16, 20, 24];

const FIGURES = ["visibility", "top 3", "share of voice", "rank"] as const;
type Figure = (typeof FIGURES)[number];

/** Coverage of a metric's interval by brand: the share of collects that contain the truth. */
export type Held = Record<Figure, number[]>;

/** True metrics of the market by brand, estimated from very many prompts. */
export type Truth = Record<Figure, number[]>;

export function truthOf(market: Omit<Market, "prompts" | "sources">, prompts: number, seed: number): Truth {
  const chance = new Chance(seed);
  const whole = { ...market, prompts, sources: 1 };
  const listed = drawListed(chance, { cells: drawMarket(chance, whole), market: whole, runs: 1 });
  const present = sumsOf(listed.present);
  const weights = listed.weights.reduce((sum, weight) => sum + weight, 0);
  return {
    visibility: sumsOf(listed.weights).map((sum) => sum / prompts),
    "top 3": sumsOf(listed.top3).map((sum) => sum / prompts),
    "share of voice": sumsOf(listed.weights).map((sum) => sum / weights),
    rank: sumsOf(listed.ranks).map((sum, at) => sum / (present[at] ?? 1)),
  };
}

export function heldIn(market: Market, truth: Truth, draw: { collects: number; seed: number }): Held {
  const chance = new Chance(draw.seed);
  const counts = { visibility: noTallies(), "top 3": noTallies(), "share of voice": noTallies(), rank: noTallies() };
  for (let collect = 0; collect < draw.collects; collect += 1) {
    const listed = drawListed(chance, { cells: drawMarket(chance, market), market, runs: RUNS });
    for (const [at, brand] of SHOWN.entries()) {
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

function intervalsOf(listed: Listed, brand: number, { prompts, sources }: Market): Record<Figure, Interval | null> {
  const design = { runs: RUNS, sources };
  const of = (values: Float64Array, n: (prompt: number) => number) =>
    momentsOf(
      Array.from({ length: prompts }, (_, prompt) => ({ x: values[prompt * BRANDS + brand] ?? 0, n: n(prompt) })),
    );
  const answers = () => RUNS * sources;
  const voice = (prompt: number) => sumOf(listed.weights.subarray(prompt * BRANDS, (prompt + 1) * BRANDS), 0, 1);
  return {
    visibility: rateInterval(of(listed.weights, answers), design),
    "top 3": rateInterval(of(listed.top3, answers), design),
    "share of voice": rateInterval(of(listed.weights, voice), design),
    rank: rankInterval(of(listed.ranks, (prompt) => listed.present[prompt * BRANDS + brand] ?? 0)),
  };
}

function noTallies() {
  return SHOWN.map(() => ({ held: 0, of: 0 }));
}

function sumsOf(values: Float64Array): number[] {
  return SHOWN.map((brand) => sumOf(values, brand, BRANDS));
}

function sumOf(values: Float64Array, from: number, step: number): number {
  let sum = 0;
  for (let at = from; at < values.length; at += step) sum += values[at] ?? 0;
  return sum;
}
