import { SOURCE_NAMES, type Source } from "../../sources/sources.ts";
import type { Obstacle } from "../../statistics/verdict.ts";
import type { PromptPositions } from "../prompt-clusters.ts";
import { countCells, type CollectSide } from "./compare-facts.ts";

const NAME_LIST = new Intl.ListFormat("en-GB");

/** A run outside the baseline of a change, with the reason. */
export interface OmittedRun {
  number: number;
  reason: string;
}

/** Runs behind `before` in words: `mean of runs 3 and 4; run 2 left out, because …`. */
export function describeBaseline(numbers: readonly number[], omitted: OmittedRun | null): string {
  const runs = numbers.length === 1 ? `run ${numbers.join()}` : `mean of runs ${NAME_LIST.format(numbers.map(String))}`;
  if (omitted === null) return runs;
  const subject = numbers.includes(omitted.number) ? "not comparable" : `run ${omitted.number} left out`;
  return `${runs}; ${subject}, because ${omitted.reason}`;
}

/** Reason why runs are not comparable; `sources` are those whose method or model differs. */
export function describeObstacle(obstacle: Obstacle, sources: readonly string[]): string {
  if (obstacle === "catalog_changed") return "brands or extraction rules had changed";
  if (obstacle === "basket_changed") return "most prompts had changed";
  const part = obstacle === "model_changed" ? "model" : "collection method";
  return `the ${part} of ${NAME_LIST.format(sources)} had changed`;
}

/** Display names of the sources with cells that an obstacle leaves out. */
export function* listObstructedSources(
  obstacle: Obstacle,
  { after, before }: { after: CollectSide; before: readonly CollectSide[] },
  prompts: readonly (readonly PromptPositions[])[],
): Generator<undefined, string[]> {
  const names = new Set<string>();
  for (const key of after.sources.keys()) {
    const atSource = ({ sources }: CollectSide) => ({ sources: new Map([...sources].filter(([one]) => one === key)) });
    const { otherMethod, otherModel } = yield* countCells(atSource(after), before.map(atSource), prompts);
    // Keys of prompt slices append country and persona to the source.
    const source = key.split(" ", 1)[0] as Source;
    if ((obstacle === "model_changed" ? otherModel : otherMethod) > 0) names.add(SOURCE_NAMES[source]);
  }
  return [...names];
}
