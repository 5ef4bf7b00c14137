import type { PairMoments, SeriesMoments } from "../statistics/difference.ts";
import { addVoice, noShareMoments, type ShareMoments } from "../statistics/share-moments.ts";
import type { Cells } from "../statistics/verdict.ts";
import type { Source } from "../sources.ts";
import { waysOf, type CollectFacts, type Way } from "./collect-facts.ts";
import { weightOf } from "./sum-facts.ts";

/** Which figure is compared. Of an answer it is a value between 0 and 1, for a share of voice the weight of its visibility. */
export type Compared = "presence" | "top_3" | "visibility" | "share_of_voice";

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
  /** Prompts in which it differs, by their order among the compared ones, and by how much. */
  prompts: number[];
  differences: number[];
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
  /** Answers of each collect in the common cells. */
  n: number;
  nn: number;
  /** By the brand's number; those that are in no common cell are left out. */
  brands: Map<number, BrandComparison>;
  /** Of a share of voice: what prompts say of all brands. */
  voice: ShareMoments | null;
}

/** Keywords after which others can have their turn. */
const KEYWORDS_AT_ONCE = 500;

/**
 * Compares a collect with earlier ones over the cells (keyword × source) that all of them completed in the same way, with runs cut to the
 * smallest number of all, in their order. Yields where others can have their turn.
 */
export function* compareFacts(
  after: CollectSide,
  before: readonly CollectSide[],
  of: {
    keywords: readonly number[];
    compared: Compared;
    /** Has 1 at the number of each brand that a share of voice is a share of. */
    families?: Uint8Array;
    /** Leaves out cells that do not belong to the comparison. */
    isAsked?: (source: Source, keyword: number) => boolean;
  },
): Generator<undefined, Comparison> {
  const sides = [...before, after].map(openSide);
  const comparison: Comparison = {
    earlier: before.length,
    cells: { before: 0, after: 0, common: 0, otherMethod: 0, otherModel: 0 },
    oneSideOnly: 0,
    prompts: 0,
    n: 0,
    nn: 0,
    brands: new Map(),
    voice: of.compared === "share_of_voice" ? noShareMoments(before.length) : null,
  };
  const sources = new Set(sides.flatMap((side) => [...side.keys()]));
  const values = new Map<number, Float64Array>();
  for (const [index, keyword] of of.keywords.entries()) {
    let answers = 0;
    for (const source of sources) {
      if (of.isAsked && !of.isAsked(source, keyword)) continue;
      const parts = sides.map((side) => side.get(source));
      const n = commonAnswers(parts, keyword, comparison);
      if (n === 0) continue;
      answers += n;
      for (const [side, part] of parts.entries()) {
        if (part) addValues(values, { part, keyword, n, side, sides: sides.length, compared: of.compared });
      }
    }
    if (answers > 0) addPrompt(comparison, values, answers, of.families);
    values.clear();
    if (index % KEYWORDS_AT_ONCE === KEYWORDS_AT_ONCE - 1) yield;
  }
  return comparison;
}

interface SidePart {
  facts: CollectFacts;
  ways: readonly Way[];
}

function openSide({ sources }: CollectSide): Map<Source, SidePart> {
  return new Map([...sources].map(([source, facts]) => [source, { facts, ways: waysOf(facts) }]));
}

/** Counts the cell, and gives how many answers to it each side has in common; 0 where it is not common. */
function commonAnswers(parts: readonly (SidePart | undefined)[], keyword: number, comparison: Comparison): number {
  const { cells } = comparison;
  const counts = parts.map((part) => part?.facts.answers[keyword] ?? 0);
  const last = counts.length - 1;
  if (counts.some((count, side) => side < last && count > 0)) cells.before += 1;
  if ((counts[last] ?? 0) > 0) cells.after += 1;
  const n = Math.min(...counts);
  if (n === 0) {
    if (counts.some((count) => count > 0)) comparison.oneSideOnly += 1;
    return 0;
  }
  const ways = parts.map((part) => (part ? part.ways[(part.facts.wayOf[keyword] ?? 0) - 1] : undefined));
  const [first] = ways;
  if (first === undefined || ways.some((way) => way?.method !== first.method)) {
    cells.otherMethod += 1;
    return 0;
  }
  if (ways.some((way) => way?.model !== first.model)) {
    cells.otherModel += 1;
    return 0;
  }
  cells.common += 1;
  return n;
}

function addValues(
  values: Map<number, Float64Array>,
  of: { part: SidePart; keyword: number; n: number; side: number; sides: number; compared: Compared },
): void {
  const { part, keyword, n, side, sides, compared } = of;
  const { starts, runs, brands, ranks } = part.facts;
  const end = starts[keyword + 1] ?? 0;
  for (let at = starts[keyword] ?? 0; at < end; at += 1) {
    if ((runs[at] ?? 0) >= n) continue;
    const value = valueOf(ranks[at] ?? 0, compared);
    if (value === 0) continue;
    const brand = brands[at] ?? 0;
    let own = values.get(brand);
    if (!own) values.set(brand, (own = new Float64Array(sides)));
    own[side] = (own[side] ?? 0) + value;
  }
}

function valueOf(rank: number, compared: Compared): number {
  if (compared === "presence") return 1;
  return compared === "top_3" ? Number(rank <= 3) : weightOf(rank);
}

function addPrompt(
  comparison: Comparison,
  values: ReadonlyMap<number, Float64Array>,
  n: number,
  families: Uint8Array | undefined,
): void {
  const prompt = comparison.prompts;
  comparison.prompts += 1;
  comparison.n += n;
  comparison.nn += n * n;
  const voice = comparison.voice && voiceOf(values, comparison.earlier + 1, families);
  if (comparison.voice && voice) addVoice(comparison.voice, voice);
  for (const [brand, own] of values) {
    const k = own.length - 1;
    const after = own[k] ?? 0;
    let sum = 0;
    for (let side = 0; side < k; side += 1) sum += own[side] ?? 0;
    const mean = (sum + after) / (k + 1);
    let squares = 0;
    for (const value of own) squares += (value - mean) ** 2;
    const d = after - sum / k;
    let known = comparison.brands.get(brand);
    if (!known) comparison.brands.set(brand, (known = noComparison()));
    known.before += sum;
    known.after += after;
    if (voice) known.weights.push({ x: own, n: voice });
    known.series.xx += squares / k;
    if (differs(squares)) known.series.varying += 1;
    known.pairs.d += d;
    known.pairs.dd += d * d;
    known.pairs.dn += d * n;
    if (!differs(d)) continue;
    known.pairs.differing += 1;
    known.series.differing += 1;
    known.prompts.push(prompt);
    known.differences.push(d);
  }
}

/** The weights of all brands in a prompt, by collect. */
function voiceOf(values: ReadonlyMap<number, Float64Array>, collects: number, families: Uint8Array | undefined) {
  const voice = new Float64Array(collects);
  for (const [brand, own] of values) {
    if (families?.[brand] !== 1) continue;
    for (let at = 0; at < collects; at += 1) voice[at] = (voice[at] ?? 0) + (own[at] ?? 0);
  }
  return voice;
}

function differs(value: number): boolean {
  return Math.abs(value) > 1e-9;
}

/** Of a brand that is in no common cell. */
export function noComparison(): BrandComparison {
  return {
    before: 0,
    after: 0,
    pairs: { d: 0, dd: 0, dn: 0, differing: 0 },
    series: { xx: 0, varying: 0, differing: 0 },
    prompts: [],
    differences: [],
    weights: [],
  };
}
