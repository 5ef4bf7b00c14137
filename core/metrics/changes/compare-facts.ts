import type { CellTotals } from "../../statistics/verdict.ts";
import type { Source } from "../../sources/sources.ts";
import { decodeWays, type CollectFacts, type CollectionWay } from "../facts/collect-facts.ts";
import { openComparisonSums, type ComparedSums, type ComparisonSums } from "./comparison-sums.ts";
import { COMPARISON_METHODS, type ComparedMetric } from "../comparable-metrics.ts";
import type { PromptPositions } from "../prompt-clusters.ts";
import type { Families } from "../share-of-voice.ts";

export interface CollectSide {
  sources: ReadonlyMap<Source, CollectFacts>;
}

export interface Comparison extends ComparedSums {
  cells: CellTotals;
  /** Cells that only some of the collects completed. */
  unpairedCellCount: number;
  /** Prompts with a common cell at a source, summed over sources. */
  sourcePromptCount: number;
}

const PROMPTS_PER_STEP = 500;

/**
 * Compares cells (prompt × source × country × persona) that all collects completed in the same way.
 * Runs are cut to the smallest number, in order. Yields so that others can run.
 */
export function* compareFacts(
  after: CollectSide,
  before: readonly CollectSide[],
  options: {
    /** Each prompt as its cells at a source (`groupByCell`). */
    prompts: readonly (readonly PromptPositions[])[];
    comparedMetric: ComparedMetric;
    /** Brands in the denominator, if the metric is a share. */
    families?: Families;
    /** 1 at the number of each brand to compare; all by default. */
    only?: Uint8Array | undefined;
    withDifferences?: boolean;
    /** Also compares cells answered in different ways, for comparisons of methods. */
    comparesAcrossMethods?: boolean;
    /** Leaves out cells that do not belong to the comparison. */
    isAsked?: (source: Source, question: number) => boolean;
  },
): Generator<undefined, Comparison> {
  const { sides, cells } = openSides(after, before);
  const counts = createCellCounts();
  const { comparedMetric, families, only, withDifferences = false, comparesAcrossMethods = false } = options;
  const by = COMPARISON_METHODS[comparedMetric];
  const sums = openComparisonSums(
    sides.map((side) => [...side.values()].map(({ facts }) => facts)),
    { by, families: by.families ?? families, only, withDifferences },
  );
  for (const [index, prompt] of options.prompts.entries()) {
    let answers = 0;
    for (const { source, parts } of cells) {
      let atSource = 0;
      for (const cell of prompt) {
        if (options.isAsked && !cell.some((question) => options.isAsked?.(source, question))) continue;
        atSource += addCell(counts, sums, { parts, cell, comparesAcrossMethods });
      }
      answers += atSource;
      if (atSource > 0) counts.sourcePromptCount += 1;
    }
    if (answers > 0) sums.endPrompt(answers);
    if (index % PROMPTS_PER_STEP === PROMPTS_PER_STEP - 1) yield;
  }
  return { ...counts, ...sums.takeTotals() };
}

/** Sums no values, at a hundredth of the cost. */
export function* countCells(
  after: CollectSide,
  before: readonly CollectSide[],
  prompts: readonly (readonly PromptPositions[])[],
): Generator<undefined, CellTotals> {
  const { cells } = openSides(after, before);
  const counts = createCellCounts();
  for (const [index, prompt] of prompts.entries()) {
    for (const { parts } of cells) {
      for (const cell of prompt) countCommonAnswers({ parts, cell, comparesAcrossMethods: false }, counts);
    }
    if (index % PROMPTS_PER_STEP === PROMPTS_PER_STEP - 1) yield;
  }
  return counts.cells;
}

function openSides(after: CollectSide, before: readonly CollectSide[]) {
  const sides = [...before, after].map(openSide);
  const sources = new Set(sides.flatMap((side) => [...side.keys()]));
  return { sides, cells: Array.from(sources, (source) => ({ source, parts: sides.map((side) => side.get(source)) })) };
}

function createCellCounts(): CellCounts {
  const cells = { beforeCount: 0, afterCount: 0, commonCount: 0, otherMethod: 0, otherModel: 0 };
  return { cells, unpairedCellCount: 0, sourcePromptCount: 0 };
}

type CellCounts = Omit<Comparison, keyof ComparedSums>;

interface SidePart {
  facts: CollectFacts;
  provenances: readonly CollectionWay[];
}

type SideParts = readonly (SidePart | undefined)[];

function openSide({ sources }: CollectSide): Map<Source, SidePart> {
  return new Map([...sources].map(([source, facts]) => [source, { facts, provenances: decodeWays(facts) }]));
}

interface ComparedCell {
  parts: SideParts;
  cell: PromptPositions;
  comparesAcrossMethods: boolean;
}

/** Returns the answers per side; 0 if the cell is not common. */
function addCell(counts: CellCounts, sums: ComparisonSums, of: ComparedCell): number {
  const { parts, cell } = of;
  const n = countCommonAnswers(of, counts);
  if (n === 0) return 0;
  for (let sideIndex = 0; sideIndex < parts.length; sideIndex += 1) {
    const facts = parts[sideIndex]?.facts;
    if (!facts) continue;
    let left = n;
    for (let at = 0; left > 0 && at < cell.length; at += 1) {
      const question = cell[at] ?? 0;
      sums.add(facts, { question, n: left, sideIndex });
      left -= facts.answers[question] ?? 0;
    }
  }
  return n;
}

/** Returns the answers per side; 0 if the cell is not common. */
function countCommonAnswers({ parts, cell, comparesAcrossMethods }: ComparedCell, counts: CellCounts): number {
  const { cells } = counts;
  let [least, most, maxBefore, last] = [Infinity, 0, 0, 0];
  for (const part of parts) {
    maxBefore = most;
    last = countAnswersTo(part, cell);
    least = Math.min(least, last);
    most = Math.max(most, last);
  }
  if (maxBefore > 0) cells.beforeCount += 1;
  if (last > 0) cells.afterCount += 1;
  if (least === 0) {
    if (most > 0) counts.unpairedCellCount += 1;
    return 0;
  }
  if (comparesAcrossMethods) {
    cells.commonCount += 1;
    return least;
  }
  const first = findWay(parts[0], cell);
  if (first === undefined || parts.some((part) => findWay(part, cell)?.method !== first.method)) {
    cells.otherMethod += 1;
    return 0;
  }
  if (parts.some((part) => findWay(part, cell)?.model !== first.model)) {
    cells.otherModel += 1;
    return 0;
  }
  cells.commonCount += 1;
  return least;
}

function countAnswersTo(part: SidePart | undefined, cell: PromptPositions): number {
  if (!part) return 0;
  const { answers } = part.facts;
  let sum = 0;
  for (let at = 0; at < cell.length; at += 1) sum += answers[cell[at] ?? 0] ?? 0;
  return sum;
}

/** Undefined for several ways. */
function findWay(part: SidePart | undefined, cell: PromptPositions): CollectionWay | undefined {
  if (!part) return undefined;
  const { answers, wayOf: places } = part.facts;
  let index = -1;
  for (let at = 0; at < cell.length; at += 1) {
    const question = cell[at] ?? 0;
    if ((answers[question] ?? 0) === 0) continue;
    const own = places[question] ?? 0;
    if (index !== -1 && index !== own) return undefined;
    index = own;
  }
  return part.provenances[index - 1];
}
