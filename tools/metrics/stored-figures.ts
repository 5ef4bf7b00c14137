import type { Db } from "../../db/engine/store.ts";
import {
  listCollectedSources,
  listKeywordPositions,
  listStoredSums,
  type MeasuredCollect,
} from "../../db/measuring/search-metrics.ts";
import type { Sums } from "../../core/measuring/metrics.ts";
import { addSums, noSums, openCommon, openSums } from "../../core/measuring/packed-sums.ts";
import { ALL_SOURCES, presenceIn, summedTogether, type Source, type SummedSource } from "../../core/sources.ts";
import type { CountedAnswers } from "../search-metrics/basis.ts";
import { idsOf } from "../search-metrics/choose-collects.ts";
import { classesOf, narrowsBeyondType, type BrandSelection, type CountedSums } from "../search-metrics/sum-brands.ts";
import type { Dimension, Group } from "./visibility-groups.ts";

/** What stored sums say of some collects. */
export interface StoredFigures {
  /** Of the current collects together, without brands. */
  whole: CountedSums;
  /** Answers of all collects, by source. */
  counted: CountedAnswers[];
  sumsOf: (group: Group, of: readonly MeasuredCollect[]) => Sums;
}

/** Sums of one collect by source, packed. */
interface StoredCollect {
  isSimulated: boolean;
  /** Those that are summed where none is named, or the one that is. */
  sources: Source[];
  packed: Map<SummedSource, Buffer[]>;
}

/**
 * Stored sums of whole collects, by source; undefined where only packed facts give the same figures: for filters of keywords, other
 * dimensions, several named sources, and collects whose answers are not all of one kind and present alike.
 */
export async function readStoredFigures(
  db: Db,
  selection: BrandSelection,
  of: {
    current: readonly MeasuredCollect[];
    needed: readonly MeasuredCollect[];
    dimensions: readonly Dimension[];
    /** Numbers of the brands that are wanted; undefined for all. */
    only: ReadonlySet<number> | undefined;
  },
): Promise<StoredFigures | undefined> {
  if (narrowsBeyondType(selection.filter) || (selection.sources?.length ?? 0) > 1) return undefined;
  if (of.current.length === 0 || of.dimensions.some((one) => one !== "source" && one !== "collect")) return undefined;
  const stored = new Map<string, StoredCollect>();
  for (const { id } of of.needed) {
    const collect = await readCollect(db, selection, id);
    if (!collect) return undefined;
    stored.set(id, collect);
  }
  if (!areAlike([...stored.values()], selection)) return undefined;
  const whole = await wholeOf(db, selection, new Map(idsOf(of.current).map((id) => [id, stored.get(id)] as const)));
  if (!whole) return undefined;
  return {
    whole,
    counted: [...stored].flatMap(([id, collect]) => countedOf(id, collect)),
    sumsOf({ sources }, collects) {
      const [collect] = collects;
      const packed = collect && stored.get(collect.id)?.packed.get(sources?.[0] ?? ALL_SOURCES);
      return packed ? addSums(packed.map((one) => openSums(one, of.only))) : noSums();
    },
  };
}

async function readCollect(
  db: Db,
  { filter, isHeadline, sources: named }: BrandSelection,
  collectId: string,
): Promise<StoredCollect | undefined> {
  const asked = await listCollectedSources(db, collectId);
  const [first] = asked;
  if (!first || asked.some(({ isSimulated }) => isSimulated !== first.isSimulated)) return undefined;
  const { isSimulated } = first;
  const sources = named ? [...named] : summedTogether(asked.map(({ source }) => source));
  const classes = classesOf(filter, isHeadline);
  const packed = new Map<SummedSource, Buffer[]>();
  for (const source of named ? sources : ([...sources, ALL_SOURCES] as const)) {
    packed.set(source, await listStoredSums(db, { collectId, source, isSimulated, classes }));
  }
  return { isSimulated, sources, packed };
}

/** Whether what is counted where none is named is the same in each alone as in all together. */
function areAlike(collects: readonly StoredCollect[], { isSimulated }: BrandSelection): boolean {
  const kinds = new Set(collects.map((one) => one.isSimulated));
  const presences = new Set(collects.flatMap(({ sources }) => sources.map(presenceIn)));
  const isWanted = isSimulated === undefined || kinds.has(isSimulated);
  return kinds.size === 1 && isWanted && presences.size === 1 && collects.every((one) => answersOf(one) > 0);
}

function answersOf({ sources, packed }: StoredCollect): number {
  return sources.reduce((sum, source) => sum + totalOf(packed.get(source)), 0);
}

function totalOf(packed: readonly Buffer[] = []): number {
  return packed.reduce((sum, one) => sum + openCommon(one).total, 0);
}

function countedOf(collectId: string, { sources, packed }: StoredCollect): CountedAnswers[] {
  return sources
    .map((source) => ({ collectId, source, answers: totalOf(packed.get(source)) }))
    .filter(({ answers }) => answers > 0);
}

/** Undefined where it takes packed facts to say how many keywords several collects have between them. */
async function wholeOf(
  db: Db,
  selection: BrandSelection,
  collects: ReadonlyMap<string, StoredCollect | undefined>,
): Promise<CountedSums | undefined> {
  const none: ReadonlySet<number> = new Set();
  const each = [...collects].flatMap(([, collect]) => {
    const packed = collect?.packed.get(selection.sources?.[0] ?? ALL_SOURCES) ?? [];
    return addSums(packed.map((one) => openSums(one, none)));
  });
  const keywords = Math.max(0, ...each.map((one) => one.keywords));
  if (each.length > 1 && !(await answersAll(db, selection, [...collects.keys()].at(-1)))) return undefined;
  const counted = [...collects].flatMap(([id, collect]) => (collect ? countedOf(id, collect) : []));
  const isSimulated = [...collects.values()][0]?.isSimulated ?? false;
  return { ...addSums(each), keywords, counted, leftOut: 0, isSimulated };
}

/** Whether a collect has an answer to every keyword of the selection, and so those of all other collects. */
async function answersAll(db: Db, selection: BrandSelection, collectId = ""): Promise<boolean> {
  const { projectId, filter } = selection;
  const source = selection.sources?.[0] ?? ALL_SOURCES;
  const isSimulated = (await listCollectedSources(db, collectId)).some((one) => one.isSimulated);
  // Those that name the own brand are told apart by the sums alone.
  const classes = classesOf(filter, false);
  const packed = await listStoredSums(db, { collectId, source, isSimulated, classes });
  const answered = packed.reduce((sum, one) => sum + openCommon(one).keywords, 0);
  return answered === (await listKeywordPositions(db, projectId, filter)).length;
}
