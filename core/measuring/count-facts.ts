import type { CollectFacts } from "./collect-facts.ts";
import { noAnswerCounts, type AnswerCounts, type BrandCounts, type Counts } from "./metrics.ts";
import type { Prompt } from "./prompt-clusters.ts";
import { PLACES_AT_ONCE, weightOf } from "./sum-facts.ts";

/** What is counted of one brand, side by side in one line of the processor's memory. */
const [X, MENTIONS, KEYWORDS, RANKS, BRAND_RANKS, TOP_3, WEIGHTS, CITED] = [0, 1, 2, 3, 4, 5, 6, 7];
const WIDTH = 8;

/** A brand's prompts among them are the bits of a number. */
const PROMPTS_AT_ONCE = 32;

/** Counts that are added to, and taken as often as there are groups of prompts. */
export interface Counting {
  /** Adds the answers to some prompts. Gives how many places they hold. */
  add: (prompts: readonly Prompt[]) => number;
  /** The counts since the last taking; of the brands in `only` where it is given. */
  take: (only?: ReadonlySet<number>) => Counts;
}

interface RunningCounts {
  answers: AnswerCounts;
  /** By brand, WIDTH each. */
  brands: Float64Array;
  /** Brands that were met since the last taking, and how many they are. */
  met: Uint32Array;
  isMet: Uint8Array;
  count: number;
  /** Of the prompts that are added at once, those that each brand has. */
  bits: Int32Array;
}

/**
 * Counts facts of several sources and collects of one analysis: what figures need, and nothing that only intervals do (`openSumming`).
 * Some prompts are added at once, and of them one source after the other, so that memory is read in its order.
 * `families` has 1 at the number of each brand that share of voice is a share of.
 */
export function openCounting(all: readonly CollectFacts[], families: Uint8Array): Counting {
  const width = 1 + all.reduce((most, { lastBrand }) => Math.max(most, lastBrand), 0);
  const running: RunningCounts = {
    answers: noAnswerCounts(),
    brands: new Float64Array(width * WIDTH),
    met: new Uint32Array(width),
    isMet: new Uint8Array(width),
    count: 0,
    bits: new Int32Array(width),
  };
  return {
    add(prompts) {
      let places = 0;
      for (let from = 0; from < prompts.length; from += PROMPTS_AT_ONCE) {
        places += addPrompts(running, all, prompts.slice(from, from + PROMPTS_AT_ONCE));
      }
      return places;
    },
    take: (only) => takeCounts(running, families, only),
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
  for (let from = 0; from < prompts.length; from += PROMPTS_AT_ONCE) {
    places += counting.add(prompts.slice(from, from + PROMPTS_AT_ONCE));
    if (places < PLACES_AT_ONCE) continue;
    places = 0;
    yield;
  }
  return counting.take();
}

/** Counts the answers alone. */
export function countAnswers(all: readonly CollectFacts[], prompts: readonly Prompt[]): AnswerCounts {
  const counts = noAnswerCounts();
  for (const prompt of prompts) addAnswers(counts, all, prompt);
  return counts;
}

function addAnswers(counts: AnswerCounts, all: readonly CollectFacts[], prompt: Prompt): void {
  let answers = 0;
  for (const facts of all) {
    for (const question of prompt) {
      const own = facts.answers[question] ?? 0;
      counts.not_shown += facts.notShown[question] ?? 0;
      if (own === 0) continue;
      answers += own;
      counts.runs_least = counts.runs_least === 0 ? own : Math.min(counts.runs_least, own);
      counts.runs_most = Math.max(counts.runs_most, own);
      counts.informative += facts.informative[question] ?? 0;
    }
  }
  counts.total += answers;
  if (answers > 0) counts.keywords += 1;
}

/** Adds as many prompts as there are bits. */
function addPrompts(running: RunningCounts, all: readonly CollectFacts[], prompts: readonly Prompt[]): number {
  const { brands: sums, met, bits } = running;
  let places = 0;
  for (const facts of all) {
    for (const [at, prompt] of prompts.entries()) {
      for (const question of prompt) {
        const [from, end] = [facts.starts[question] ?? 0, facts.starts[question + 1] ?? 0];
        if (end > from) addPlaces(running, facts, { from, end, bit: 1 << at });
        addCited(running, facts, question);
        places += end - from;
      }
    }
  }
  for (const prompt of prompts) addAnswers(running.answers, all, prompt);
  for (let at = 0; at < running.count; at += 1) {
    const brand = met[at] ?? 0;
    sums[brand * WIDTH + KEYWORDS] = (sums[brand * WIDTH + KEYWORDS] ?? 0) + bitsIn(bits[brand] ?? 0);
    bits[brand] = 0;
  }
  return places;
}

// The loop of every filtered request. Indices stay inside the columns, so `?? 0` never applies.
function addPlaces(
  running: RunningCounts,
  facts: CollectFacts,
  { from, end, bit }: { from: number; end: number; bit: number },
): void {
  const { brands: sums, bits } = running;
  const { brands, ranks, brandRanks, mentions } = facts;
  for (let at = from; at < end; at += 1) {
    const brand = brands[at] ?? 0;
    const to = brand * WIDTH;
    const rank = ranks[at] ?? 0;
    sums[to + X] = (sums[to + X] ?? 0) + 1;
    sums[to + MENTIONS] = (sums[to + MENTIONS] ?? 0) + (mentions[at] ?? 0);
    sums[to + RANKS] = (sums[to + RANKS] ?? 0) + rank;
    sums[to + BRAND_RANKS] = (sums[to + BRAND_RANKS] ?? 0) + (brandRanks[at] ?? 0);
    sums[to + WEIGHTS] = (sums[to + WEIGHTS] ?? 0) + weightOf(rank);
    if (rank <= 3) sums[to + TOP_3] = (sums[to + TOP_3] ?? 0) + 1;
    const known = bits[brand] ?? 0;
    if (known === 0) meet(running, brand);
    bits[brand] = known | bit;
  }
}

function addCited(running: RunningCounts, { citedStarts, citedBrands }: CollectFacts, question: number): void {
  const { brands: sums } = running;
  const end = citedStarts[question + 1] ?? 0;
  for (let at = citedStarts[question] ?? 0; at < end; at += 1) {
    const brand = citedBrands[at] ?? 0;
    meet(running, brand);
    sums[brand * WIDTH + CITED] = (sums[brand * WIDTH + CITED] ?? 0) + 1;
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

function takeCounts(running: RunningCounts, families: Uint8Array, only?: ReadonlySet<number>): Counts {
  const { brands: sums, met, isMet, count, answers } = running;
  const brands = new Map<number, BrandCounts>();
  let voice = 0;
  for (let at = 0; at < count; at += 1) {
    const brand = met[at] ?? 0;
    const from = brand * WIDTH;
    if (families[brand] === 1) voice += sums[from + WEIGHTS] ?? 0;
    if (only?.has(brand) ?? true) brands.set(brand, countsAt(sums, from));
    sums.fill(0, from, from + WIDTH);
    isMet[brand] = 0;
  }
  running.answers = noAnswerCounts();
  running.count = 0;
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
