import { inTurns } from "../../shared/in-turns.ts";
import type { Families } from "../share-of-voice.ts";
import { compareFacts, countCells, type CollectSide, type Comparison } from "./compare-facts.ts";
import type { Compared } from "../figures.ts";
import { rivalChanges, comparedFigure } from "./compared-figure.ts";
import { cellsIn, promptsIn, type PromptClusters } from "../prompt-clusters.ts";
import { marksOf } from "../packed-columns.ts";
import type { Source } from "../../sources/sources.ts";
import { fieldMoves } from "../../statistics/field.ts";
import { obstacleOf, type Obstacle, FIRST_SIGN } from "../../statistics/verdict.ts";

import { changeOf, type Change } from "../../statistics/change.ts";
import { comparisonsFor, MOST_EARLIER, scheduledChange } from "../../statistics/schedule.ts";
import { changeRow, type JudgedChange } from "./change-row.ts";

export interface Changes {
  /** Changes by brand number in the collect at a position; empty for the first. */
  at(position: number, brands: readonly number[], scope: Scope): Promise<Map<number, JudgedChange>>;
}

/**
 * Opens comparisons over a series of collects of one kind, oldest first. Scheduled collects are
 * compared with the mean of up to four before, others with the one before. `reference` overrides
 * this for the last collect.
 */
export function openChanges(
  series: readonly ReadCollect[],
  of: ComparedAs & { isScheduled: boolean; reference: readonly ReadCollect[] | null },
): Changes {
  const scopes = new Map<string, Comparisons>();
  return {
    async at(position, brands, scope) {
      const key = JSON.stringify(scope.sources) + scope.keywords.join(",");
      const comparisons = scopes.get(key) ?? openComparisons(of, scope);
      scopes.set(key, comparisons);
      const last = series[position];
      const before = series[position - 1];
      if (!last || !(of.reference ?? before)) return new Map();
      const reference = of.reference ?? (before ? [before] : []);
      const obstacle = await comparisons.obstacle(last, reference);
      if (of.reference || !of.isScheduled || obstacle !== null) {
        return against(comparisons, { last, reference, obstacle, isChosen: of.reference !== null }, brands);
      }
      return scheduled(comparisons, await comparableRun(comparisons, series.slice(0, position + 1)), brands);
    },
  };
}

/** Changes against requested collects, or the one before. */
async function against(
  comparisons: Comparisons,
  of: { last: ReadCollect; reference: readonly ReadCollect[]; obstacle: Obstacle | null; isChosen: boolean },
  brands: readonly number[],
): Promise<Map<number, JudgedChange>> {
  const { last, reference, obstacle, isChosen } = of;
  const comparison = await comparisons.compare(last, reference);
  const judged = new Map<number, JudgedChange>();
  for (const brand of brands) {
    const change = changeOf(comparedFigure(comparison, brand).difference);
    const told = await judgedChange(comparisons, { last, reference, brand, change });
    judged.set(brand, { ...told, obstacle, neighbour: null, isChosen });
  }
  return judged;
}

/** Changes of the last collect against the mean of up to four before. */
async function scheduled(
  comparisons: Comparisons,
  run: readonly ReadCollect[],
  brands: readonly number[],
): Promise<Map<number, JudgedChange>> {
  const judged = new Map<number, JudgedChange>();
  const at = run.length - 1;
  const last = run[at];
  if (!last) return judged;
  const sides = (positions: readonly number[]) => positions.flatMap((position) => run[position] ?? []);
  // Computed up front: except after a first sign, each brand needs the same comparisons.
  for (const [after, reference] of comparisonsFor(at)) await comparisons.compare(run[after] ?? last, sides(reference));
  for (const brand of brands) {
    const { change, reference, neighbour } = scheduledChange(
      at,
      (after, before) => comparedFigure(comparisons.made(run[after] ?? last, sides(before)), brand).difference,
    );
    const told = await judgedChange(comparisons, { last, reference: sides(reference), brand, change });
    judged.set(brand, { ...told, obstacle: null, neighbour, isChosen: false });
  }
  return judged;
}

/** Longest end of the series whose collects can each be compared with the last one. */
async function comparableRun(
  comparisons: Comparisons,
  series: readonly ReadCollect[],
): Promise<readonly ReadCollect[]> {
  const last = series.at(-1);
  let first = series.length - 1;
  while (first > 0 && series.length - first <= MOST_EARLIER) {
    const before = series[first - 1];
    if (!last || !before || (await comparisons.obstacle(last, [before])) !== null) break;
    first -= 1;
  }
  return series.slice(first);
}

async function judgedChange(
  comparisons: Comparisons,
  of: { last: ReadCollect; reference: readonly ReadCollect[]; brand: number; change: Change },
): Promise<Pick<JudgedChange, "row" | "withField">> {
  const { last, reference, brand, change } = of;
  const numbers = reference.map(({ collect }) => collect.number);
  return {
    row: changeRow(comparisons.made(last, reference), brand, change, numbers),
    withField: (change.p ?? 1) <= FIRST_SIGN && (await comparisons.fieldMoves(last, reference)),
  };
}

export interface ReadCollect {
  collect: { id: string; number: number; summedVersion: string | null };
  side: CollectSide;
}

/** Subset of answers that is compared: by source, and by the positions of their prompts. */
interface Scope {
  sources: readonly Source[] | null;
  keywords: readonly number[];
}

/** Compared metric, and the rivals whose common change counts as a change of the field. */
interface ComparedAs {
  compared: Compared;
  /** Called between parts of the work to let others run. */
  pause: () => Promise<unknown>;
  clusters: PromptClusters;
  families: Families;
  rivals: readonly number[];
  /** Numbers of the brands whose changes are requested. */
  shown: readonly number[];
}

/** Comparisons within a scope, each computed once. */
interface Comparisons {
  compare(last: ReadCollect, reference: readonly ReadCollect[]): Promise<Comparison>;
  /** Returns a comparison computed by `compare`. */
  made(last: ReadCollect, reference: readonly ReadCollect[]): Comparison;
  /** Resolves to the reason why the sides are not comparable, or null. */
  obstacle(last: ReadCollect, reference: readonly ReadCollect[]): Promise<Obstacle | null>;
  /** Resolves to true if the rivals changed significantly too. */
  fieldMoves(last: ReadCollect, reference: readonly ReadCollect[]): Promise<boolean>;
}

export function openComparisons(of: ComparedAs, { sources, keywords }: Scope): Comparisons {
  const { compared, clusters, families, rivals, pause } = of;
  const only = marksOf(of.shown);
  const prompts = promptsIn(keywords, clusters).map((prompt) => cellsIn(prompt, clusters));
  const comparisons = new Map<string, Comparison>();
  const fields = new Map<string, boolean>();
  const within = ({ side }: ReadCollect): CollectSide => ({
    sources: new Map([...side.sources].filter(([source]) => sources === null || sources.includes(source))),
  });
  const compare: Comparisons["compare"] = async (last, reference) => {
    const key = keyOf(last, reference);
    const known = comparisons.get(key);
    if (known) return known;
    const comparing = compareFacts(within(last), reference.map(within), { prompts, compared, families, only });
    const made = await inTurns(comparing, pause);
    comparisons.set(key, made);
    return made;
  };
  const made: Comparisons["made"] = (last, reference) => {
    const known = comparisons.get(keyOf(last, reference));
    if (!known) throw new Error("a comparison that was not computed");
    return known;
  };
  return {
    compare,
    made,
    async obstacle(last, reference) {
      const known = comparisons.get(keyOf(last, reference));
      const cells = known?.cells ?? (await inTurns(countCells(within(last), reference.map(within), prompts), pause));
      const versions = new Set([last, ...reference].map(({ collect }) => collect.summedVersion));
      return obstacleOf(cells, versions.size === 1 && !versions.has(null));
    },
    async fieldMoves(last, reference) {
      const key = keyOf(last, reference);
      const known = fields.get(key);
      if (known !== undefined) return known;
      // Differences of every rival in every prompt are large, and few comparisons need them:
      // computed on demand.
      const all = { prompts, compared, families, only: marksOf(rivals), withDifferences: true };
      const comparison = await inTurns(compareFacts(within(last), reference.map(within), all), pause);
      const moves = fieldMoves(comparison.prompts, rivalChanges(comparison, rivals));
      fields.set(key, moves);
      return moves;
    },
  };
}

function keyOf({ collect }: ReadCollect, reference: readonly ReadCollect[]): string {
  return `${collect.id} ${reference.map((one) => one.collect.id).join(" ")}`;
}
