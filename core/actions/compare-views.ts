import { compareFacts, type CollectSide } from "../metrics/changes/compare-facts.ts";
import { compareValue, listRivalChanges } from "../metrics/changes/compare-value.ts";
import { groupByCell, groupPositionsByPrompt, type PromptClusters } from "../metrics/prompt-clusters.ts";
import type { Source } from "../sources/sources.ts";
import type { Difference } from "../statistics/difference.ts";
import { isFieldMoving } from "../statistics/field.ts";
import { findObstacle, type Obstacle } from "../statistics/verdict.ts";
import type { CollectView, ComparedBrands } from "./collect-view.ts";
import type { Steps } from "./finding.ts";

export interface SourceKeywords {
  source: Source;
  keywords: readonly number[];
}

/** Change of the own brand over cells that both collects answered by the same method and model. */
export interface ViewComparison {
  /** Reason why the collects are not comparable, or null. */
  obstacle: Obstacle | null;
  difference: Difference;
  /** Returns true if the presence of the competitors changed together, as after a model update. */
  withField: () => boolean;
}

export function* compareViews(
  { before, after }: { before: CollectView; after: CollectView },
  parts: readonly SourceKeywords[],
  options: { compared: ComparedBrands; promptClusters: PromptClusters; metric: "presence" | "visibility" },
): Steps<ViewComparison> {
  const questions = new Map(parts.map(({ source, keywords }) => [source, new Set(keywords)]));
  const keywords = [...new Set(parts.flatMap((part) => part.keywords))].toSorted((a, b) => a - b);
  const isAsked = (source: Source, keyword: number) => questions.get(source)?.has(keyword) ?? false;
  const sides = [toCollectSide(after), [toCollectSide(before)]] as const;
  const comparison = yield* compareFacts(...sides, {
    prompts: groupPositionsByPrompt(keywords, options.promptClusters).map((prompt) =>
      groupByCell(prompt, options.promptClusters),
    ),
    comparedMetric: options.metric,
    isAsked,
    withDifferences: true,
  });
  const toNumber = (id: string) => after.sources[0]?.brandIds.indexOf(id) ?? -1;
  const rivals = [...options.compared.rivalIds].map(toNumber);
  return {
    // Both sides use the current catalog: a catalog change re-extracts all answers.
    obstacle: findObstacle(comparison.cells, true),
    difference: compareValue(comparison, toNumber(options.compared.ownId)).difference,
    withField: () => isFieldMoving(comparison.promptCount, listRivalChanges(comparison, rivals)),
  };
}

function toCollectSide({ sources }: CollectView): CollectSide {
  return { sources: new Map(sources.map(({ source, facts }) => [source, facts])) };
}
