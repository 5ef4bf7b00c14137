import type { CollectFacts } from "./collect-facts.ts";
import { brandSumsFrom, noBrandSums, noCommonSums, rankWeight, type BrandSums, type Sums } from "./metrics.ts";

/** Which keywords count: 1 at the position of each that does. Null if all do. */
export type KeywordMask = Uint8Array | null;

/** How many sums a brand has. */
const WIDTH = Object.keys(noBrandSums()).length;

/** What one keyword's answers add up to for one brand. */
const [X, MENTIONS, RANKS, BRAND_RANKS, TOP_3, WEIGHTS, CITED] = [0, 1, 2, 3, 4, 5, 6];
const KEYWORD_WIDTH = 7;

/** Places after which others can have their turn: a few milliseconds of work. */
export const PLACES_AT_ONCE = 200_000;

/**
 * Sums facts of several sources and collects of one analysis, keyword by keyword over all of them: a keyword is one prompt, in however
 * many of them it was asked. `families` has 1 at the number of each brand that share of voice is a share of.
 */
export function sumFacts(all: readonly CollectFacts[], mask: KeywordMask, families: Uint8Array): Sums {
  const summing = sumFactsInParts(all, mask, families);
  for (;;) {
    const part = summing.next();
    if (part.done) return part.value;
  }
}

/** 1 at each of these numbers of brands. */
export function marksOf(numbers: readonly number[]): Uint8Array {
  const marks = new Uint8Array(1 + numbers.reduce((most, number) => Math.max(most, number), 0));
  for (const number of numbers) marks[number] = 1;
  return marks;
}

/** The same, yielding where others can have their turn. */
export function* sumFactsInParts(
  all: readonly CollectFacts[],
  mask: KeywordMask,
  families: Uint8Array,
): Generator<undefined, Sums> {
  const summing = openSumming(all, families);
  const keywords = mostKeywords(all);
  let places = 0;
  for (let keyword = 0; keyword < keywords; keyword += 1) {
    if (mask && mask[keyword] !== 1) continue;
    places += summing.add(keyword);
    if (places < PLACES_AT_ONCE) continue;
    places = 0;
    yield;
  }
  return summing.take();
}

/** Keywords of the collect that has most: later ones can have more. */
export function mostKeywords(all: readonly CollectFacts[]): number {
  return all.reduce((most, { answers }) => Math.max(most, answers.length), 0);
}

/** A sum that is added to keyword by keyword, and taken as often as there are groups of keywords. */
export interface Summing {
  /** Adds the answers to one keyword. Gives how many places they hold. */
  add: (keyword: number) => number;
  /** The sums since the last taking; of the brands in `only` where it is given. */
  take: (only?: ReadonlySet<number>) => Sums;
}

export function openSumming(all: readonly CollectFacts[], families: Uint8Array): Summing {
  const width = 1 + all.reduce((most, { lastBrand }) => Math.max(most, lastBrand), 0);
  const running: RunningSums = {
    families,
    sums: noCommonSums(),
    brands: new Float64Array(width * WIDTH),
    seen: [],
    isSeen: new Uint8Array(width),
    ofKeyword: new Float64Array(width * KEYWORD_WIDTH),
    touched: new Uint32Array(width),
    isTouched: new Uint8Array(width),
  };
  return {
    add: (keyword) => addKeyword(running, all, keyword),
    take: (only) => takeSums(running, only),
  };
}

interface RunningSums {
  families: Uint8Array;
  sums: Omit<Sums, "brands">;
  /** By brand, WIDTH each, and the brands that have any. */
  brands: Float64Array;
  seen: number[];
  isSeen: Uint8Array;
  /** The same of the keyword that is being added, KEYWORD_WIDTH each. */
  ofKeyword: Float64Array;
  touched: Uint32Array;
  isTouched: Uint8Array;
}

// The loops of every filtered request. Indices stay inside the columns, so `?? 0` never applies.
function addKeyword(running: RunningSums, all: readonly CollectFacts[], keyword: number): number {
  const { sums, ofKeyword, touched, isTouched } = running;
  let [answers, places, count] = [0, 0, 0];
  for (const facts of all) {
    if (keyword >= facts.answers.length) continue;
    const own = facts.answers[keyword] ?? 0;
    answers += own;
    if (own > 0) {
      sums.runs_least = sums.runs_least === 0 ? own : Math.min(sums.runs_least, own);
      sums.runs_most = Math.max(sums.runs_most, own);
    }
    sums.not_shown += facts.notShown[keyword] ?? 0;
    sums.informative += facts.informative[keyword] ?? 0;
    const { brands, ranks, brandRanks, mentions, citedBrands } = facts;
    const end = facts.starts[keyword + 1] ?? 0;
    for (let at = facts.starts[keyword] ?? 0; at < end; at += 1) {
      const brand = brands[at] ?? 0;
      if (isTouched[brand] === 0) {
        isTouched[brand] = 1;
        touched[count++] = brand;
      }
      const to = brand * KEYWORD_WIDTH;
      const rank = ranks[at] ?? 0;
      ofKeyword[to + X] = (ofKeyword[to + X] ?? 0) + 1;
      ofKeyword[to + MENTIONS] = (ofKeyword[to + MENTIONS] ?? 0) + (mentions[at] ?? 0);
      ofKeyword[to + RANKS] = (ofKeyword[to + RANKS] ?? 0) + rank;
      ofKeyword[to + BRAND_RANKS] = (ofKeyword[to + BRAND_RANKS] ?? 0) + (brandRanks[at] ?? 0);
      if (rank <= 3) ofKeyword[to + TOP_3] = (ofKeyword[to + TOP_3] ?? 0) + 1;
      ofKeyword[to + WEIGHTS] = (ofKeyword[to + WEIGHTS] ?? 0) + weightOf(rank);
    }
    places += end - (facts.starts[keyword] ?? 0);
    const citedEnd = facts.citedStarts[keyword + 1] ?? 0;
    for (let at = facts.citedStarts[keyword] ?? 0; at < citedEnd; at += 1) {
      const brand = citedBrands[at] ?? 0;
      if (isTouched[brand] === 0) {
        isTouched[brand] = 1;
        touched[count++] = brand;
      }
      ofKeyword[brand * KEYWORD_WIDTH + CITED] = (ofKeyword[brand * KEYWORD_WIDTH + CITED] ?? 0) + 1;
    }
  }
  if (answers === 0) return places;
  sums.total += answers;
  sums.keywords += 1;
  sums.nn += answers * answers;
  addBrands(running, answers, count);
  return places;
}

/** Adds what the keyword's answers came to, and clears it. */
function addBrands(running: RunningSums, answers: number, count: number): void {
  const { families, sums, brands, seen, isSeen, ofKeyword, touched, isTouched } = running;
  let voice = 0;
  for (let at = 0; at < count; at += 1) {
    const brand = touched[at] ?? 0;
    if (families[brand] === 1) voice += ofKeyword[brand * KEYWORD_WIDTH + WEIGHTS] ?? 0;
  }
  sums.voice += voice;
  sums.vv += voice * voice;
  for (let at = 0; at < count; at += 1) {
    const brand = touched[at] ?? 0;
    isTouched[brand] = 0;
    if (isSeen[brand] === 0) {
      isSeen[brand] = 1;
      seen.push(brand);
    }
    const own = brand * KEYWORD_WIDTH;
    const x = ofKeyword[own + X] ?? 0;
    const top = ofKeyword[own + TOP_3] ?? 0;
    const weights = ofKeyword[own + WEIGHTS] ?? 0;
    const ranks = ofKeyword[own + RANKS] ?? 0;
    let sum = brand * WIDTH;
    const add = (value: number) => {
      brands[sum] = (brands[sum] ?? 0) + value;
      sum += 1;
    };
    // In the order of brandSumsFrom.
    add(x);
    add(ofKeyword[own + MENTIONS] ?? 0);
    add(x > 0 ? 1 : 0);
    add(x === answers ? 1 : 0);
    add(top > 0 ? 1 : 0);
    add(top === answers ? 1 : 0);
    // Ranks are 1 or more.
    add(x === answers && ranks === x ? 1 : 0);
    add(weights > 0 && Math.abs(voice - weights) < 1e-9 ? 1 : 0);
    add(ranks);
    add(ofKeyword[own + BRAND_RANKS] ?? 0);
    add(top);
    add(weights);
    add(ofKeyword[own + CITED] ?? 0);
    add(x * x);
    add(x * answers);
    add(top * top);
    add(top * answers);
    add(weights * weights);
    add(weights * answers);
    add(weights * voice);
    add(ranks * ranks);
    add(ranks * x);
    ofKeyword.fill(0, own, own + KEYWORD_WIDTH);
  }
}

function takeSums(running: RunningSums, only?: ReadonlySet<number>): Sums {
  const { brands, seen, isSeen } = running;
  const each = new Map<number, BrandSums>();
  for (const brand of seen) {
    const from = brand * WIDTH;
    if (only?.has(brand) ?? true) {
      each.set(
        brand,
        brandSumsFrom((at) => brands[from + at] ?? 0),
      );
    }
    brands.fill(0, from, from + WIDTH);
    isSeen[brand] = 0;
  }
  const sums = { ...running.sums, brands: each };
  running.sums = noCommonSums();
  running.seen = [];
  return sums;
}

const WEIGHTS_OF_RANKS = Float64Array.from({ length: 1024 }, (_, rank) => (rank === 0 ? 0 : rankWeight(rank)));

/** `rankWeight` from a table. */
export function weightOf(rank: number): number {
  return WEIGHTS_OF_RANKS[rank] ?? rankWeight(rank);
}
