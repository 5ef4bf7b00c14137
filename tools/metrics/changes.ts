import { setImmediate as nextTurn } from "node:timers/promises";
import { z } from "zod";
import {
  compareFacts,
  pairMoments,
  rivalChanges,
  seriesMoments,
  type CollectSide,
  type Compared,
  type Comparison,
} from "../../core/measuring/compare-facts.ts";
import { changeField } from "../../core/figure-fields.ts";
import type { Source } from "../../core/sources.ts";
import { changeOf, type Change } from "../../core/statistics/change.ts";
import { pairDifference, seriesDifference, type Difference } from "../../core/statistics/difference.ts";
import { fieldMoves } from "../../core/statistics/field.ts";
import { comparisonsFor, MOST_EARLIER, scheduledChange, type ScheduledChange } from "../../core/statistics/schedule.ts";
import {
  adjust,
  FIRST_SIGN,
  obstacleOf,
  verdictOf,
  VERDICTS,
  type Obstacle,
  type Verdict,
} from "../../core/statistics/verdict.ts";
import type { MeasuredCollect } from "../../db/measuring/search-metrics.ts";
import { rounded } from "../search-metrics/selection.ts";

export const ChangeField = changeField(
  z.object({
    before: z.number().nullable().describe("The figure over the common cells of what it is compared with."),
    after: z.number().nullable().describe("The figure over the same cells."),
    delta: z.number().nullable(),
    ci_low: z.number().nullable().describe("95 % interval of delta."),
    ci_high: z.number().nullable(),
    p: z
      .number()
      .nullable()
      .describe("Chance of as large a change where nothing changed; of rivals adjusted for their number."),
    verdict: z.enum(VERDICTS).nullable().describe("Whether it changed; null of a keyword alone."),
    cells: z.int().describe("Keyword and source pairs that both sides completed in the same way."),
    left_out: z.object({ one_side_only: z.int(), other_method: z.int(), other_model: z.int() }),
    compared_with: z.array(z.int()).describe("Numbers of the collects."),
  }),
).meta({ id: "Change" });
export type ChangeRow = z.input<typeof ChangeField>;

/** A collect with its facts of a selection. */
export interface ReadCollect {
  collect: MeasuredCollect;
  side: CollectSide;
}

/** What part of the answers is compared: of some sources, to some keywords. */
export interface Scope {
  sources: readonly Source[] | null;
  keywords: readonly number[];
}

/** Changes of brands in the latest of `series`, or in another one of it. */
export interface Changes {
  /** Changes of these brands in the collect at a position of the series, by number; empty for the first one. */
  at(position: number, brands: readonly number[], scope: Scope): Promise<Map<number, JudgedChange>>;
}

/** A change before those of several brands are judged together, not rounded. */
export interface JudgedChange {
  row: ChangeRow;
  obstacle: Obstacle | null;
  neighbour: Change | null;
  withField: boolean;
  isChosen: boolean;
}

/**
 * Opens comparisons over a series of collects of one kind, oldest first. In a schedule a collect is compared with the mean of up to four
 * before it, else with the one before. `reference` names what to compare the last one with instead.
 */
export function openChanges(
  series: readonly ReadCollect[],
  of: {
    compared: Compared;
    isScheduled: boolean;
    reference: readonly ReadCollect[] | null;
    rivals: readonly number[];
  },
): Changes {
  const scopes = new Map<string, ScopedChanges>();
  return {
    async at(position, brands, scope) {
      const key = JSON.stringify(scope.sources) + scope.keywords.join(",");
      let scoped = scopes.get(key);
      if (!scoped) scopes.set(key, (scoped = new ScopedChanges(series, of, scope)));
      return scoped.at(position, brands);
    },
  };
}

type Options = Parameters<typeof openChanges>[1];

class ScopedChanges {
  private readonly comparisons = new Map<string, Comparison>();
  private readonly fields = new Map<string, boolean>();
  private readonly series: readonly ReadCollect[];
  private readonly options: Options;
  private readonly scope: Scope;

  constructor(series: readonly ReadCollect[], options: Options, scope: Scope) {
    this.series = series.map((one) => ({ ...one, side: within(one.side, scope) }));
    this.options = {
      ...options,
      reference: options.reference?.map((one) => ({ ...one, side: within(one.side, scope) })) ?? null,
    };
    this.scope = scope;
  }

  async at(position: number, brands: readonly number[]): Promise<Map<number, JudgedChange>> {
    const { reference, isScheduled } = this.options;
    const last = this.series[position];
    if (!last) return new Map();
    if (reference) return this.against(last, reference, brands, true);
    const before = this.series[position - 1];
    if (!before) return new Map();
    const obstacle = await this.obstacle(last, [before]);
    if (!isScheduled || obstacle !== null) return this.against(last, [before], brands, false);
    return this.scheduled(position, brands);
  }

  private async against(
    last: ReadCollect,
    reference: readonly ReadCollect[],
    brands: readonly number[],
    isChosen: boolean,
  ): Promise<Map<number, JudgedChange>> {
    const comparison = await this.compare(last, reference);
    const obstacle = await this.obstacle(last, reference);
    const judged = new Map<number, JudgedChange>();
    for (const brand of brands) {
      const change = changeOf(differenceOf(comparison, brand));
      const row = rowOf(comparison, brand, change, reference);
      const withField = (change.p ?? 1) <= FIRST_SIGN && this.field(comparison, keyOf(last, reference));
      judged.set(brand, { row, obstacle, neighbour: null, withField, isChosen });
    }
    return judged;
  }

  /** Against the mean of up to four before, as far as they can be compared with it. */
  private async scheduled(position: number, brands: readonly number[]): Promise<Map<number, JudgedChange>> {
    const first = await this.firstComparable(position);
    const run = this.series.slice(first, position + 1);
    const at = run.length - 1;
    // Which comparisons are asked for depends on the brand alone where one gave a sign.
    for (const [after, reference] of comparisonsFor(at)) await this.compareRun(run, after, reference);
    const judged = new Map<number, JudgedChange>();
    for (const brand of brands) {
      const compare = (after: number, reference: readonly number[]): Difference =>
        differenceOf(this.known(run, after, reference), brand);
      const { change, reference, neighbour }: ScheduledChange = scheduledChange(at, compare);
      const sides = reference.flatMap((one) => run[one] ?? []);
      const comparison = this.known(run, at, reference);
      const last = run[at];
      if (!last) continue;
      const withField = (change.p ?? 1) <= FIRST_SIGN && this.field(comparison, keyOf(last, sides));
      judged.set(brand, {
        row: rowOf(comparison, brand, change, sides),
        obstacle: null,
        neighbour,
        withField,
        isChosen: false,
      });
    }
    return judged;
  }

  /** Where the collects begin that can be compared with the one at a position. */
  private async firstComparable(position: number): Promise<number> {
    const last = this.series[position];
    if (!last) return position;
    for (let first = position; first > Math.max(0, position - MOST_EARLIER); first -= 1) {
      const before = this.series[first - 1];
      if (!before || (await this.obstacle(last, [before])) !== null) return first;
    }
    return Math.max(0, position - MOST_EARLIER);
  }

  private async obstacle(last: ReadCollect, reference: readonly ReadCollect[]): Promise<Obstacle | null> {
    const { cells } = await this.compare(last, reference);
    const versions = new Set([last, ...reference].map(({ collect }) => collect.summedVersion));
    return obstacleOf(cells, versions.size === 1 && !versions.has(null));
  }

  private async compareRun(run: readonly ReadCollect[], after: number, reference: readonly number[]): Promise<void> {
    const last = run[after];
    if (last) await this.compare(last, sidesOf(run, reference));
  }

  private known(run: readonly ReadCollect[], after: number, reference: readonly number[]): Comparison {
    const last = run[after];
    const known = last && this.comparisons.get(keyOf(last, sidesOf(run, reference)));
    if (!known) throw new Error("a comparison that was not computed");
    return known;
  }

  private async compare(last: ReadCollect, reference: readonly ReadCollect[]): Promise<Comparison> {
    const key = keyOf(last, reference);
    const known = this.comparisons.get(key);
    if (known) return known;
    const sides = reference.map(({ side }) => side);
    const comparing = compareFacts(last.side, sides, {
      keywords: this.scope.keywords,
      compared: this.options.compared,
    });
    for (;;) {
      const part = comparing.next();
      if (part.done) {
        this.comparisons.set(key, part.value);
        return part.value;
      }
      await nextTurn();
    }
  }

  private field(comparison: Comparison, key: string): boolean {
    const known = this.fields.get(key);
    if (known !== undefined) return known;
    const moves = fieldMoves(comparison.prompts, rivalChanges(comparison, this.options.rivals));
    this.fields.set(key, moves);
    return moves;
  }
}

function sidesOf(run: readonly ReadCollect[], positions: readonly number[]): ReadCollect[] {
  return positions.flatMap((position) => run[position] ?? []);
}

function keyOf({ collect }: ReadCollect, reference: readonly ReadCollect[]): string {
  return `${collect.id} ${reference.map((one) => one.collect.id).join(" ")}`;
}

function within({ sources }: CollectSide, { sources: wanted }: Scope): CollectSide {
  return { sources: new Map([...sources].filter(([source]) => wanted === null || wanted.includes(source))) };
}

function differenceOf(comparison: Comparison, brand: number): Difference {
  return comparison.earlier === 1
    ? pairDifference(pairMoments(comparison, brand))
    : seriesDifference(seriesMoments(comparison, brand));
}

function rowOf(comparison: Comparison, brand: number, change: Change, reference: readonly ReadCollect[]): ChangeRow {
  const { cells, earlier, n } = comparison;
  const own = comparison.brands.get(brand);
  const number = (value: number | null) => (n === 0 ? null : value);
  return {
    before: number((own?.before ?? 0) / (earlier * n)),
    after: number((own?.after ?? 0) / n),
    delta: number(change.delta),
    ci_low: number(change.ci_low),
    ci_high: number(change.ci_high),
    p: number(change.p),
    verdict: null,
    cells: cells.common,
    left_out: {
      one_side_only: comparison.oneSideOnly,
      other_method: cells.otherMethod,
      other_model: cells.otherModel,
    },
    compared_with: reference.map(({ collect }) => collect.number),
  };
}

/**
 * Judges changes that are shown together: the one at `alone` by itself, all others by their p-values adjusted for their number. Collects
 * that a request chose can give a first sign at most. Figures are shown times `scale`, and rounded here alone.
 */
export function judge(
  changes: readonly (JudgedChange | undefined)[],
  alone: (index: number) => boolean,
  scale = 1,
): (ChangeRow | null)[] {
  const adjusted = adjust(changes.map((one, index) => (!one || alone(index) || one.obstacle ? null : one.row.p)));
  return changes.map((one, index) => {
    if (!one) return null;
    const p = alone(index) || one.obstacle ? one.row.p : (adjusted[index] ?? null);
    const verdict: Verdict = verdictOf({ delta: one.row.delta ?? 0, p }, one);
    const capped = one.isChosen && (verdict === "moved" || verdict === "moved_with_field") ? "first_sign" : verdict;
    return { ...asShown(one.row, scale), p: p === null ? null : rounded(p), verdict: capped };
  });
}

function asShown(row: ChangeRow, scale: number): ChangeRow {
  const shown = (value: number | null) => (value === null ? null : rounded(value * scale));
  const { before, after, delta, ci_low, ci_high } = row;
  const sides = { before: shown(before), after: shown(after), delta: shown(delta) };
  return { ...row, ...sides, ci_low: shown(ci_low), ci_high: shown(ci_high) };
}
