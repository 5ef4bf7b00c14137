import type { PairMoments, SeriesMoments } from "../../statistics/difference.ts";
import { addTrackedWeights, createShareMoments, type ShareMoments } from "../../statistics/share-moments.ts";
import type { CollectFacts } from "../facts/collect-facts.ts";
import type { ComparisonMethod } from "../comparable-metrics.ts";
import { sumTrackedWeight, type Families } from "../share-of-voice.ts";

export interface BrandComparison {
  /** All earlier collects together, and the later one. */
  sumBefore: number;
  sumAfter: number;
  pairMoments: Pick<PairMoments, "d" | "dd" | "dn" | "differing">;
  seriesMoments: Pick<SeriesMoments, "xx" | "varying" | "differing">;
  /** Share of voice only: weights by collect, and those of all brands in the same prompts. */
  promptWeights: { x: Float64Array; n: Float64Array }[];
}

export interface ComparedSums {
  earlier: number;
  promptCount: number;
  /** Number of answers per collect in the common cells. */
  n: number;
  nn: number;
  /** By brand number; only brands in a common cell. */
  brands: Map<number, BrandComparison>;
  /** If requested: difference per prompt, by index among the compared prompts. */
  differences: Map<number, { prompts: number[]; d: number[] }>;
  /** Share of voice only: sums over all brands. */
  voice: ShareMoments | null;
}

const [BEFORE, AFTER, D, DD, DN, DIFFERING, XX, VARYING] = [0, 1, 2, 3, 4, 5, 6, 7];
const SUMS_PER_BRAND = 8;

const PRECOMPUTED_RANKS = 1024;

export interface ComparisonSums {
  /** Adds the first `n` answers to a question on a side; the later side has the last number. */
  add: (facts: CollectFacts, of: { question: number; n: number; sideIndex: number }) => void;
  endPrompt: (n: number) => void;
  takeTotals: () => ComparedSums;
}

interface ComparisonOptions {
  by: ComparisonMethod;
  /** Brands in the denominator, if the metric is a share. */
  families: Families | undefined;
  only: Uint8Array | undefined;
  withDifferences: boolean;
}

/** `all` has the facts by side, the later one last. */
export function openComparisonSums(all: readonly (readonly CollectFacts[])[], of: ComparisonOptions): ComparisonSums {
  const sideCount = all.length;
  const width = 1 + Math.max(0, ...all.flatMap((facts) => facts.map(({ lastBrand }) => lastBrand)));
  const running: RunningSums = {
    ...of,
    valuesByRank: Float64Array.from({ length: PRECOMPUTED_RANKS }, (_, rank) => of.by.valueOf(rank)),
    sideCount,
    values: new Float64Array(width * sideCount),
    touched: new Uint32Array(width),
    isTouched: new Uint8Array(width),
    count: 0,
    sums: new Float64Array(width * SUMS_PER_BRAND),
    isInPrompt: new Uint8Array(width),
    weights: new Map(),
  };
  const common: Omit<ComparedSums, "brands"> = {
    earlier: sideCount - 1,
    promptCount: 0,
    n: 0,
    nn: 0,
    differences: new Map(),
    voice: of.by.isShare ? createShareMoments(sideCount - 1) : null,
  };
  return {
    add: (facts, answers) => addValues(running, facts, answers),
    endPrompt: (n) => addPrompt(common, running, n),
    takeTotals: () => ({ ...common, brands: toBrandComparisons(running) }),
  };
}

interface RunningSums extends ComparisonOptions {
  valuesByRank: Float64Array;
  sideCount: number;
  /** Values of the current prompt by brand and side. `touched` lists brands with values. */
  values: Float64Array;
  touched: Uint32Array;
  isTouched: Uint8Array;
  count: number;
  /** By brand, SUMS_PER_BRAND each. */
  sums: Float64Array;
  isInPrompt: Uint8Array;
  weights: Map<number, BrandComparison["promptWeights"]>;
}

function addValues(
  running: RunningSums,
  facts: CollectFacts,
  of: { question: number; n: number; sideIndex: number },
): void {
  const { valuesByRank, by, sideCount, values, touched, isTouched } = running;
  const { question, n, sideIndex } = of;
  const { rowStarts, runIndexes, brands, ranks } = by.countsCited ? selectCitedRows(facts) : facts;
  // The denominator of a share needs all brands.
  const only = by.isShare ? undefined : running.only;
  const end = rowStarts[question + 1] ?? 0;
  for (let at = rowStarts[question] ?? 0; at < end; at += 1) {
    const brand = brands[at] ?? 0;
    if (only !== undefined && only[brand] !== 1) continue;
    if ((runIndexes[at] ?? 0) >= n) continue;
    const rank = ranks?.[at] ?? 0;
    const value = valuesByRank[rank] ?? by.valueOf(rank);
    if (value === 0) continue;
    if (isTouched[brand] === 0) {
      isTouched[brand] = 1;
      touched[running.count++] = brand;
    }
    values[brand * sideCount + sideIndex] = (values[brand * sideCount + sideIndex] ?? 0) + value;
  }
}

function selectCitedRows({ citedStarts: rowStarts, citedRuns: runIndexes, citedBrands: brands }: CollectFacts) {
  return { rowStarts, runIndexes, brands, ranks: undefined };
}

function addPrompt(comparison: Omit<ComparedSums, "brands">, running: RunningSums, n: number): void {
  const { only, sideCount, values, touched, isTouched } = running;
  const promptIndex = comparison.promptCount;
  comparison.promptCount += 1;
  comparison.n += n;
  comparison.nn += n * n;
  const voice = comparison.voice && computeVoiceDenominator(running);
  if (comparison.voice && voice) addTrackedWeights(comparison.voice, voice);
  for (let at = 0; at < running.count; at += 1) {
    const brand = touched[at] ?? 0;
    if (only === undefined || only[brand] === 1) {
      const d = addBrand(running, brand, n);
      if (running.withDifferences && isNonZero(d)) addDifference(comparison, { brand, promptIndex, d });
      if (voice) addBrandWeights(running, brand, voice);
    }
    // A loop is faster than `fill` for so few values.
    for (let side = brand * sideCount; side < (brand + 1) * sideCount; side += 1) values[side] = 0;
    isTouched[brand] = 0;
  }
  running.count = 0;
}

/** Returns the brand's difference in the prompt. */
function addBrand({ sideCount, values, sums, isInPrompt }: RunningSums, brand: number, n: number): number {
  const from = brand * sideCount;
  const k = sideCount - 1;
  const after = values[from + k] ?? 0;
  let before = 0;
  for (let side = 0; side < k; side += 1) before += values[from + side] ?? 0;
  const mean = (before + after) / sideCount;
  let squares = 0;
  for (let side = 0; side < sideCount; side += 1) squares += ((values[from + side] ?? 0) - mean) ** 2;
  const d = after - before / k;
  const to = brand * SUMS_PER_BRAND;
  sums[to + BEFORE] = (sums[to + BEFORE] ?? 0) + before;
  sums[to + AFTER] = (sums[to + AFTER] ?? 0) + after;
  sums[to + D] = (sums[to + D] ?? 0) + d;
  sums[to + DD] = (sums[to + DD] ?? 0) + d * d;
  sums[to + DN] = (sums[to + DN] ?? 0) + d * n;
  sums[to + XX] = (sums[to + XX] ?? 0) + squares / k;
  if (isNonZero(squares)) sums[to + VARYING] = (sums[to + VARYING] ?? 0) + 1;
  if (isNonZero(d)) sums[to + DIFFERING] = (sums[to + DIFFERING] ?? 0) + 1;
  isInPrompt[brand] = 1;
  return d;
}

function addDifference(
  { differences }: Pick<ComparedSums, "differences">,
  difference: { brand: number; promptIndex: number; d: number },
): void {
  let known = differences.get(difference.brand);
  if (!known) differences.set(difference.brand, (known = { prompts: [], d: [] }));
  known.prompts.push(difference.promptIndex);
  known.d.push(difference.d);
}

function addBrandWeights({ weights, sideCount, values }: RunningSums, brand: number, voice: Float64Array): void {
  const own = { x: values.slice(brand * sideCount, (brand + 1) * sideCount), n: voice };
  const known = weights.get(brand);
  if (known) known.push(own);
  else weights.set(brand, [own]);
}

/** One value per collect, in one prompt. */
function computeVoiceDenominator({ families, sideCount, values, touched, count }: RunningSums): Float64Array {
  if (!families) throw new Error("the compared share has no families");
  return Float64Array.from({ length: sideCount }, (_, at) =>
    sumTrackedWeight(families, { brands: touched, count, values, width: sideCount, at }),
  );
}

function isNonZero(value: number): boolean {
  return Math.abs(value) > 1e-9;
}

function toBrandComparisons({ sums, isInPrompt, weights }: RunningSums): Map<number, BrandComparison> {
  const each = new Map<number, BrandComparison>();
  for (const [brand, seen] of isInPrompt.entries()) {
    if (seen === 0) continue;
    const own = sums.subarray(brand * SUMS_PER_BRAND, (brand + 1) * SUMS_PER_BRAND);
    each.set(brand, toComparison(own, weights.get(brand) ?? []));
  }
  return each;
}

function toComparison(sums: ArrayLike<number>, promptWeights: BrandComparison["promptWeights"]): BrandComparison {
  const of = (at: number) => sums[at] ?? 0;
  return {
    sumBefore: of(BEFORE),
    sumAfter: of(AFTER),
    pairMoments: { d: of(D), dd: of(DD), dn: of(DN), differing: of(DIFFERING) },
    seriesMoments: { xx: of(XX), varying: of(VARYING), differing: of(DIFFERING) },
    promptWeights,
  };
}

export function createEmptyComparison(): BrandComparison {
  return toComparison([], []);
}
