import type { CollectFacts } from "./collect-facts.ts";
import { noAnswerCounts, type AnswerCounts, type BrandCounts, type Counts } from "./metrics.ts";
import { eachInParts, mostKeywords, weightOf, type KeywordMask } from "./sum-facts.ts";

/** What is counted of one brand, side by side in one line of the processor's memory, and the keyword that was counted last. */
const [X, MENTIONS, KEYWORDS, RANKS, BRAND_RANKS, TOP_3, WEIGHTS, LAST] = [0, 1, 2, 3, 4, 5, 6, 7];
const WIDTH = 8;

/** Counts that are added to keyword by keyword, and taken as often as there are groups of keywords. */
export interface Counting {
  /** Adds the answers to one keyword. Gives how many places they hold. */
  add: (keyword: number) => number;
  /** The counts since the last taking; of the brands in `only` where it is given. */
  take: (only?: ReadonlySet<number>) => Counts;
}

interface RunningCounts {
  answers: AnswerCounts;
  brands: Float64Array;
  cited: Float64Array;
  /** Brands that were met since the last taking, and how many they are. */
  met: Uint32Array;
  count: number;
  /** The keyword that is added: 1 for the first one. */
  keyword: number;
}

/** In LAST, of a brand that is cited and was not yet counted in any keyword. */
const CITED_ALONE = -1;

/**
 * Counts facts of several sources and collects of one analysis, keyword by keyword over all of them: what figures need, and nothing that
 * only intervals do (`openSumming`). `families` has 1 at the number of each brand that share of voice is a share of.
 */
export function openCounting(all: readonly CollectFacts[], families: Uint8Array): Counting {
  const width = 1 + all.reduce((most, { lastBrand }) => Math.max(most, lastBrand), 0);
  const running: RunningCounts = {
    answers: noAnswerCounts(),
    brands: new Float64Array(width * WIDTH),
    cited: new Float64Array(width),
    met: new Uint32Array(width),
    count: 0,
    keyword: 0,
  };
  return {
    add: (keyword) => addKeyword(running, all, keyword),
    take: (only) => takeCounts(running, families, only),
  };
}

/** Counts the keywords that count, yielding where others can have their turn. */
export function* countFactsInParts(
  all: readonly CollectFacts[],
  mask: KeywordMask,
  families: Uint8Array,
): Generator<undefined, Counts> {
  const counting = openCounting(all, families);
  yield* eachInParts(all, mask, counting);
  return counting.take();
}

/** Counts the answers alone. */
export function countAnswers(all: readonly CollectFacts[], mask: KeywordMask): AnswerCounts {
  const counts = noAnswerCounts();
  const keywords = mostKeywords(all);
  for (let keyword = 0; keyword < keywords; keyword += 1) {
    if (!mask || mask[keyword] === 1) addAnswers(counts, all, keyword);
  }
  return counts;
}

function addAnswers(counts: AnswerCounts, all: readonly CollectFacts[], keyword: number): void {
  let answers = 0;
  for (const facts of all) {
    const own = facts.answers[keyword] ?? 0;
    counts.not_shown += facts.notShown[keyword] ?? 0;
    if (own === 0) continue;
    answers += own;
    counts.runs_least = counts.runs_least === 0 ? own : Math.min(counts.runs_least, own);
    counts.runs_most = Math.max(counts.runs_most, own);
    counts.informative += facts.informative[keyword] ?? 0;
  }
  counts.total += answers;
  if (answers > 0) counts.keywords += 1;
}

function addKeyword(running: RunningCounts, all: readonly CollectFacts[], keyword: number): number {
  addAnswers(running.answers, all, keyword);
  running.keyword += 1;
  let places = 0;
  for (const facts of all) {
    const [from, end] = [facts.starts[keyword] ?? 0, facts.starts[keyword + 1] ?? 0];
    if (end > from) addPlaces(running, facts, from, end);
    addCited(running, facts, keyword);
    places += end - from;
  }
  return places;
}

// The loop of every filtered request. Indices stay inside the columns, so `?? 0` never applies.
function addPlaces(running: RunningCounts, facts: CollectFacts, from: number, end: number): void {
  const { brands: sums, keyword, met } = running;
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
    const last = sums[to + LAST] ?? 0;
    if (last === keyword) continue;
    if (last === 0) met[running.count++] = brand;
    sums[to + LAST] = keyword;
    sums[to + KEYWORDS] = (sums[to + KEYWORDS] ?? 0) + 1;
  }
}

function addCited(running: RunningCounts, { citedStarts, citedBrands }: CollectFacts, keyword: number): void {
  const { brands: sums, cited, met } = running;
  const end = citedStarts[keyword + 1] ?? 0;
  for (let at = citedStarts[keyword] ?? 0; at < end; at += 1) {
    const brand = citedBrands[at] ?? 0;
    cited[brand] = (cited[brand] ?? 0) + 1;
    if (sums[brand * WIDTH + LAST] !== 0) continue;
    met[running.count++] = brand;
    sums[brand * WIDTH + LAST] = CITED_ALONE;
  }
}

function takeCounts(running: RunningCounts, families: Uint8Array, only?: ReadonlySet<number>): Counts {
  const { brands: sums, cited, met, count, answers } = running;
  const brands = new Map<number, BrandCounts>();
  let voice = 0;
  for (let at = 0; at < count; at += 1) {
    const brand = met[at] ?? 0;
    const from = brand * WIDTH;
    if (families[brand] === 1) voice += sums[from + WEIGHTS] ?? 0;
    if (only?.has(brand) ?? true) brands.set(brand, countsAt(sums, from, cited[brand] ?? 0));
    sums.fill(0, from, from + WIDTH);
    cited[brand] = 0;
  }
  running.answers = noAnswerCounts();
  running.count = 0;
  return { ...answers, voice, brands };
}

function countsAt(sums: Float64Array, from: number, cited: number): BrandCounts {
  return {
    occurrences: sums[from + X] ?? 0,
    total_mentions: sums[from + MENTIONS] ?? 0,
    nb_keywords: sums[from + KEYWORDS] ?? 0,
    rank_sum: sums[from + RANKS] ?? 0,
    brand_rank_sum: sums[from + BRAND_RANKS] ?? 0,
    top_3: sums[from + TOP_3] ?? 0,
    weight_sum: sums[from + WEIGHTS] ?? 0,
    cited,
  };
}
