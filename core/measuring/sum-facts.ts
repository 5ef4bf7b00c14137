import type { CollectFacts } from "./collect-facts.ts";
import { brandSumsFrom, noBrandSums, noCommonSums, rankWeight, type BrandSums, type Sums } from "./metrics.ts";
import type { Prompt } from "./prompt-clusters.ts";

/** How many sums a brand has. */
const WIDTH = Object.keys(noBrandSums()).length;

/** What one prompt's answers add up to for one brand. */
const [X, MENTIONS, RANKS, BRAND_RANKS, TOP_3, WEIGHTS, CITED] = [0, 1, 2, 3, 4, 5, 6];
const PROMPT_WIDTH = 7;

/** Places after which others can have their turn: a few milliseconds of work. */
export const PLACES_AT_ONCE = 200_000;

/**
 * Sums facts of several sources and collects of one analysis, prompt by prompt over all of them: it is one, in however many of them it was
 * asked. `families` has 1 at the number of each brand that share of voice is a share of.
 */
export function sumFacts(all: readonly CollectFacts[], prompts: readonly Prompt[], families: Uint8Array): Sums {
  const summing = sumFactsInParts(all, prompts, families);
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
  prompts: readonly Prompt[],
  families: Uint8Array,
): Generator<undefined, Sums> {
  const summing = openSumming(all, families);
  let places = 0;
  for (const prompt of prompts) {
    places += summing.add(prompt);
    if (places < PLACES_AT_ONCE) continue;
    places = 0;
    yield;
  }
  return summing.take();
}

/** A sum that is added to prompt by prompt, and taken as often as there are groups of prompts. */
export interface Summing {
  /** Adds the answers to one prompt. Gives how many places they hold. */
  add: (prompt: Prompt) => number;
  /** The sums since the last taking. */
  take: () => Sums;
}

/** Opens the sums of all brands, or of those in `only`: others count for the voice that theirs is a share of. */
export function openSumming(all: readonly CollectFacts[], families: Uint8Array, only?: ReadonlySet<number>): Summing {
  const width = 1 + all.reduce((most, { lastBrand }) => Math.max(most, lastBrand), 0);
  const running: RunningSums = {
    families,
    only,
    sums: noCommonSums(),
    brands: new Float64Array(width * WIDTH),
    seen: [],
    isSeen: new Uint8Array(width),
    ofPrompt: new Float64Array(width * PROMPT_WIDTH),
    touched: new Uint32Array(width),
    isTouched: new Uint8Array(width),
    count: 0,
  };
  return {
    add: (prompt) => addPrompt(running, all, prompt),
    take: () => takeSums(running),
  };
}

interface RunningSums {
  families: Uint8Array;
  only: ReadonlySet<number> | undefined;
  sums: Omit<Sums, "brands">;
  /** By brand, WIDTH each, and the brands that have any. */
  brands: Float64Array;
  seen: number[];
  isSeen: Uint8Array;
  /** The same of the prompt that is being added, PROMPT_WIDTH each, and how many brands it has. */
  ofPrompt: Float64Array;
  touched: Uint32Array;
  isTouched: Uint8Array;
  count: number;
}

function addPrompt(running: RunningSums, all: readonly CollectFacts[], prompt: Prompt): number {
  const { sums } = running;
  let [answers, places] = [0, 0];
  for (const facts of all) {
    for (const question of prompt) {
      answers += facts.answers[question] ?? 0;
      places += addQuestion(running, facts, question);
    }
  }
  if (answers === 0) return places;
  sums.total += answers;
  sums.keywords += 1;
  sums.nn += answers * answers;
  addBrands(running, answers);
  return places;
}

// The loops of every filtered request. Indices stay inside the columns, so `?? 0` never applies. Gives how many places there are.
function addQuestion(running: RunningSums, facts: CollectFacts, question: number): number {
  if (question >= facts.answers.length) return 0;
  const { sums, ofPrompt, touched, isTouched } = running;
  let { count } = running;
  const own = facts.answers[question] ?? 0;
  if (own > 0) {
    sums.runs_least = sums.runs_least === 0 ? own : Math.min(sums.runs_least, own);
    sums.runs_most = Math.max(sums.runs_most, own);
  }
  sums.not_shown += facts.notShown[question] ?? 0;
  sums.informative += facts.informative[question] ?? 0;
  const { brands, ranks, brandRanks, mentions, citedBrands } = facts;
  const [from, end] = [facts.starts[question] ?? 0, facts.starts[question + 1] ?? 0];
  for (let at = from; at < end; at += 1) {
    const brand = brands[at] ?? 0;
    if (isTouched[brand] === 0) {
      isTouched[brand] = 1;
      touched[count++] = brand;
    }
    const to = brand * PROMPT_WIDTH;
    const rank = ranks[at] ?? 0;
    ofPrompt[to + X] = (ofPrompt[to + X] ?? 0) + 1;
    ofPrompt[to + MENTIONS] = (ofPrompt[to + MENTIONS] ?? 0) + (mentions[at] ?? 0);
    ofPrompt[to + RANKS] = (ofPrompt[to + RANKS] ?? 0) + rank;
    ofPrompt[to + BRAND_RANKS] = (ofPrompt[to + BRAND_RANKS] ?? 0) + (brandRanks[at] ?? 0);
    if (rank <= 3) ofPrompt[to + TOP_3] = (ofPrompt[to + TOP_3] ?? 0) + 1;
    ofPrompt[to + WEIGHTS] = (ofPrompt[to + WEIGHTS] ?? 0) + weightOf(rank);
  }
  const citedEnd = facts.citedStarts[question + 1] ?? 0;
  for (let at = facts.citedStarts[question] ?? 0; at < citedEnd; at += 1) {
    const brand = citedBrands[at] ?? 0;
    if (isTouched[brand] === 0) {
      isTouched[brand] = 1;
      touched[count++] = brand;
    }
    ofPrompt[brand * PROMPT_WIDTH + CITED] = (ofPrompt[brand * PROMPT_WIDTH + CITED] ?? 0) + 1;
  }
  running.count = count;
  return end - from;
}

/** Adds what the prompt's answers came to, and clears it. */
function addBrands(running: RunningSums, answers: number): void {
  const { families, only, sums, brands, seen, isSeen, ofPrompt, touched, isTouched, count } = running;
  let voice = 0;
  for (let at = 0; at < count; at += 1) {
    const brand = touched[at] ?? 0;
    if (families[brand] === 1) voice += ofPrompt[brand * PROMPT_WIDTH + WEIGHTS] ?? 0;
  }
  sums.voice += voice;
  sums.vv += voice * voice;
  for (let at = 0; at < count; at += 1) {
    const brand = touched[at] ?? 0;
    isTouched[brand] = 0;
    const own = brand * PROMPT_WIDTH;
    if (only !== undefined && !only.has(brand)) {
      clear(ofPrompt, own);
      continue;
    }
    if (isSeen[brand] === 0) {
      isSeen[brand] = 1;
      seen.push(brand);
    }
    const x = ofPrompt[own + X] ?? 0;
    const top = ofPrompt[own + TOP_3] ?? 0;
    const weights = ofPrompt[own + WEIGHTS] ?? 0;
    const ranks = ofPrompt[own + RANKS] ?? 0;
    const cited = ofPrompt[own + CITED] ?? 0;
    let sum = brand * WIDTH;
    const add = (value: number) => {
      brands[sum] = (brands[sum] ?? 0) + value;
      sum += 1;
    };
    // In the order of brandSumsFrom.
    add(x);
    add(ofPrompt[own + MENTIONS] ?? 0);
    add(x > 0 ? 1 : 0);
    add(x === answers ? 1 : 0);
    add(top > 0 ? 1 : 0);
    add(top === answers ? 1 : 0);
    // Ranks are 1 or more.
    add(x === answers && ranks === x ? 1 : 0);
    add(weights > 0 && Math.abs(voice - weights) < 1e-9 ? 1 : 0);
    add(ranks);
    add(ofPrompt[own + BRAND_RANKS] ?? 0);
    add(top);
    add(weights);
    add(cited);
    add(x * x);
    add(x * answers);
    add(top * top);
    add(top * answers);
    add(weights * weights);
    add(weights * answers);
    add(weights * voice);
    add(ranks * ranks);
    add(ranks * x);
    add(cited > 0 ? 1 : 0);
    add(cited === answers ? 1 : 0);
    add(cited * cited);
    add(cited * answers);
    clear(ofPrompt, own);
  }
  running.count = 0;
}

/** Clears what a prompt adds up to for one brand: a call of `fill` for so few costs more than all else of it. */
function clear(ofPrompt: Float64Array, own: number): void {
  for (let at = own; at < own + PROMPT_WIDTH; at += 1) ofPrompt[at] = 0;
}

function takeSums(running: RunningSums): Sums {
  const { brands, seen, isSeen } = running;
  const each = new Map<number, BrandSums>();
  for (const brand of seen) {
    const from = brand * WIDTH;
    each.set(
      brand,
      brandSumsFrom((at) => brands[from + at] ?? 0),
    );
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
