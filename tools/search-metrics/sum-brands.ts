import { setImmediate as nextTurn } from "node:timers/promises";
import {
  listCollectedSources,
  listFacts,
  listKeywordPositions,
  listStoredSums,
  type KeywordFilter,
} from "../../db/measuring/search-metrics.ts";
import type { Db } from "../../db/engine/store.ts";
import { openFacts, type CollectFacts } from "../../core/measuring/collect-facts.ts";
import type { Sums } from "../../core/measuring/metrics.ts";
import { addSums, noSums, openCommon, openSums } from "../../core/measuring/packed-sums.ts";
import {
  ALL_SOURCES,
  KEYWORD_TYPES,
  presenceIn,
  summedTogether,
  type KeywordClass,
  type Presence,
  type Source,
} from "../../core/sources.ts";
import { sumFactsInParts, type KeywordMask } from "../../core/measuring/sum-facts.ts";
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

/** Sums over one group of collects, and which answers they count. */
export interface CountedSums extends Sums {
  isSimulated: boolean;
  counted: CountedAnswers[];
  /** Answers of the selection that are not counted: simulated ones, or where those are counted, others. */
  leftOut: number;
}

/**
 * Sums of every brand over a group of collects: from stored sums where the selection is one collect with one or
 * all of its sources, in one pass over packed facts otherwise.
 */
export async function sumBrands(
  db: Db,
  selection: BrandSelection,
  collectIds: readonly string[],
): Promise<CountedSums> {
  return (await sumStored(db, selection, collectIds)) ?? (await sumPacked(db, selection, collectIds));
}

/** Facts of one collect and source that a selection counts. */
export interface CountedFacts {
  collectId: string;
  source: Source;
  isSimulated: boolean;
  facts: CollectFacts;
  answers: number;
}

/** The facts of a selection, with what of them is not counted. */
export async function readFacts(db: Db, selection: BrandSelection, collectIds: readonly string[]) {
  const all: CountedFacts[] = [];
  let mask: KeywordMask | undefined;
  for (const collectId of collectIds) {
    const asked = (await listCollectedSources(db, collectId)).map(({ source }) => source);
    const rows = await listFacts(db, collectId, selection.sources ?? [...new Set(asked)]);
    for (const { source, isSimulated, facts: packed } of rows) {
      const facts = openFacts(packed);
      if (mask === undefined) mask = await keywordMask(db, selection, facts);
      all.push({ collectId, source, isSimulated, facts, answers: countMasked(facts.answers, mask) });
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
  return { counted, leftOut, isSimulated: kind, mask: mask ?? null };
}

/** In parts, with turns for others in between. */
async function sumPacked(db: Db, selection: BrandSelection, collectIds: readonly string[]): Promise<CountedSums> {
  const { counted, leftOut, isSimulated, mask } = await readFacts(db, selection, collectIds);
  const summing = sumFactsInParts(
    counted.map(({ facts }) => facts),
    mask,
    selection.families,
  );
  for (;;) {
    const part = summing.next();
    if (part.done) return { ...part.value, counted, leftOut, isSimulated };
    await nextTurn();
  }
}

/** Undefined if there are no stored sums of the selection. */
async function sumStored(
  db: Db,
  { filter, sources, presence, isHeadline, isSimulated }: BrandSelection,
  collectIds: readonly string[],
): Promise<CountedSums | undefined> {
  const [collectId] = collectIds;
  if (collectId === undefined) return { ...noSums(), counted: [], leftOut: 0, isSimulated: isSimulated ?? false };
  const [source, ...more] = sources ?? [ALL_SOURCES];
  if (collectIds.length > 1 || more.length > 0 || source === undefined || narrowsBeyondType(filter)) return undefined;
  const asked = await listCollectedSources(db, collectId);
  const kinds = new Set(asked.map((row) => row.isSimulated));
  // Which of the two are counted depends on how many there are, and the others are counted as left out.
  if (kinds.size > 1) return undefined;
  const kind = isSimulated ?? !kinds.has(false);
  const classes = classesOf(filter, isHeadline);
  const read = (one: typeof source) => listStoredSums(db, { collectId, source: one, isSimulated: kind, classes });
  const summed = source === ALL_SOURCES ? summedTogether(ofKind(asked, kind)) : [source];
  // What is stored of all is by name where anything is.
  if (presence !== undefined && summed.some((one) => presenceIn(one) !== presence)) return undefined;
  const counted: CountedAnswers[] = [];
  for (const one of summed) {
    const answers = (await read(one)).reduce((sum, packed) => sum + openCommon(packed).total, 0);
    counted.push({ collectId, source: one, answers });
  }
  const sums = addSums((await read(source)).map((packed) => openSums(packed)));
  return { ...sums, counted, leftOut: 0, isSimulated: kind };
}

function ofKind(asked: readonly { source: Source; isSimulated: boolean }[], kind: boolean): Source[] {
  return asked.filter(({ isSimulated }) => isSimulated === kind).map(({ source }) => source);
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
