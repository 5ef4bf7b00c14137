import type { Cells } from "../../statistics/verdict.ts";
import type { Source } from "../../sources/sources.ts";
import { waysOf, type CollectFacts, type Way } from "../facts/collect-facts.ts";
import { openComparisonSums, type ComparedSums, type ComparisonSums } from "./comparison-sums.ts";
import { COMPARED_BY, type Compared } from "../figures.ts";
import type { Prompt } from "../prompt-clusters.ts";
import type { Families } from "../share-of-voice.ts";

/** What one collect brought of a selection. */
export interface CollectSide {
  sources: ReadonlyMap<Source, CollectFacts>;
}

/** A later collect beside one earlier, or several. */
export interface Comparison extends ComparedSums {
  cells: Cells;
  /** Cells that some of the collects completed, and not all. */
  oneSideOnly: number;
  /** Prompts that have a common cell at a source, over all sources. */
  promptsAtSources: number;
}

/** Prompts after which others can have their turn. */
const PROMPTS_AT_ONCE = 500;

/**
 * Compares a collect with earlier ones over the cells (prompt × source × country × persona) that all of them completed in the same way, with
 * runs cut to the smallest number of all, in their order. Yields where others can have their turn.
 */
export function* compareFacts(
  after: CollectSide,
  before: readonly CollectSide[],
  of: {
    /** Each as its cells at a source (`cellsIn`). */
    prompts: readonly (readonly Prompt[])[];
    compared: Compared;
    /** Brands whose values form the denominator, if the figure is a share. */
    families?: Families;
    /** Has 1 at the number of each brand that is compared; all are by default. */
    only?: Uint8Array | undefined;
    /** Also keeps how much each of them differs in each prompt. */
    withDifferences?: boolean;
    /** Also compares cells whose answers were not made in the same way, where that is what is compared. */
    acrossWays?: boolean;
    /** Leaves out cells that do not belong to the comparison. */
    isAsked?: (source: Source, question: number) => boolean;
  },
): Generator<undefined, Comparison> {
  const { sides, cells } = openSides(after, before);
  const counts = noCells();
  const { compared, families, only, withDifferences = false, acrossWays = false } = of;
  const by = COMPARED_BY[compared];
  const sums = openComparisonSums(
    sides.map((side) => [...side.values()].map(({ facts }) => facts)),
    { by, families: by.families ?? families, only, withDifferences },
  );
  for (const [index, prompt] of of.prompts.entries()) {
    let answers = 0;
    for (const { source, parts } of cells) {
      let atSource = 0;
      for (const cell of prompt) {
        if (of.isAsked && !cell.some((question) => of.isAsked?.(source, question))) continue;
        atSource += addCell(counts, sums, { parts, cell, acrossWays });
      }
      answers += atSource;
      if (atSource > 0) counts.promptsAtSources += 1;
    }
    if (answers > 0) sums.endPrompt(answers);
    if (index % PROMPTS_AT_ONCE === PROMPTS_AT_ONCE - 1) yield;
  }
  return { ...counts, ...sums.take() };
}

/** The cells of a comparison alone: what it is compared by costs a hundred times as much. */
export function* countCells(
  after: CollectSide,
  before: readonly CollectSide[],
  prompts: readonly (readonly Prompt[])[],
): Generator<undefined, Cells> {
  const { cells } = openSides(after, before);
  const counts = noCells();
  for (const [index, prompt] of prompts.entries()) {
    for (const { parts } of cells) {
      for (const cell of prompt) commonAnswers({ parts, cell, acrossWays: false }, counts);
    }
    if (index % PROMPTS_AT_ONCE === PROMPTS_AT_ONCE - 1) yield;
  }
  return counts.cells;
}

function openSides(after: CollectSide, before: readonly CollectSide[]) {
  const sides = [...before, after].map(openSide);
  const sources = new Set(sides.flatMap((side) => [...side.keys()]));
  return { sides, cells: Array.from(sources, (source) => ({ source, parts: sides.map((side) => side.get(source)) })) };
}

function noCells(): CellCounts {
  const cells = { before: 0, after: 0, common: 0, otherMethod: 0, otherModel: 0 };
  return { cells, oneSideOnly: 0, promptsAtSources: 0 };
}

type CellCounts = Omit<Comparison, keyof ComparedSums>;

interface SidePart {
  facts: CollectFacts;
  ways: readonly Way[];
}

/** What each side brought to one source. */
type Parts = readonly (SidePart | undefined)[];

function openSide({ sources }: CollectSide): Map<Source, SidePart> {
  return new Map([...sources].map(([source, facts]) => [source, { facts, ways: waysOf(facts) }]));
}

interface Cell {
  parts: Parts;
  cell: Prompt;
  acrossWays: boolean;
}

/** Adds the answers to a cell. Gives how many of them each side has in common; 0 where it is not common. */
function addCell(counts: CellCounts, sums: ComparisonSums, of: Cell): number {
  const { parts, cell } = of;
  const n = commonAnswers(of, counts);
  if (n === 0) return 0;
  for (let side = 0; side < parts.length; side += 1) {
    const facts = parts[side]?.facts;
    if (!facts) continue;
    let left = n;
    for (let at = 0; left > 0 && at < cell.length; at += 1) {
      const question = cell[at] ?? 0;
      sums.add(facts, { question, n: left, side });
      left -= facts.answers[question] ?? 0;
    }
  }
  return n;
}

/** Counts the cell, and gives how many answers to it each side has in common; 0 where it is not common. */
function commonAnswers({ parts, cell, acrossWays }: Cell, counts: CellCounts): number {
  const { cells } = counts;
  let [least, most, mostBefore, last] = [Infinity, 0, 0, 0];
  for (const part of parts) {
    mostBefore = most;
    last = answersTo(part, cell);
    least = Math.min(least, last);
    most = Math.max(most, last);
  }
  if (mostBefore > 0) cells.before += 1;
  if (last > 0) cells.after += 1;
  if (least === 0) {
    if (most > 0) counts.oneSideOnly += 1;
    return 0;
  }
  if (acrossWays) {
    cells.common += 1;
    return least;
  }
  const first = wayOf(parts[0], cell);
  if (first === undefined || parts.some((part) => wayOf(part, cell)?.method !== first.method)) {
    cells.otherMethod += 1;
    return 0;
  }
  if (parts.some((part) => wayOf(part, cell)?.model !== first.model)) {
    cells.otherModel += 1;
    return 0;
  }
  cells.common += 1;
  return least;
}

function answersTo(part: SidePart | undefined, cell: Prompt): number {
  if (!part) return 0;
  const { answers } = part.facts;
  let sum = 0;
  for (let at = 0; at < cell.length; at += 1) sum += answers[cell[at] ?? 0] ?? 0;
  return sum;
}

/** How all answers to a cell were made; undefined where in several ways. */
function wayOf(part: SidePart | undefined, cell: Prompt): Way | undefined {
  if (!part) return undefined;
  const { answers, wayOf: places } = part.facts;
  let place = -1;
  for (let at = 0; at < cell.length; at += 1) {
    const question = cell[at] ?? 0;
    if ((answers[question] ?? 0) === 0) continue;
    const own = places[question] ?? 0;
    if (place !== -1 && place !== own) return undefined;
    place = own;
  }
  return part.ways[place - 1];
}
