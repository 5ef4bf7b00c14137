import { atOnce } from "../../shared/in-turns.ts";
import type { CollectFacts } from "./collect-facts.ts";
import {
  brandSumsFrom,
  noAnswerCounts,
  noBrandSums,
  noCommonSums,
  weightOf,
  type AnswerCounts,
  type BrandSums,
  type Sums,
} from "../metrics.ts";
import type { Prompt } from "../prompt-clusters.ts";
import { sumVoice, type Families } from "../share-of-voice.ts";

/** How many sums a brand has. */
const WIDTH = Object.keys(noBrandSums()).length;

/** What one prompt's answers add up to for one brand. */
const [X, MENTIONS, RANKS, BRAND_RANKS, TOP_3, WEIGHTS, CITED] = [0, 1, 2, 3, 4, 5, 6];
const PROMPT_WIDTH = 7;

/** Places after which others can have their turn: a few milliseconds of work. */
const PLACES_AT_ONCE = 200_000;

/**
 * Sums facts of several sources and collects of one analysis, prompt by prompt over all of them: it is one, in however many of them it was
 * asked.
 */
export function sumFacts(all: readonly CollectFacts[], prompts: readonly Prompt[], families: Families): Sums {
  return atOnce(sumFactsInParts(all, prompts, families));
}

/** The same, yielding where others can have their turn. */
export function* sumFactsInParts(
  all: readonly CollectFacts[],
  prompts: readonly Prompt[],
  families: Families,
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
export function openSumming(all: readonly CollectFacts[], families: Families, only?: ReadonlySet<number>): Summing {
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
    row: new Float64Array(WIDTH),
  };
  return {
    add: (prompt) => addPrompt(running, all, prompt),
    take: () => takeSums(running),
  };
}

interface RunningSums {
  families: Families;
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
  /** Contribution of the prompt to a brand's sums. */
  row: Float64Array;
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
  const { families, only, sums, brands, seen, isSeen, ofPrompt, touched, isTouched, count, row } = running;
  const voice = sumVoice(families, { brands: touched, count, values: ofPrompt, width: PROMPT_WIDTH, at: WEIGHTS });
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
    // In the order of brandSumsFrom. A call of a function for each would cost several times as much.
    row[0] = x;
    row[1] = ofPrompt[own + MENTIONS] ?? 0;
    row[2] = x > 0 ? 1 : 0;
    row[3] = x === answers ? 1 : 0;
    row[4] = top > 0 ? 1 : 0;
    row[5] = top === answers ? 1 : 0;
    row[6] = x === answers && ranks === x ? 1 : 0;
    row[7] = weights > 0 && Math.abs(voice - weights) < 1e-9 ? 1 : 0;
    row[8] = ranks;
    row[9] = ofPrompt[own + BRAND_RANKS] ?? 0;
    row[10] = top;
    row[11] = weights;
    row[12] = cited;
    row[13] = x * x;
    row[14] = x * answers;
    row[15] = top * top;
    row[16] = top * answers;
    row[17] = weights * weights;
    row[18] = weights * answers;
    row[19] = weights * voice;
    row[20] = ranks * ranks;
    row[21] = ranks * x;
    row[22] = cited > 0 ? 1 : 0;
    row[23] = cited === answers ? 1 : 0;
    row[24] = cited * cited;
    row[25] = cited * answers;
    const to = brand * WIDTH;
    for (let column = 0; column < WIDTH; column += 1)
      brands[to + column] = (brands[to + column] ?? 0) + (row[column] ?? 0);
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
