import { runWithoutPauses } from "../../shared/run-generator.ts";
import type { CollectFacts } from "./collect-facts.ts";
import {
  buildBrandSums,
  createAnswerCounts,
  createBrandSums,
  createCommonSums,
  lookUpRankWeight,
  type AnswerCounts,
  type BrandSums,
  type Sums,
} from "../metrics.ts";
import type { PromptPositions } from "../prompt-clusters.ts";
import { sumTrackedWeight, type Families } from "../share-of-voice.ts";

const SUMS_PER_BRAND = Object.keys(createBrandSums()).length;

const [X, MENTIONS, RANKS, BRAND_RANKS, TOP_3, WEIGHTS, CITED] = [0, 1, 2, 3, 4, 5, 6];
const SUMS_PER_PROMPT = 7;

/** A few milliseconds of work between yields. */
const ROWS_PER_STEP = 200_000;

/** Takes facts of one analysis; a prompt is one cluster across all sources and collects. */
export function sumFacts(all: readonly CollectFacts[], prompts: readonly PromptPositions[], families: Families): Sums {
  return runWithoutPauses(sumFactsInSteps(all, prompts, families));
}

/** Like sumFacts, but yields so that others can run. */
export function* sumFactsInSteps(
  all: readonly CollectFacts[],
  prompts: readonly PromptPositions[],
  families: Families,
): Generator<undefined, Sums> {
  const summing = createFactSummer(all, families);
  let places = 0;
  for (const prompt of prompts) {
    places += summing.add(prompt);
    if (places < ROWS_PER_STEP) continue;
    places = 0;
    yield;
  }
  return summing.takeTotals();
}

/** `takeTotals` returns and resets the sums, once per group of prompts. */
export interface FactSummer {
  /** Returns the number of rows read. */
  add: (prompt: PromptPositions) => number;
  takeTotals: () => Sums;
}

/** Brands outside `onlyBrands` still count for share of voice. */
export function createFactSummer(
  all: readonly CollectFacts[],
  families: Families,
  onlyBrands?: ReadonlySet<number>,
): FactSummer {
  const width = 1 + all.reduce((most, { lastBrand }) => Math.max(most, lastBrand), 0);
  const running: RunningSums = {
    families,
    onlyBrands,
    sums: createCommonSums(),
    brands: new Float64Array(width * SUMS_PER_BRAND),
    brandsInPrompt: [],
    isInPrompt: new Uint8Array(width),
    ofPrompt: new Float64Array(width * SUMS_PER_PROMPT),
    touched: new Uint32Array(width),
    isTouched: new Uint8Array(width),
    count: 0,
    row: new Float64Array(SUMS_PER_BRAND),
  };
  return {
    add: (prompt) => addPrompt(running, all, prompt),
    takeTotals: () => takeSums(running),
  };
}

interface RunningSums {
  families: Families;
  onlyBrands: ReadonlySet<number> | undefined;
  sums: Omit<Sums, "brands">;
  /** By brand, SUMS_PER_BRAND each. */
  brands: Float64Array;
  brandsInPrompt: number[];
  isInPrompt: Uint8Array;
  /** By brand in the current prompt, SUMS_PER_PROMPT each. */
  ofPrompt: Float64Array;
  touched: Uint32Array;
  isTouched: Uint8Array;
  count: number;
  row: Float64Array;
}

function addPrompt(running: RunningSums, all: readonly CollectFacts[], prompt: PromptPositions): number {
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

// Inner loop of filtered requests. Indexes stay within the columns, so `?? 0` never applies.
// Returns the number of rows.
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
  const [from, end] = [facts.rowStarts[question] ?? 0, facts.rowStarts[question + 1] ?? 0];
  for (let at = from; at < end; at += 1) {
    const brand = brands[at] ?? 0;
    if (isTouched[brand] === 0) {
      isTouched[brand] = 1;
      touched[count++] = brand;
    }
    const to = brand * SUMS_PER_PROMPT;
    const rank = ranks[at] ?? 0;
    ofPrompt[to + X] = (ofPrompt[to + X] ?? 0) + 1;
    ofPrompt[to + MENTIONS] = (ofPrompt[to + MENTIONS] ?? 0) + (mentions[at] ?? 0);
    ofPrompt[to + RANKS] = (ofPrompt[to + RANKS] ?? 0) + rank;
    ofPrompt[to + BRAND_RANKS] = (ofPrompt[to + BRAND_RANKS] ?? 0) + (brandRanks[at] ?? 0);
    if (rank <= 3) ofPrompt[to + TOP_3] = (ofPrompt[to + TOP_3] ?? 0) + 1;
    ofPrompt[to + WEIGHTS] = (ofPrompt[to + WEIGHTS] ?? 0) + lookUpRankWeight(rank);
  }
  const citedEnd = facts.citedStarts[question + 1] ?? 0;
  for (let at = facts.citedStarts[question] ?? 0; at < citedEnd; at += 1) {
    const brand = citedBrands[at] ?? 0;
    if (isTouched[brand] === 0) {
      isTouched[brand] = 1;
      touched[count++] = brand;
    }
    ofPrompt[brand * SUMS_PER_PROMPT + CITED] = (ofPrompt[brand * SUMS_PER_PROMPT + CITED] ?? 0) + 1;
  }
  running.count = count;
  return end - from;
}

function addBrands(running: RunningSums, answers: number): void {
  const { families, onlyBrands, sums, brands, brandsInPrompt, isInPrompt, ofPrompt, touched, isTouched, count, row } =
    running;
  const voice = sumTrackedWeight(families, {
    brands: touched,
    count,
    values: ofPrompt,
    width: SUMS_PER_PROMPT,
    at: WEIGHTS,
  });
  sums.voice += voice;
  sums.vv += voice * voice;
  for (let at = 0; at < count; at += 1) {
    const brand = touched[at] ?? 0;
    isTouched[brand] = 0;
    const own = brand * SUMS_PER_PROMPT;
    if (onlyBrands !== undefined && !onlyBrands.has(brand)) {
      clearPromptSums(ofPrompt, own);
      continue;
    }
    if (isInPrompt[brand] === 0) {
      isInPrompt[brand] = 1;
      brandsInPrompt.push(brand);
    }
    const x = ofPrompt[own + X] ?? 0;
    const top = ofPrompt[own + TOP_3] ?? 0;
    const weights = ofPrompt[own + WEIGHTS] ?? 0;
    const ranks = ofPrompt[own + RANKS] ?? 0;
    const cited = ofPrompt[own + CITED] ?? 0;
    // Same order as in buildBrandSums; inlined for speed.
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
    const to = brand * SUMS_PER_BRAND;
    for (let column = 0; column < SUMS_PER_BRAND; column += 1)
      brands[to + column] = (brands[to + column] ?? 0) + (row[column] ?? 0);
    clearPromptSums(ofPrompt, own);
  }
  running.count = 0;
}

/** A loop is faster than `fill` for so few values. */
function clearPromptSums(ofPrompt: Float64Array, own: number): void {
  for (let at = own; at < own + SUMS_PER_PROMPT; at += 1) ofPrompt[at] = 0;
}

function takeSums(running: RunningSums): Sums {
  const { brands, brandsInPrompt, isInPrompt } = running;
  const each = new Map<number, BrandSums>();
  for (const brand of brandsInPrompt) {
    const from = brand * SUMS_PER_BRAND;
    each.set(
      brand,
      buildBrandSums((at) => brands[from + at] ?? 0),
    );
    brands.fill(0, from, from + SUMS_PER_BRAND);
    isInPrompt[brand] = 0;
  }
  const sums = { ...running.sums, brands: each };
  running.sums = createCommonSums();
  running.brandsInPrompt = [];
  return sums;
}

export function countAnswers(all: readonly CollectFacts[], prompts: readonly PromptPositions[]): AnswerCounts {
  const counts = createAnswerCounts();
  for (const prompt of prompts) addAnswers(counts, all, prompt);
  return counts;
}

function addAnswers(counts: AnswerCounts, all: readonly CollectFacts[], prompt: PromptPositions): void {
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
