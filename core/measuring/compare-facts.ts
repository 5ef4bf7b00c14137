import type { PairMoments, SeriesMoments } from "../statistics/difference.ts";
import { addVoice, noShareMoments, type ShareMoments } from "../statistics/share-moments.ts";
import type { Cells } from "../statistics/verdict.ts";
import type { Source } from "../sources.ts";
import { waysOf, type CollectFacts, type Way } from "./collect-facts.ts";
import type { Prompt } from "./prompt-clusters.ts";
import { scoreOf } from "./scored-facts.ts";
import { weightOf } from "./sum-facts.ts";

/**
 * Which figure is compared. Of an answer it is a value between 0 and 1, for a share of voice the weight of its visibility. A score is a share
 * of values that ranks stand for (core/measuring/scored-facts.ts).
 */
export type Compared = "presence" | "top_3" | "visibility" | "share_of_voice" | "score";

/** What one collect brought of a selection. */
export interface CollectSide {
  sources: ReadonlyMap<Source, CollectFacts>;
}

/** One brand in the common cells of both sides. */
export interface BrandComparison {
  /** Sums of the compared value over the answers of each side; several earlier collects together. */
  before: number;
  after: number;
  pairs: Pick<PairMoments, "d" | "dd" | "dn" | "differing">;
  series: Pick<SeriesMoments, "xx" | "varying" | "differing">;
  /** Of a share of voice: its weights by collect, and those of all brands in the same prompts. */
  weights: { x: Float64Array; n: Float64Array }[];
}

/** A later collect beside one earlier, or several. */
export interface Comparison {
  earlier: number;
  cells: Cells;
  /** Cells that some of the collects completed, and not all. */
  oneSideOnly: number;
  prompts: number;
  /** Prompts that have a common cell at a source, over all sources. */
  promptsAtSources: number;
  /** Answers of each collect in the common cells. */
  n: number;
  nn: number;
  /** By the brand's number; those that are in no common cell are left out. */
  brands: Map<number, BrandComparison>;
  /** Where they were asked for, how much each brand differs in a prompt, by the prompts' order among the compared ones. */
  differences: Map<number, { prompts: number[]; d: number[] }>;
  /** Of a share of voice: what prompts say of all brands. */
  voice: ShareMoments | null;
}

/** Prompts after which others can have their turn. */
const PROMPTS_AT_ONCE = 500;

/**
 * Compares a collect with earlier ones over the cells (prompt × source × country × persona) that all of them completed in the same way, with
 * runs cut to the smallest number of all, in their order. Yields where others can have their turn.
 */
export function* compareFacts(
  after: CollectSide,
  before: readonly CollectSide[],
  of: {
    /** Each as its cells at a source (`cellsIn`). */
    prompts: readonly (readonly Prompt[])[];
    compared: Compared;
    /** Has 1 at the number of each brand that a share of voice is a share of. */
    families?: Uint8Array;
    /** Has 1 at the number of each brand that is compared; all are by default. */
    only?: Uint8Array | undefined;
    /** Also keeps how much each of them differs in each prompt. */
    withDifferences?: boolean;
    /** Leaves out cells that do not belong to the comparison. */
    isAsked?: (source: Source, question: number) => boolean;
  },
): Generator<undefined, Comparison> {
  const sides = [...before, after].map(openSide);
  const comparison: Comparison = {
    earlier: before.length,
    cells: { before: 0, after: 0, common: 0, otherMethod: 0, otherModel: 0 },
    oneSideOnly: 0,
    prompts: 0,
    promptsAtSources: 0,
    n: 0,
    nn: 0,
    brands: new Map(),
    differences: new Map(),
    voice: isShare(of.compared) ? noShareMoments(before.length) : null,
  };
  const sources = new Set(sides.flatMap((side) => [...side.keys()]));
  const cells = Array.from(sources, (source) => ({ source, parts: sides.map((side) => side.get(source)) }));
  const running = openRunning(
    cells.map(({ parts }) => parts),
    of,
  );
  for (const [index, prompt] of of.prompts.entries()) {
    let answers = 0;
    for (const { source, parts } of cells) {
      let atSource = 0;
      for (const cell of prompt) {
        if (of.isAsked && !cell.some((question) => of.isAsked?.(source, question))) continue;
        atSource += addCell(comparison, running, { parts, cell });
      }
      answers += atSource;
      if (atSource > 0) comparison.promptsAtSources += 1;
    }
    if (answers > 0) addPrompt(comparison, running, answers);
    if (index % PROMPTS_AT_ONCE === PROMPTS_AT_ONCE - 1) yield;
  }
  comparison.brands = brandsOf(running);
  return comparison;
}

interface SidePart {
  facts: CollectFacts;
  ways: readonly Way[];
}

/** What each side brought to one source. */
type Parts = readonly (SidePart | undefined)[];

function openSide({ sources }: CollectSide): Map<Source, SidePart> {
  return new Map([...sources].map(([source, facts]) => [source, { facts, ways: waysOf(facts) }]));
}

/** Adds the answers to a cell. Gives how many of them each side has in common; 0 where it is not common. */
function addCell(comparison: Comparison, running: Running, { parts, cell }: { parts: Parts; cell: Prompt }): number {
  const n = commonAnswers(parts, cell, comparison);
  for (const [side, part] of n === 0 ? [] : parts.entries()) {
    let left = n;
    for (const question of cell) {
      if (!part || left <= 0) continue;
      addValues(running, part.facts, { question, n: left, side });
      left -= part.facts.answers[question] ?? 0;
    }
  }
  return n;
}

/** Counts the cell, and gives how many answers to it each side has in common; 0 where it is not common. */
function commonAnswers(parts: Parts, cell: Prompt, comparison: Comparison): number {
  const { cells } = comparison;
  let [least, most, mostBefore, last] = [Infinity, 0, 0, 0];
  for (const part of parts) {
    mostBefore = most;
    last = answersTo(part, cell);
    least = Math.min(least, last);
    most = Math.max(most, last);
  }
  if (mostBefore > 0) cells.before += 1;
  if (last > 0) cells.after += 1;
  if (least === 0) {
    if (most > 0) comparison.oneSideOnly += 1;
    return 0;
  }
  const first = wayOf(parts[0], cell);
  if (first === undefined || parts.some((part) => wayOf(part, cell)?.method !== first.method)) {
    cells.otherMethod += 1;
    return 0;
  }
  if (parts.some((part) => wayOf(part, cell)?.model !== first.model)) {
    cells.otherModel += 1;
    return 0;
  }
  cells.common += 1;
  return least;
}

function answersTo(part: SidePart | undefined, cell: Prompt): number {
  let answers = 0;
  for (const question of cell) answers += part?.facts.answers[question] ?? 0;
  return answers;
}

/** How all answers to a cell were made; undefined where in several ways. */
function wayOf(part: SidePart | undefined, cell: Prompt): Way | undefined {
  let place: number | undefined;
  for (const question of cell) {
    if ((part?.facts.answers[question] ?? 0) === 0) continue;
    const own = part?.facts.wayOf[question] ?? 0;
    if (place !== undefined && place !== own) return undefined;
    place = own;
  }
  return part?.ways[(place ?? 0) - 1];
}

/** What is summed of a brand, side by side. */
const [BEFORE, AFTER, D, DD, DN, DIFFERING, XX, VARYING] = [0, 1, 2, 3, 4, 5, 6, 7];
const WIDTH = 8;

interface Running {
  compared: Compared;
  families: Uint8Array | undefined;
  only: Uint8Array | undefined;
  withDifferences: boolean | undefined;
  sides: number;
  /** Values of the prompt that is added, by brand and side, and the brands that have any. */
  values: Float64Array;
  touched: Uint32Array;
  isTouched: Uint8Array;
  count: number;
  /** By brand, WIDTH each, and those that have any. */
  sums: Float64Array;
  isSeen: Uint8Array;
  weights: Map<number, BrandComparison["weights"]>;
}

function openRunning(cells: readonly Parts[], of: Parameters<typeof compareFacts>[2]): Running {
  const { compared, families, only, withDifferences } = of;
  const width = 1 + Math.max(0, ...cells.flatMap((parts) => parts.map((part) => part?.facts.lastBrand ?? 0)));
  const sides = cells[0]?.length ?? 0;
  return {
    compared,
    families,
    only,
    withDifferences,
    sides,
    values: new Float64Array(width * sides),
    touched: new Uint32Array(width),
    isTouched: new Uint8Array(width),
    count: 0,
    sums: new Float64Array(width * WIDTH),
    isSeen: new Uint8Array(width),
    weights: new Map(),
  };
}

function addValues(running: Running, facts: CollectFacts, of: { question: number; n: number; side: number }): void {
  const { compared, sides, values, touched, isTouched } = running;
  const { question, n, side } = of;
  const { starts, runs, brands, ranks } = facts;
  // A share is one of all brands.
  const only = isShare(compared) ? undefined : running.only;
  const end = starts[question + 1] ?? 0;
  for (let at = starts[question] ?? 0; at < end; at += 1) {
    const brand = brands[at] ?? 0;
    if (only !== undefined && only[brand] !== 1) continue;
    if ((runs[at] ?? 0) >= n) continue;
    const value = valueOf(ranks[at] ?? 0, compared);
    if (value === 0) continue;
    if (isTouched[brand] === 0) {
      isTouched[brand] = 1;
      touched[running.count++] = brand;
    }
    values[brand * sides + side] = (values[brand * sides + side] ?? 0) + value;
  }
}

function isShare(compared: Compared): boolean {
  return compared === "share_of_voice" || compared === "score";
}

function valueOf(rank: number, compared: Compared): number {
  if (compared === "presence") return 1;
  if (compared === "score") return scoreOf(rank);
  return compared === "top_3" ? Number(rank <= 3) : weightOf(rank);
}

/** Adds what the prompt's answers came to, and clears it. */
function addPrompt(comparison: Comparison, running: Running, n: number): void {
  const { only, sides, values, touched, isTouched } = running;
  const prompt = comparison.prompts;
  comparison.prompts += 1;
  comparison.n += n;
  comparison.nn += n * n;
  const voice = comparison.voice && voiceOf(running);
  if (comparison.voice && voice) addVoice(comparison.voice, voice);
  for (let at = 0; at < running.count; at += 1) {
    const brand = touched[at] ?? 0;
    if (only === undefined || only[brand] === 1) {
      const d = addBrand(running, brand, n);
      if (running.withDifferences && differs(d)) noteDifference(comparison, { brand, prompt, d });
      if (voice) noteWeights(running, brand, voice);
    }
    values.fill(0, brand * sides, (brand + 1) * sides);
    isTouched[brand] = 0;
  }
  running.count = 0;
}

/** Adds one brand's values in a prompt. Gives how much it differs. */
function addBrand({ sides, values, sums, isSeen }: Running, brand: number, n: number): number {
  const from = brand * sides;
  const k = sides - 1;
  const after = values[from + k] ?? 0;
  let before = 0;
  for (let side = 0; side < k; side += 1) before += values[from + side] ?? 0;
  const mean = (before + after) / sides;
  let squares = 0;
  for (let side = 0; side < sides; side += 1) squares += ((values[from + side] ?? 0) - mean) ** 2;
  const d = after - before / k;
  const to = brand * WIDTH;
  sums[to + BEFORE] = (sums[to + BEFORE] ?? 0) + before;
  sums[to + AFTER] = (sums[to + AFTER] ?? 0) + after;
  sums[to + D] = (sums[to + D] ?? 0) + d;
  sums[to + DD] = (sums[to + DD] ?? 0) + d * d;
  sums[to + DN] = (sums[to + DN] ?? 0) + d * n;
  sums[to + XX] = (sums[to + XX] ?? 0) + squares / k;
  if (differs(squares)) sums[to + VARYING] = (sums[to + VARYING] ?? 0) + 1;
  if (differs(d)) sums[to + DIFFERING] = (sums[to + DIFFERING] ?? 0) + 1;
  isSeen[brand] = 1;
  return d;
}

function noteDifference({ differences }: Comparison, of: { brand: number; prompt: number; d: number }): void {
  let known = differences.get(of.brand);
  if (!known) differences.set(of.brand, (known = { prompts: [], d: [] }));
  known.prompts.push(of.prompt);
  known.d.push(of.d);
}

function noteWeights({ weights, sides, values }: Running, brand: number, voice: Float64Array): void {
  const own = { x: values.slice(brand * sides, (brand + 1) * sides), n: voice };
  const known = weights.get(brand);
  if (known) known.push(own);
  else weights.set(brand, [own]);
}

/** The weights of all brands in a prompt, by collect. */
function voiceOf({ families, sides, values, touched, count }: Running): Float64Array {
  const voice = new Float64Array(sides);
  for (let at = 0; at < count; at += 1) {
    const brand = touched[at] ?? 0;
    if (families?.[brand] !== 1) continue;
    for (let side = 0; side < sides; side += 1) {
      voice[side] = (voice[side] ?? 0) + (values[brand * sides + side] ?? 0);
    }
  }
  return voice;
}

function differs(value: number): boolean {
  return Math.abs(value) > 1e-9;
}

function brandsOf({ sums, isSeen, weights }: Running): Map<number, BrandComparison> {
  const each = new Map<number, BrandComparison>();
  for (const [brand, seen] of isSeen.entries()) {
    if (seen === 0) continue;
    const own = sums.subarray(brand * WIDTH, (brand + 1) * WIDTH);
    each.set(brand, comparisonOf(own, weights.get(brand) ?? []));
  }
  return each;
}

function comparisonOf(sums: ArrayLike<number>, weights: BrandComparison["weights"]): BrandComparison {
  const of = (at: number) => sums[at] ?? 0;
  return {
    before: of(BEFORE),
    after: of(AFTER),
    pairs: { d: of(D), dd: of(DD), dn: of(DN), differing: of(DIFFERING) },
    series: { xx: of(XX), varying: of(VARYING), differing: of(DIFFERING) },
    weights,
  };
}

/** Of a brand that is in no common cell. */
export function noComparison(): BrandComparison {
  return comparisonOf([], []);
}
