import { inTurns } from "../../core/in-turns.ts";
import type { Families } from "../../core/measuring/share-of-voice.ts";
import { setImmediate as nextTurn } from "node:timers/promises";
import { compareFacts, countCells, type CollectSide, type Comparison } from "../../core/measuring/compare-facts.ts";
import type { Compared } from "../../core/measuring/figures.ts";
import { rivalChanges } from "../../core/measuring/compared-figure.ts";
import { cellsIn, promptsIn, type PromptClusters } from "../../core/measuring/prompt-clusters.ts";
import { marksOf } from "../../core/measuring/packed-columns.ts";
import type { Source } from "../../core/sources.ts";
import { fieldMoves } from "../../core/statistics/field.ts";
import { obstacleOf, type Obstacle } from "../../core/statistics/verdict.ts";
import type { MeasuredCollect } from "../../db/measuring/search-metrics.ts";

/** A collect with its facts of a selection. */
export interface ReadCollect {
  collect: MeasuredCollect;
  side: CollectSide;
}

/** What part of the answers is compared: of some sources, to some questions by their positions. */
export interface Scope {
  sources: readonly Source[] | null;
  keywords: readonly number[];
}

/** What is compared, and whose changes are the field's. */
export interface ComparedAs {
  compared: Compared;
  clusters: PromptClusters;
  families: Families;
  rivals: readonly number[];
  /** Numbers of the brands that changes are asked of. */
  shown: readonly number[];
}

/** Comparisons of one collect with others within a scope. Each is made once. */
export interface Comparisons {
  compare(last: ReadCollect, reference: readonly ReadCollect[]): Promise<Comparison>;
  /** One that `compare` has made. */
  made(last: ReadCollect, reference: readonly ReadCollect[]): Comparison;
  /** Why the two sides cannot be compared; null where they can. */
  obstacle(last: ReadCollect, reference: readonly ReadCollect[]): Promise<Obstacle | null>;
  /** Whether the rivals moved too. */
  fieldMoves(last: ReadCollect, reference: readonly ReadCollect[]): Promise<boolean>;
}

/** Opens the comparisons of a scope. */
export function openComparisons(of: ComparedAs, { sources, keywords }: Scope): Comparisons {
  const { compared, clusters, families, rivals } = of;
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
    const made = await inTurns(comparing, nextTurn);
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
      const cells = known?.cells ?? (await inTurns(countCells(within(last), reference.map(within), prompts), nextTurn));
      const versions = new Set([last, ...reference].map(({ collect }) => collect.summedVersion));
      return obstacleOf(cells, versions.size === 1 && !versions.has(null));
    },
    async fieldMoves(last, reference) {
      const key = keyOf(last, reference);
      const known = fields.get(key);
      if (known !== undefined) return known;
      // What every rival differs by in every prompt is much, and few comparisons need it.
      const all = { prompts, compared, families, only: marksOf(rivals), withDifferences: true };
      const comparison = await inTurns(compareFacts(within(last), reference.map(within), all), nextTurn);
      const moves = fieldMoves(comparison.prompts, rivalChanges(comparison, rivals));
      fields.set(key, moves);
      return moves;
    },
  };
}

function keyOf({ collect }: ReadCollect, reference: readonly ReadCollect[]): string {
  return `${collect.id} ${reference.map((one) => one.collect.id).join(" ")}`;
}
