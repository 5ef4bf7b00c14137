import { setImmediate as nextTurn } from "node:timers/promises";
import type { Db } from "../../../db/engine/store.ts";
import { readPromptClusters } from "../../../db/analyses/prompt-clusters.ts";
import { listKeywordPositions, listStoredSums, type MeasuredCollect } from "../../../db/metrics/search-metrics.ts";
import type { Sums } from "../../../core/metrics/metrics.ts";
import { groupPositionsByPrompt } from "../../../core/metrics/prompt-clusters.ts";
import { addCommonSums, addSums, createSums, unpackSums } from "../../../core/metrics/packed-sums.ts";
import {
  ALL_SOURCES,
  getPresenceBasis,
  selectSummedSources,
  type SummedMethod,
  type SourceOrAll,
} from "../../../core/sources/sources.ts";
import type { CountedAnswers } from "../selection/basis.ts";
import { listIds } from "../selection/choose-collects.ts";
import {
  listKeywordClasses,
  narrowsBeyondType,
  readSumKeys,
  type BrandSelection,
  type SelectionCounts,
} from "../selection/sum-brands.ts";
import type { Dimension, Group } from "./visibility-groups.ts";

export interface StoredFigures {
  wholeCounts: SelectionCounts;
  counted: CountedAnswers[];
  sumsOf: (group: Group, of: readonly MeasuredCollect[]) => Sums;
}

interface StoredCollect {
  isSimulated: boolean;
  methodOf: (source: SourceOrAll) => SummedMethod;
  counted: CountedAnswers[];
  sums: Map<SourceOrAll, Sums>;
}

/** Undefined if only packed facts give the result, as for keyword filters or several methods. */
export async function readStoredFigures(
  db: Db,
  selection: BrandSelection,
  options: {
    current: readonly MeasuredCollect[];
    previous: readonly MeasuredCollect[];
    requiredCollects: readonly MeasuredCollect[];
    dimensions: readonly Dimension[];
  },
): Promise<StoredFigures | undefined> {
  if (narrowsBeyondType(selection.filter) || (selection.sources?.length ?? 0) > 1) return undefined;
  if (selection.method !== undefined) return undefined;
  if (options.current.length === 0 || options.dimensions.some((one) => one !== "source" && one !== "collect"))
    return undefined;
  const isByCollect = options.dimensions.includes("collect");
  if (!isByCollect && Math.max(options.current.length, options.previous.length) > 1) return undefined;
  const stored = new Map<string, StoredCollect>();
  for (const { id } of options.requiredCollects) {
    const collect = await readCollect(db, selection, { id, readsEachSource: options.dimensions.includes("source") });
    if (!collect) return undefined;
    stored.set(id, collect);
    // Lets others run: sums of all brands per source take a few milliseconds per collect.
    await nextTurn();
  }
  const current = new Set(listIds(options.current));
  if (!haveSamePresence([...stored.values()], selection)) return undefined;
  const wholeCounts = await countWhole(db, selection, new Map([...stored].filter(([id]) => current.has(id))));
  if (!wholeCounts) return undefined;
  return {
    wholeCounts,
    counted: [...stored.values()].flatMap(({ counted }) => counted),
    sumsOf({ sources }, [collect]) {
      return stored.get(collect?.id ?? "")?.sums.get(sources?.[0] ?? ALL_SOURCES) ?? createSums();
    },
  };
}

async function readCollect(
  db: Db,
  { filter, isHeadline, sources: named }: BrandSelection,
  { id: collectId, readsEachSource }: { id: string; readsEachSource: boolean },
): Promise<StoredCollect | undefined> {
  const keys = await readSumKeys(db, collectId);
  const [isSimulated, ...others] = keys.kinds;
  if (isSimulated === undefined || others.length > 0 || keys.hasSeveral) return undefined;
  const sources = named ?? selectSummedSources(keys.sources);
  const classes = listKeywordClasses(filter, isHeadline);
  const sums: StoredCollect["sums"] = new Map();
  for (const source of named ?? [ALL_SOURCES, ...(readsEachSource ? sources : [])]) {
    const packed = await listStoredSums(db, { collectId, source, method: keys.methodOf(source), classes });
    sums.set(source, addSums(packed.map(unpackSums)));
  }
  const counted = sources
    .map((source) => ({ collectId, source, answers: keys.answersOf(source, classes) }))
    .filter(({ answers }) => answers > 0);
  const { methodOf } = keys;
  return { isSimulated, methodOf, counted, sums };
}

function haveSamePresence(collects: readonly StoredCollect[], { isSimulated }: BrandSelection): boolean {
  const kinds = new Set(collects.map((one) => one.isSimulated));
  const presences = new Set(collects.flatMap(({ counted }) => counted.map(({ source }) => getPresenceBasis(source))));
  const isWanted = isSimulated === undefined || kinds.has(isSimulated);
  // Collects are added up only if each source has one method in all of them.
  const asked = new Map<string, Set<SummedMethod>>();
  for (const { counted, methodOf } of collects) {
    for (const { source } of counted) asked.set(source, (asked.get(source) ?? new Set()).add(methodOf(source)));
  }
  if ([...asked.values()].some((methods) => methods.size > 1)) return false;
  return kinds.size === 1 && isWanted && presences.size === 1 && collects.every(({ counted }) => counted.length > 0);
}

/** Undefined if only packed facts give the number of prompts over several collects. */
async function countWhole(db: Db, selection: BrandSelection, collects: ReadonlyMap<string, StoredCollect>) {
  const source = selection.sources?.[0] ?? ALL_SOURCES;
  const [last] = [...collects].toReversed();
  if (!last || (collects.size > 1 && !(await answersEveryPrompt(db, selection, { source, collect: last }))))
    return undefined;
  const each = [...collects.values()].map(({ sums }) => sums.get(source) ?? createSums());
  const keywords = Math.max(0, ...each.map((one) => one.keywords));
  const counted = [...collects.values()].flatMap((one) => one.counted);
  return { ...addCommonSums(each), keywords, counted, omitted: 0, otherMethods: [], isSimulated: last[1].isSimulated };
}

async function answersEveryPrompt(
  db: Db,
  { analysisId, filter }: BrandSelection,
  of: { source: SourceOrAll; collect: readonly [id: string, stored: StoredCollect] },
): Promise<boolean> {
  const [collectId, { methodOf }] = of.collect;
  // Includes own-brand keywords, as `listKeywordPositions` does.
  const classes = listKeywordClasses(filter, false);
  const packed = await listStoredSums(db, { collectId, source: of.source, method: methodOf(of.source), classes });
  const { keywords } = addCommonSums(packed.map(unpackSums));
  const positions = await listKeywordPositions(db, analysisId, filter);
  return keywords === groupPositionsByPrompt(positions, await readPromptClusters(db, analysisId)).length;
}
