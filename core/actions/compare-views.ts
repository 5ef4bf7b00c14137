import { compareFacts, type CollectSide } from "../metrics/changes/compare-facts.ts";
import { comparedFigure, rivalChanges } from "../metrics/changes/compared-figure.ts";
import { cellsIn, promptsIn, type PromptClusters } from "../metrics/prompt-clusters.ts";
import type { Source } from "../sources/sources.ts";
import type { Difference } from "../statistics/difference.ts";
import { fieldMoves } from "../statistics/field.ts";
import { obstacleOf, type Obstacle } from "../statistics/verdict.ts";
import type { CollectView, Compared } from "./collect-view.ts";
import type { Steps } from "./finding.ts";

export interface Part {
  source: Source;
  keywords: readonly number[];
}

/** Change of the own brand over the cells that both collects answered in the same way. */
export interface Comparison {
  /** Reason why the collects are not comparable, or null. */
  obstacle: Obstacle | null;
  difference: Difference;
  /** True if the rivals changed together. */
  withField: () => boolean;
}

export function* compareViews(
  { before, after }: { before: CollectView; after: CollectView },
  parts: readonly Part[],
  of: { compared: Compared; clusters: PromptClusters; figure: "presence" | "visibility" },
): Steps<Comparison> {
  const asked = new Map(parts.map(({ source, keywords }) => [source, new Set(keywords)]));
  const keywords = [...new Set(parts.flatMap((part) => part.keywords))].toSorted((a, b) => a - b);
  const isAsked = (source: Source, keyword: number) => asked.get(source)?.has(keyword) ?? false;
  const sides = [sideOf(after), [sideOf(before)]] as const;
  const comparison = yield* compareFacts(...sides, {
    prompts: promptsIn(keywords, of.clusters).map((prompt) => cellsIn(prompt, of.clusters)),
    compared: of.figure,
    isAsked,
    withDifferences: true,
  });
  const numberOf = (id: string) => after.sources[0]?.brandIds.indexOf(id) ?? -1;
  const rivals = [...of.compared.rivalIds].map(numberOf);
  return {
    // Both sides use the current catalog: a catalog change re-extracts all answers.
    obstacle: obstacleOf(comparison.cells, true),
    difference: comparedFigure(comparison, numberOf(of.compared.ownId)).difference,
    withField: () => fieldMoves(comparison.prompts, rivalChanges(comparison, rivals)),
  };
}

function sideOf({ sources }: CollectView): CollectSide {
  return { sources: new Map(sources.map(({ source, facts }) => [source, facts])) };
}
