import type { CollectFacts } from "./collect-facts.ts";
import { addAnswers } from "./count-answers.ts";
import { noAnswerCounts, type AnswerCounts, type BrandCounts, type Counts } from "./metrics.ts";
import { questionsOf, type AskedPrompts, type Prompt } from "./prompt-clusters.ts";
import { PLACES_AT_ONCE, weightOf } from "./sum-facts.ts";

/** What is counted of one brand, side by side in one line of the processor's memory. */
const [X, MENTIONS, KEYWORDS, RANKS, BRAND_RANKS, TOP_3, WEIGHTS, CITED] = [0, 1, 2, 3, 4, 5, 6, 7];
const WIDTH = 8;

/** A brand's prompts among those that are added at once are bits of this many numbers, of all brands together. */
const MOST_NUMBERS = 65_536;
const BITS = 32;
const MOST_PROMPTS = 16 * BITS;

/** Counts that are added to, and taken as often as there are groups of prompts. */
export interface Counting {
  /** How many prompts are added at once where there are more. */
  atOnce: number;
  /** Adds the answers to some prompts. Gives how many places they hold. */
  add: (prompts: readonly Prompt[]) => number;
  /** The counts since the last taking. */
  take: () => Counts;
}

interface RunningCounts {
  answers: AnswerCounts;
  /** By brand, WIDTH each. */
  brands: Float64Array;
  /** Brands that were met since the last taking, and how many they are. */
  met: Uint32Array;
  isMet: Uint8Array;
  count: number;
  /** Of the prompts that are added at once, those that each brand has: the first 32 of every brand, then the next. */
  bits: Int32Array;
  /** 1 for each brand that share of voice is a share of. */
  families: Uint8Array;
  /** 1 for each brand that is counted, where not all are. */
  shown: Uint8Array | undefined;
  /** Weights of all families, where not all brands are counted. */
  voice: number;
}

/**
 * Counts facts of several sources and collects of one analysis: what figures need, and nothing that only intervals do (`openSumming`).
 * Many prompts are added at once, and of them one source after the other, so that memory is read in its order.
 * `families` has 1 at the number of each brand that share of voice is a share of; where `only` is given, these brands alone are counted.
 */
export function openCounting(all: readonly CollectFacts[], families: Uint8Array, only?: ReadonlySet<number>): Counting {
  const width = 1 + all.reduce((most, { lastBrand }) => Math.max(most, lastBrand), 0);
  const atOnce = Math.min(MOST_PROMPTS, Math.max(1, Math.floor(MOST_NUMBERS / width)) * BITS);
  const running: RunningCounts = {
    answers: noAnswerCounts(),
    brands: new Float64Array(width * WIDTH),
    met: new Uint32Array(width),
    isMet: new Uint8Array(width),
    count: 0,
    bits: new Int32Array(width * (atOnce / BITS)),
    families: Uint8Array.from({ length: width }, (_, brand) => families[brand] ?? 0),
    shown: only && Uint8Array.from({ length: width }, (_, brand) => (only.has(brand) ? 1 : 0)),
    voice: 0,
  };
  return {
    atOnce,
    add(prompts) {
      let places = 0;
      for (let from = 0; from < prompts.length; from += atOnce) {
        places += addPrompts(running, all, questionsOf(prompts.slice(from, from + atOnce)));
      }
      return places;
    },
    take: () => takeCounts(running),
  };
}

/** Counts the answers to some prompts, yielding where others can have their turn. */
export function* countFactsInParts(
  all: readonly CollectFacts[],
  prompts: readonly Prompt[],
  families: Uint8Array,
): Generator<undefined, Counts> {
  const counting = openCounting(all, families);
  let places = 0;
  for (let from = 0; from < prompts.length; from += counting.atOnce) {
    places += counting.add(prompts.slice(from, from + counting.atOnce));
    if (places < PLACES_AT_ONCE) continue;
    places = 0;
    yield;
  }
  return counting.take();
}

function addPrompts(running: RunningCounts, all: readonly CollectFacts[], asked: AskedPrompts): number {
  const { brands: sums, met, bits, isMet, shown } = running;
  let places = 0;
  for (const facts of all) {
    places += shown ? addShown(running, shown, facts, asked) : addAll(running, facts, asked);
    addCited(running, facts, asked.questions);
  }
  addAnswers(running.answers, all, asked);
  for (let from = 0; from < asked.count; from += BITS) {
    const first = (from / BITS) * isMet.length;
    for (let at = 0; at < running.count; at += 1) {
      const brand = met[at] ?? 0;
      sums[brand * WIDTH + KEYWORDS] = (sums[brand * WIDTH + KEYWORDS] ?? 0) + bitsIn(bits[first + brand] ?? 0);
      bits[first + brand] = 0;
    }
  }
  return places;
}

// The loops of every filtered request. Indices stay inside the columns, so `?? 0` never applies.

/** Adds the places of all brands. */
function addAll(running: RunningCounts, facts: CollectFacts, { questions, promptOf }: AskedPrompts): number {
  const { brands: sums, bits, isMet } = running;
  const { starts, brands, ranks, brandRanks, mentions } = facts;
  let places = 0;
  for (let asked = 0; asked < questions.length; asked += 1) {
    const [question, prompt] = [questions[asked] ?? 0, promptOf[asked] ?? 0];
    const [bit, first] = [1 << (prompt % BITS), Math.floor(prompt / BITS) * isMet.length];
    const from = starts[question] ?? 0;
    const end = starts[question + 1] ?? from;
    for (let at = from; at < end; at += 1) {
      const brand = brands[at] ?? 0;
      const rank = ranks[at] ?? 0;
      const to = brand * WIDTH;
      const known = sums[to + X] ?? 0;
      if (known === 0) meet(running, brand);
      sums[to + X] = known + 1;
      sums[to + MENTIONS] = (sums[to + MENTIONS] ?? 0) + (mentions[at] ?? 0);
      sums[to + RANKS] = (sums[to + RANKS] ?? 0) + rank;
      sums[to + BRAND_RANKS] = (sums[to + BRAND_RANKS] ?? 0) + (brandRanks[at] ?? 0);
      sums[to + WEIGHTS] = (sums[to + WEIGHTS] ?? 0) + weightOf(rank);
      sums[to + TOP_3] = (sums[to + TOP_3] ?? 0) + Number(rank <= 3);
      bits[first + brand] = (bits[first + brand] ?? 0) | bit;
    }
    places += end - from;
  }
  return places;
}

/** Adds the places of some brands, and the weights of all families. */
function addShown(
  running: RunningCounts,
  shown: Uint8Array,
  facts: CollectFacts,
  { questions, promptOf }: AskedPrompts,
): number {
  const { brands: sums, bits, isMet, families } = running;
  const { starts, brands, ranks, brandRanks, mentions } = facts;
  let [places, voice] = [0, 0];
  for (let asked = 0; asked < questions.length; asked += 1) {
    const [question, prompt] = [questions[asked] ?? 0, promptOf[asked] ?? 0];
    const from = starts[question] ?? 0;
    const end = starts[question + 1] ?? from;
    for (let at = from; at < end; at += 1) {
      const brand = brands[at] ?? 0;
      const rank = ranks[at] ?? 0;
      const weight = weightOf(rank);
      if (families[brand] === 1) voice += weight;
      if (shown[brand] !== 1) continue;
      const to = brand * WIDTH;
      meet(running, brand);
      sums[to + X] = (sums[to + X] ?? 0) + 1;
      sums[to + MENTIONS] = (sums[to + MENTIONS] ?? 0) + (mentions[at] ?? 0);
      sums[to + RANKS] = (sums[to + RANKS] ?? 0) + rank;
      sums[to + BRAND_RANKS] = (sums[to + BRAND_RANKS] ?? 0) + (brandRanks[at] ?? 0);
      sums[to + WEIGHTS] = (sums[to + WEIGHTS] ?? 0) + weight;
      sums[to + TOP_3] = (sums[to + TOP_3] ?? 0) + Number(rank <= 3);
      const number = Math.floor(prompt / BITS) * isMet.length + brand;
      bits[number] = (bits[number] ?? 0) | (1 << (prompt % BITS));
    }
    places += end - from;
  }
  running.voice += voice;
  return places;
}

function addCited(running: RunningCounts, { citedStarts, citedBrands }: CollectFacts, questions: Uint32Array): void {
  const { brands: sums, shown } = running;
  if (citedBrands.length === 0) return;
  for (const question of questions) {
    const end = citedStarts[question + 1] ?? 0;
    for (let at = citedStarts[question] ?? 0; at < end; at += 1) {
      const brand = citedBrands[at] ?? 0;
      if (shown && shown[brand] !== 1) continue;
      meet(running, brand);
      sums[brand * WIDTH + CITED] = (sums[brand * WIDTH + CITED] ?? 0) + 1;
    }
  }
}

function meet(running: RunningCounts, brand: number): void {
  if (running.isMet[brand] === 1) return;
  running.isMet[brand] = 1;
  running.met[running.count++] = brand;
}

/** How many bits of a number are set (Warren, "Hacker's Delight", 5-1). */
function bitsIn(number: number): number {
  const pairs = number - ((number >>> 1) & 0x55_55_55_55);
  const fours = (pairs & 0x33_33_33_33) + ((pairs >>> 2) & 0x33_33_33_33);
  return Math.imul((fours + (fours >>> 4)) & 0x0f_0f_0f_0f, 0x01_01_01_01) >>> 24;
}

function takeCounts(running: RunningCounts): Counts {
  const { brands: sums, met, isMet, count, answers, families, shown } = running;
  const brands = new Map<number, BrandCounts>();
  let { voice } = running;
  for (let at = 0; at < count; at += 1) {
    const brand = met[at] ?? 0;
    const from = brand * WIDTH;
    if (!shown && families[brand] === 1) voice += sums[from + WEIGHTS] ?? 0;
    brands.set(brand, countsAt(sums, from));
    sums.fill(0, from, from + WIDTH);
    isMet[brand] = 0;
  }
  running.answers = noAnswerCounts();
  running.count = 0;
  running.voice = 0;
  return { ...answers, voice, brands };
}

function countsAt(sums: Float64Array, from: number): BrandCounts {
  return {
    occurrences: sums[from + X] ?? 0,
    total_mentions: sums[from + MENTIONS] ?? 0,
    nb_keywords: sums[from + KEYWORDS] ?? 0,
    rank_sum: sums[from + RANKS] ?? 0,
    brand_rank_sum: sums[from + BRAND_RANKS] ?? 0,
    top_3: sums[from + TOP_3] ?? 0,
    weight_sum: sums[from + WEIGHTS] ?? 0,
    cited: sums[from + CITED] ?? 0,
  };
}
