import { runWithPauses } from "../../../core/shared/run-generator.ts";
import { selectSources } from "./selection.ts";
import type { Families } from "../../../core/metrics/share-of-voice.ts";
import { setImmediate as nextTurn } from "node:timers/promises";
import {
  listFacts,
  listKeywordPositions,
  listStoredSums,
  listSumKeys,
  type KeywordFilter,
} from "../../../db/metrics/search-metrics.ts";
import type { Db } from "../../../db/engine/store.ts";
import type { CollectFacts } from "../../../core/metrics/facts/collect-facts.ts";
import { countAnswers, sumFactsInSteps } from "../../../core/metrics/facts/sum-facts.ts";
import type { AnswerCounts, Sums } from "../../../core/metrics/metrics.ts";
import { addSums, unpackSums } from "../../../core/metrics/packed-sums.ts";
import {
  ALL_SOURCES,
  COLLECTED,
  KEYWORD_TYPES,
  getPresenceBasis,
  selectSummedSources,
  type CollectionMethod,
  type KeywordClass,
  type PresenceBasis,
  type Source,
  type SummedMethod,
  type SourceOrAll,
} from "../../../core/sources/sources.ts";
import {
  listCountedPositions,
  groupPositionsByPrompt,
  type KeywordMask,
} from "../../../core/metrics/prompt-clusters.ts";
import {
  hasSeveralMethods,
  isSimulated as isInvented,
  selectOneMethod,
} from "../../../core/metrics/select-counted-parts.ts";
import { listMethods } from "../../../db/metrics/methods.ts";
import { readPromptClusters } from "../../../db/analyses/prompt-clusters.ts";
import type { CountedAnswers } from "./basis.ts";
import { chooseParts, countMethods, type MethodCount } from "./choose-parts.ts";

export interface AnswerSelection {
  analysisId: string;
  filter: KeywordFilter;
  /** Null selects the default sources. */
  sources: readonly Source[] | null;
  /** Default sources only: limits them to presence by name or by domain. */
  presence?: PresenceBasis | undefined;
  /** Excludes keywords that name the own brand. */
  isHeadline: boolean;
  /** Undefined counts simulated answers only if there are no others. */
  isSimulated: boolean | undefined;
  /** Undefined counts, for each source, the first method of the analysis that has answers. */
  method?: CollectionMethod | undefined;
  /** Methods are never added up. */
  everyMethod?: boolean | undefined;
}

export interface BrandSelection extends AnswerSelection {
  families: Families;
}

export function buildSelection(
  analysisId: string,
  filter: KeywordFilter,
  input: {
    sources?: readonly Source[] | null | undefined;
    kind?: "simulated" | null | undefined;
    method?: CollectionMethod | null | undefined;
  },
): AnswerSelection {
  return {
    analysisId,
    filter,
    isHeadline: false,
    sources: selectSources(input.sources),
    isSimulated: input.kind === "simulated" ? true : undefined,
    method: input.method ?? undefined,
  };
}

interface CountedParts {
  isSimulated: boolean;
  counted: CountedAnswers[];
  /** Uncounted answers of the selection: simulated ones, or the others if simulated ones count. */
  omitted: number;
  otherMethods: MethodCount[];
}

export type SelectionCounts = AnswerCounts & CountedParts;
export type SelectionSums = Sums & CountedParts;

/** Uses stored sums for one collect with one or all sources, else packed facts. */
export async function sumBrands(
  db: Db,
  selection: BrandSelection,
  collectIds: readonly string[],
): Promise<SelectionSums> {
  const stored = await listStored(db, selection, collectIds);
  if (!stored) return sumFacts(db, selection, collectIds);
  return { ...addSums(stored.packedSums.map(unpackSums)), ...stored.parts };
}

export async function countSelected(
  db: Db,
  selection: AnswerSelection,
  collectIds: readonly string[],
): Promise<SelectionCounts> {
  const { prompts, ...read } = await readTogether(db, selection, collectIds);
  const facts = read.counted.map((one) => one.facts);
  return { ...countAnswers(facts, prompts), ...read };
}

export interface CountedFacts {
  collectId: string;
  source: Source;
  method: CollectionMethod;
  digest: string;
  facts: CollectFacts;
  answers: number;
}

/** The method of a source can differ between collects: use `limitToOneMethod` before adding up. */
export async function readFacts(db: Db, selection: AnswerSelection, collectIds: readonly string[]) {
  const all: CountedFacts[] = [];
  let mask: KeywordMask | undefined;
  for (const collectId of collectIds) {
    for (const one of await listFacts(db, collectId, selection.sources)) {
      if (mask === undefined) mask = await buildKeywordMask(db, selection, one.facts);
      all.push({ collectId, ...one, answers: countMasked(one.facts.answers, mask) });
    }
    await nextTurn();
  }
  const order = hasSeveralMethods(all) ? await listMethods(db, selection.analysisId) : [];
  const chosen = chooseParts(all, selection, order);
  const facts = chosen.counted.map((one) => one.facts);
  const clusters = await readPromptClusters(db, selection.analysisId);
  const prompts = groupPositionsByPrompt(listCountedPositions(facts, mask ?? null), clusters);
  return { ...chosen, order, mask: mask ?? null, clusters, prompts };
}

export function limitToOneMethod<
  Read extends Pick<Awaited<ReturnType<typeof readFacts>>, "counted" | "order" | "otherMethods">,
>(read: Read, together: ReadonlySet<string>): Read {
  const own = read.counted.filter(({ collectId }) => together.has(collectId));
  const kept = new Set(selectOneMethod(own, read.order, ({ answers }) => answers));
  const others = own.filter((one) => !kept.has(one));
  if (others.length === 0) return read;
  const counted = read.counted.filter((one) => !others.includes(one));
  return { ...read, counted, otherMethods: [...read.otherMethods, ...countMethods(others)] };
}

async function readTogether(db: Db, selection: AnswerSelection, collectIds: readonly string[]) {
  const found = await readFacts(db, selection, collectIds);
  const read = selection.everyMethod ? found : limitToOneMethod(found, new Set(collectIds));
  const { counted, omitted, isSimulated, otherMethods, prompts } = read;
  return { counted, omitted, isSimulated, otherMethods, prompts };
}

async function sumFacts(db: Db, selection: BrandSelection, collectIds: readonly string[]): Promise<SelectionSums> {
  const { prompts, ...read } = await readTogether(db, selection, collectIds);
  const facts = read.counted.map((one) => one.facts);
  return { ...(await runWithPauses(sumFactsInSteps(facts, prompts, selection.families), nextTurn)), ...read };
}

/** Undefined if no stored sums fit. */
async function listStored(
  db: Db,
  { filter, sources, presence, isHeadline, isSimulated, method }: BrandSelection,
  collectIds: readonly string[],
): Promise<{ packedSums: Buffer[]; parts: CountedParts } | undefined> {
  const [collectId] = collectIds;
  const whole = { omitted: 0, otherMethods: [] };
  if (collectId === undefined) {
    return { packedSums: [], parts: { ...whole, counted: [], isSimulated: isSimulated ?? false } };
  }
  const [source, ...more] = sources ?? [ALL_SOURCES];
  if (collectIds.length > 1 || more.length > 0 || source === undefined || narrowsBeyondType(filter)) return undefined;
  const stored = await readSumKeys(db, collectId);
  // With several kinds or methods, the choice depends on answer counts, which only facts give.
  if (stored.kinds.size > 1 || stored.hasSeveral || method !== undefined) return undefined;
  const kind = isSimulated ?? !stored.kinds.has(false);
  const classes = listKeywordClasses(filter, isHeadline);
  const summed = source === ALL_SOURCES ? selectSummedSources(stored.sources) : [source];
  // Stored sums over all sources use presence by name if any source has it.
  if (presence !== undefined && summed.some((one) => getPresenceBasis(one) !== presence)) return undefined;
  const counted = summed.map((one) => ({ collectId, source: one, answers: stored.answersOf(one, classes) }));
  const packedSums = await listStoredSums(db, { collectId, source, method: stored.methodOf(source), classes });
  return { packedSums, parts: { ...whole, counted, isSimulated: kind } };
}

/** Does not show which of several methods of a source is counted. */
export async function readSumKeys(db: Db, collectId: string) {
  const keys = await listSumKeys(db, collectId);
  const parts = keys.flatMap(({ source, method }) =>
    source === ALL_SOURCES || method === COLLECTED ? [] : [{ source, method }],
  );
  const kinds = new Set(parts.map(isInvented));
  const methods = new Map<SourceOrAll, SummedMethod>(parts.map(({ source, method }) => [source, method]));
  methods.set(ALL_SOURCES, kinds.has(true) ? "simulated" : COLLECTED);
  return {
    kinds,
    hasSeveral: hasSeveralMethods(parts),
    sources: [...new Set(parts.map(({ source }) => source))],
    methodOf: (source: SourceOrAll): SummedMethod => methods.get(source) ?? COLLECTED,
    answersOf: (source: SourceOrAll, classes: readonly KeywordClass[]) =>
      keys
        .filter((key) => key.source === source && classes.includes(key.keywordClass))
        .reduce((sum, key) => sum + key.answers, 0),
  };
}

export function listKeywordClasses({ types }: KeywordFilter, isHeadline: boolean): KeywordClass[] {
  const named: KeywordClass[] = types.includes("Generic") && !isHeadline ? ["GenericNamingOwn"] : [];
  return [...types, ...named];
}

/** Stored sums are by collect, source and keyword class. */
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

async function buildKeywordMask(
  db: Db,
  { analysisId, filter, isHeadline }: AnswerSelection,
  { namesOwn }: CollectFacts,
) {
  if (filter.types.length === KEYWORD_TYPES.length && !isHeadline && !narrowsBeyondType(filter)) return null;
  const positions = await listKeywordPositions(db, analysisId, filter);
  const mask = new Uint8Array((positions.at(-1) ?? -1) + 1);
  for (const position of positions) mask[position] = isHeadline && namesOwn[position] === 1 ? 0 : 1;
  return mask;
}
