import { setImmediate as nextTurn } from "node:timers/promises";
import {
  listFacts,
  listKeywordPositions,
  listStoredSums,
  listSumKeys,
  type KeywordFilter,
} from "../../db/measuring/search-metrics.ts";
import type { Db } from "../../db/engine/store.ts";
import type { CollectFacts } from "../../core/measuring/collect-facts.ts";
import { countAnswers, countFactsInParts } from "../../core/measuring/count-facts.ts";
import type { AnswerCounts, Counts, Sums } from "../../core/measuring/metrics.ts";
import { addSums, openCounts, openSums } from "../../core/measuring/packed-sums.ts";
import {
  ALL_SOURCES,
  KEYWORD_TYPES,
  presenceIn,
  summedTogether,
  type KeywordClass,
  type Presence,
  type Source,
  type SummedSource,
} from "../../core/sources.ts";
import { positionsIn, promptsIn, type KeywordMask, type Prompt } from "../../core/measuring/prompt-clusters.ts";
import { sumFactsInParts } from "../../core/measuring/sum-facts.ts";
import { readClusters } from "../../db/measuring/prompt-clusters.ts";
import type { CountedAnswers } from "./basis.ts";

/** Answers that are counted, whatever their collect. */
export interface BrandSelection {
  projectId: string;
  filter: KeywordFilter;
  /** Null for those that are summed where none is named. */
  sources: readonly Source[] | null;
  /** Where no source is named: what is to be compared with a selection by name, or by domain. */
  presence?: Presence | undefined;
  /** Without keywords that name the own brand. */
  isHeadline: boolean;
  /** Undefined counts simulated answers only where there are no others. */
  isSimulated: boolean | undefined;
  /** 1 at the number of each brand that share of voice is a share of. */
  families: Uint8Array;
}

/** Which answers of a selection are counted. */
interface CountedParts {
  isSimulated: boolean;
  counted: CountedAnswers[];
  /** Answers of the selection that are not counted: simulated ones, or where those are counted, others. */
  leftOut: number;
}

/** Counts of answers over one group of collects. */
export type CountedAlone = AnswerCounts & CountedParts;
/** Counts over one group of collects. */
export type CountedBrands = Counts & CountedParts;
/** Sums over one group of collects, which intervals take. */
export type CountedSums = Sums & CountedParts;

/**
 * Sums of every brand over a group of collects: from stored sums where the selection is one collect with one or
 * all of its sources, in one pass over packed facts otherwise.
 */
export async function sumBrands(
  db: Db,
  selection: BrandSelection,
  collectIds: readonly string[],
): Promise<CountedSums> {
  const stored = await listStored(db, selection, collectIds);
  if (!stored) return passFacts(db, selection, collectIds, sumFactsInParts);
  return { ...addSums(stored.packed.map(openSums)), ...stored.parts };
}

/** The same without what only intervals take, which costs a pass several times as much. */
export async function countBrands(
  db: Db,
  selection: BrandSelection,
  collectIds: readonly string[],
): Promise<CountedBrands> {
  const stored = await listStored(db, selection, collectIds);
  if (!stored) return passFacts(db, selection, collectIds, countFactsInParts);
  return { ...addSums(stored.packed.map(openCounts)), ...stored.parts };
}

/** Counts the answers of a selection, and no brands. */
export async function countSelected(
  db: Db,
  selection: BrandSelection,
  collectIds: readonly string[],
): Promise<CountedAlone> {
  const { counted, leftOut, isSimulated, prompts } = await readFacts(db, selection, collectIds);
  const facts = counted.map((one) => one.facts);
  return { ...countAnswers(facts, prompts), counted, leftOut, isSimulated };
}

/** Facts of one collect and source that a selection counts. */
export interface CountedFacts {
  collectId: string;
  source: Source;
  isSimulated: boolean;
  /** Tells the facts from all others. */
  digest: string;
  facts: CollectFacts;
  answers: number;
}

/** The facts of a selection, with the prompts that it counts and how many answers of them it does not. */
export async function readFacts(db: Db, selection: BrandSelection, collectIds: readonly string[]) {
  const all: CountedFacts[] = [];
  let mask: KeywordMask | undefined;
  for (const collectId of collectIds) {
    for (const one of await listFacts(db, collectId, selection.sources)) {
      if (mask === undefined) mask = await keywordMask(db, selection, one.facts);
      all.push({ collectId, ...one, answers: countMasked(one.facts.answers, mask) });
    }
    await nextTurn();
  }
  const kind = selection.isSimulated ?? !all.some(({ isSimulated, answers }) => !isSimulated && answers > 0);
  const selected = (isOfKind: boolean) => {
    const alike = all.filter(({ isSimulated }) => (isSimulated === kind) === isOfKind);
    const answering = alike.filter(({ answers }) => answers > 0).map(({ source }) => source);
    const together = new Set(selection.sources ?? summedTogether(answering, selection.presence));
    return alike.filter(({ source }) => together.has(source));
  };
  const counted = selected(true);
  const leftOut = selected(false).reduce((sum, { answers }) => sum + answers, 0);
  const facts = counted.map((one) => one.facts);
  const clusters = await readClusters(db, selection.projectId);
  const prompts = promptsIn(positionsIn(facts, mask ?? null), clusters);
  return { counted, leftOut, isSimulated: kind, mask: mask ?? null, clusters, prompts };
}

/** In parts, with turns for others in between. */
async function passFacts<Passed extends Counts>(
  db: Db,
  selection: BrandSelection,
  collectIds: readonly string[],
  begin: (
    all: readonly CollectFacts[],
    prompts: readonly Prompt[],
    families: Uint8Array,
  ) => Generator<undefined, Passed>,
): Promise<Passed & CountedParts> {
  const { counted, leftOut, isSimulated, prompts } = await readFacts(db, selection, collectIds);
  const facts = counted.map((one) => one.facts);
  const passing = begin(facts, prompts, selection.families);
  for (;;) {
    const part = passing.next();
    if (part.done) return { ...part.value, counted, leftOut, isSimulated };
    await nextTurn();
  }
}

/** Stored sums of the selection, by class of keyword; undefined if there are none. */
async function listStored(
  db: Db,
  { filter, sources, presence, isHeadline, isSimulated }: BrandSelection,
  collectIds: readonly string[],
): Promise<{ packed: Buffer[]; parts: CountedParts } | undefined> {
  const [collectId] = collectIds;
  if (collectId === undefined) {
    return { packed: [], parts: { counted: [], leftOut: 0, isSimulated: isSimulated ?? false } };
  }
  const [source, ...more] = sources ?? [ALL_SOURCES];
  if (collectIds.length > 1 || more.length > 0 || source === undefined || narrowsBeyondType(filter)) return undefined;
  const stored = await readSumKeys(db, collectId);
  // Which of the two are counted depends on how many there are, and the others are counted as left out.
  if (stored.kinds.size > 1) return undefined;
  const kind = isSimulated ?? !stored.kinds.has(false);
  const classes = classesOf(filter, isHeadline);
  const summed = source === ALL_SOURCES ? summedTogether(stored.sourcesOf(kind)) : [source];
  // What is stored of all is by name where anything is.
  if (presence !== undefined && summed.some((one) => presenceIn(one) !== presence)) return undefined;
  const counted = summed.map((one) => ({ collectId, source: one, answers: stored.answersOf(one, kind, classes) }));
  const packed = await listStoredSums(db, { collectId, source, isSimulated: kind, classes });
  return { packed, parts: { counted, leftOut: 0, isSimulated: kind } };
}

/** Of what a collect has stored sums. */
export async function readSumKeys(db: Db, collectId: string) {
  const keys = await listSumKeys(db, collectId);
  const answers = new Map(keys.map((key) => [`${key.source} ${key.isSimulated} ${key.keywordClass}`, key.answers]));
  return {
    kinds: new Set(keys.map((key) => key.isSimulated)),
    sourcesOf(kind: boolean): Source[] {
      const own = new Set(keys.filter((key) => key.isSimulated === kind).map(({ source }) => source));
      return [...own].filter((source) => source !== ALL_SOURCES);
    },
    answersOf: (source: SummedSource, kind: boolean, classes: readonly KeywordClass[]) =>
      classes.reduce((sum, keywordClass) => sum + (answers.get(`${source} ${kind} ${keywordClass}`) ?? 0), 0),
  };
}

export function classesOf({ types }: KeywordFilter, isHeadline: boolean): KeywordClass[] {
  const named: KeywordClass[] = types.includes("Generic") && !isHeadline ? ["GenericNamingOwn"] : [];
  return [...types, ...named];
}

/** True for a filter that the stored sums do not know: they are by collect, source and class of keyword. */
export function narrowsBeyondType({ types: _types, perception, ...lists }: KeywordFilter): boolean {
  return perception !== null || Object.values(lists).some((list) => list.length > 0);
}

function countMasked(answers: CollectFacts["answers"], mask: KeywordMask): number {
  let sum = 0;
  for (let keyword = 0; keyword < answers.length; keyword += 1) {
    if (!mask || mask[keyword] === 1) sum += answers[keyword] ?? 0;
  }
  return sum;
}

async function keywordMask(
  db: Db,
  { projectId, filter, isHeadline }: BrandSelection,
  { namesOwn }: CollectFacts,
): Promise<KeywordMask> {
  if (filter.types.length === KEYWORD_TYPES.length && !isHeadline && !narrowsBeyondType(filter)) return null;
  const positions = await listKeywordPositions(db, projectId, filter);
  const mask = new Uint8Array((positions.at(-1) ?? -1) + 1);
  for (const position of positions) mask[position] = isHeadline && namesOwn[position] === 1 ? 0 : 1;
  return mask;
}
