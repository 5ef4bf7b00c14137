import { comparedFigure } from "../../core/measuring/compared-figure.ts";
import { changeOf, type Change } from "../../core/statistics/change.ts";
import { comparisonsFor, MOST_EARLIER, scheduledChange } from "../../core/statistics/schedule.ts";
import { FIRST_SIGN, type Obstacle } from "../../core/statistics/verdict.ts";
import { changeRow, type JudgedChange } from "./change-row.ts";
import { openComparisons, type ComparedAs, type Comparisons, type ReadCollect, type Scope } from "./comparisons.ts";

/** Changes of brands in the latest of a series of collects, or in another one of it. */
export interface Changes {
  /** Changes of these brands in the collect at a position of the series, by number; empty for the first one. */
  at(position: number, brands: readonly number[], scope: Scope): Promise<Map<number, JudgedChange>>;
}

/**
 * Opens comparisons over a series of collects of one kind, oldest first. In a schedule a collect is compared with the mean of up to four
 * before it, else with the one before. `reference` names what to compare the last one with instead.
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

/** Against collects that a request named, or the one before. */
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

/** Of the last of a run of collects, against the mean of up to four before. */
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
  // Which comparisons are asked for depends on the brand alone where one gave a sign.
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

/** The end of a series that can be compared with its last collect, each by itself. */
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
