import { runWithPauses } from "../../shared/run-generator.ts";
import type { Families } from "../share-of-voice.ts";
import { describeBaseline, describeObstacle, listObstructedSources, type OmittedRun } from "./baseline.ts";
import { compareFacts, countCells, type CollectSide, type Comparison } from "./compare-facts.ts";
import type { ComparedMetric } from "../comparable-metrics.ts";
import { listRivalChanges, compareValue } from "./compare-value.ts";
import { groupByCell, groupPositionsByPrompt, type PromptClusters } from "../prompt-clusters.ts";
import { toMask } from "../packed-columns.ts";
import type { Source } from "../../sources/sources.ts";
import { isFieldMoving } from "../../statistics/field.ts";
import { findObstacle, type Obstacle, MAX_FIRST_SIGN_P } from "../../statistics/verdict.ts";

import { judgeDifference, type Change } from "../../statistics/change.ts";
import {
  listComparisons,
  MAX_EARLIER_COLLECTS,
  judgeScheduledChange,
  REFERENCE_COLLECTS,
} from "../../statistics/schedule.ts";
import { toChangeRow, type UnjudgedChange } from "./change-row.ts";

export interface SeriesChanges {
  /** Changes by brand number in the collect at a position; no changes for the first collect. */
  at(position: number, brands: readonly number[], scope: AnswerScope): Promise<Map<number, UnjudgedChange>>;
}

/**
 * Takes collects of one kind, oldest first. Scheduled collects are compared with the mean of up to
 * four before, others with the one before; `reference` overrides this for the last collect.
 */
export function openChanges(
  series: readonly SeriesCollect[],
  of: ComparisonSettings & { isScheduled: boolean; reference: readonly SeriesCollect[] | null },
): SeriesChanges {
  const scopes = new Map<string, Comparisons>();
  return {
    async at(position, brands, scope) {
      const key = JSON.stringify(scope.sources) + scope.keywords.join(",");
      const comparisons = scopes.get(key) ?? openComparisons(of, scope);
      scopes.set(key, comparisons);
      const last = series[position];
      const before = series[position - 1];
      const reference = of.reference ?? (before ? [before] : []);
      if (!last || reference.length === 0) return new Map();
      const obstacle = await comparisons.findObstacle(last, reference);
      if (of.reference || !of.isScheduled || obstacle !== null) {
        return computeChangesAgainst(
          comparisons,
          { last, reference, obstacle, isChosen: of.reference !== null },
          brands,
        );
      }
      return computeScheduledChanges(
        comparisons,
        await findComparableCollects(comparisons, series.slice(0, position + 1)),
        brands,
      );
    },
  };
}

/** `reference` is the requested one, or the collect before. */
async function computeChangesAgainst(
  comparisons: Comparisons,
  options: { last: SeriesCollect; reference: readonly SeriesCollect[]; obstacle: Obstacle | null; isChosen: boolean },
  brands: readonly number[],
): Promise<Map<number, UnjudgedChange>> {
  const { last, reference, obstacle, isChosen } = options;
  const comparison = await comparisons.compare(last, reference);
  const omitted = obstacle && (await comparisons.describeOmission(last, reference, obstacle));
  const judged = new Map<number, UnjudgedChange>();
  for (const brand of brands) {
    const change = judgeDifference(compareValue(comparison, brand).difference);
    const told = await buildChange(comparisons, { last, reference, omitted, brand, change });
    judged.set(brand, { ...told, obstacle, neighbour: null, isChosen });
  }
  return judged;
}

async function computeScheduledChanges(
  comparisons: Comparisons,
  { run, boundary }: Awaited<ReturnType<typeof findComparableCollects>>,
  brands: readonly number[],
) {
  const judged = new Map<number, UnjudgedChange>();
  const at = run.length - 1;
  const last = run[at];
  if (!last) return judged;
  const sides = (positions: readonly number[]) => positions.flatMap((position) => run[position] ?? []);
  // All brands need the same comparisons, except for the one after a first sign.
  for (const [after, reference] of listComparisons(at)) await comparisons.compare(run[after] ?? last, sides(reference));
  for (const brand of brands) {
    const { change, reference, neighbour } = judgeScheduledChange(
      at,
      (after, before) =>
        compareValue(comparisons.cachedComparison(run[after] ?? last, sides(before)), brand).difference,
    );
    const signal = reference.includes(at - 1) ? undefined : run[at - 1]?.collect.number;
    const omitted = signal === undefined ? boundary : { number: signal, reason: "it gave an early signal" };
    const told = await buildChange(comparisons, { last, reference: sides(reference), omitted, brand, change });
    judged.set(brand, { ...told, obstacle: null, neighbour, isChosen: false });
  }
  return judged;
}

/**
 * Longest end of the series whose collects can each be compared with the last one; `boundary` is
 * the collect before it, if a longer end would change the reference.
 */
async function findComparableCollects(comparisons: Comparisons, series: readonly SeriesCollect[]) {
  const last = series.at(-1);
  let first = series.length - 1;
  let boundary: OmittedRun | null = null;
  while (first > 0 && series.length - first <= MAX_EARLIER_COLLECTS) {
    const before = series[first - 1];
    if (!last || !before) break;
    const obstacle = await comparisons.findObstacle(last, [before]);
    if (obstacle !== null) {
      const isNear = series.length - first <= REFERENCE_COLLECTS;
      if (isNear) boundary = await comparisons.describeOmission(last, [before], obstacle);
      break;
    }
    first -= 1;
  }
  return { run: series.slice(first), boundary };
}

async function buildChange(
  comparisons: Comparisons,
  options: {
    last: SeriesCollect;
    reference: readonly SeriesCollect[];
    omitted: OmittedRun | null;
    brand: number;
    change: Change;
  },
): Promise<Pick<UnjudgedChange, "row" | "withField">> {
  const { last, reference, omitted, brand, change } = options;
  const compared_with = reference.map(({ collect }) => collect.number);
  const baseline = { compared_with, baseline: describeBaseline(compared_with, omitted) };
  return {
    row: toChangeRow(comparisons.cachedComparison(last, reference), brand, change, baseline),
    withField: (change.p ?? 1) <= MAX_FIRST_SIGN_P && (await comparisons.isFieldMoving(last, reference)),
  };
}

export interface SeriesCollect {
  collect: { id: string; number: number; summedVersion: string | null };
  collectSide: CollectSide;
}

/** `keywords` has the positions of prompts. */
interface AnswerScope {
  sources: readonly Source[] | null;
  keywords: readonly number[];
}

/** A common change of the rivals counts as a change of the field. */
interface ComparisonSettings {
  comparedMetric: ComparedMetric;
  /** Called between parts of the work to let others run. */
  pause: () => Promise<unknown>;
  clusters: PromptClusters;
  families: Families;
  rivals: readonly number[];
  shownBrands: readonly number[];
}

/** Each comparison is computed once. */
interface Comparisons {
  compare(last: SeriesCollect, reference: readonly SeriesCollect[]): Promise<Comparison>;
  /** Needs an earlier call of `compare` for the same sides. */
  cachedComparison(last: SeriesCollect, reference: readonly SeriesCollect[]): Comparison;
  /** Resolves to null if the sides are comparable. */
  findObstacle(last: SeriesCollect, reference: readonly SeriesCollect[]): Promise<Obstacle | null>;
  /** Names the last reference collect, with the reason why it is not comparable. */
  describeOmission(last: SeriesCollect, reference: readonly SeriesCollect[], obstacle: Obstacle): Promise<OmittedRun>;
  /** Resolves to true if the rivals changed significantly too. */
  isFieldMoving(last: SeriesCollect, reference: readonly SeriesCollect[]): Promise<boolean>;
}

export function openComparisons(of: ComparisonSettings, { sources, keywords }: AnswerScope): Comparisons {
  const { comparedMetric, clusters, families, rivals, pause } = of;
  const only = toMask(of.shownBrands);
  const prompts = groupPositionsByPrompt(keywords, clusters).map((prompt) => groupByCell(prompt, clusters));
  const comparisons = new Map<string, Comparison>();
  const fields = new Map<string, boolean>();
  const within = ({ collectSide }: SeriesCollect): CollectSide => ({
    sources: new Map([...collectSide.sources].filter(([source]) => sources === null || sources.includes(source))),
  });
  const compare: Comparisons["compare"] = async (last, reference) => {
    const key = buildComparisonKey(last, reference);
    const known = comparisons.get(key);
    if (known) return known;
    const comparing = compareFacts(within(last), reference.map(within), { prompts, comparedMetric, families, only });
    const made = await runWithPauses(comparing, pause);
    comparisons.set(key, made);
    return made;
  };
  const cachedComparison: Comparisons["cachedComparison"] = (last, reference) => {
    const known = comparisons.get(buildComparisonKey(last, reference));
    if (!known) throw new Error("the comparison was not computed");
    return known;
  };
  return {
    compare,
    cachedComparison,
    async findObstacle(last, reference) {
      const known = comparisons.get(buildComparisonKey(last, reference));
      const cells =
        known?.cells ?? (await runWithPauses(countCells(within(last), reference.map(within), prompts), pause));
      const versions = new Set([last, ...reference].map(({ collect }) => collect.summedVersion));
      return findObstacle(cells, versions.size === 1 && !versions.has(null));
    },
    async describeOmission(last, reference, obstacle) {
      const sides = { after: within(last), before: reference.map(within) };
      const names = await runWithPauses(listObstructedSources(obstacle, sides, prompts), pause);
      return { number: reference.at(-1)?.collect.number ?? 0, reason: describeObstacle(obstacle, names) };
    },
    async isFieldMoving(last, reference) {
      const key = buildComparisonKey(last, reference);
      const known = fields.get(key);
      if (known !== undefined) return known;
      // Differences of every rival in every prompt are large, and few comparisons need them.
      const all = { prompts, comparedMetric, families, only: toMask(rivals), withDifferences: true };
      const comparison = await runWithPauses(compareFacts(within(last), reference.map(within), all), pause);
      const moves = isFieldMoving(comparison.promptCount, listRivalChanges(comparison, rivals));
      fields.set(key, moves);
      return moves;
    },
  };
}

function buildComparisonKey({ collect }: SeriesCollect, reference: readonly SeriesCollect[]): string {
  return `${collect.id} ${reference.map((one) => one.collect.id).join(" ")}`;
}
