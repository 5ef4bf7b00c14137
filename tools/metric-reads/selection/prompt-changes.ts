import { setImmediate as nextTurn } from "node:timers/promises";
import type { ComparedMetric } from "../../../core/metrics/comparable-metrics.ts";
import { selectFamilies } from "../../../core/metrics/share-of-voice.ts";
import { judgeChanges, type ChangeRow, type UnjudgedChange } from "../../../core/metrics/changes/change-row.ts";
import { openChanges } from "../../../core/metrics/changes/changes.ts";
import type { OpenedPrompts } from "./open-prompts.ts";
import { buildSeriesFromSlices, type PromptGroup, type PromptSlice } from "./prompt-groups.ts";

export interface JudgedPart {
  group: PromptGroup;
  slices: readonly PromptSlice[];
  prompts: readonly number[];
  /** Number of a brand, of a verdict, or `SCORE_FOR`. */
  number: number;
  /** The own brand as a whole is a single test. */
  isAlone: boolean;
}

/** Judges presence by default. `rivals` detect changes of all brands at once. */
export async function judgePartChanges(
  parts: readonly JudgedPart[],
  { collects, brands, isScheduled }: Pick<OpenedPrompts, "collects" | "brands" | "isScheduled">,
  options: {
    rivals?: readonly number[];
    compared?: ComparedMetric;
    scale?: number;
  } = {},
): Promise<(ChangeRow | null)[]> {
  const { rivals = [], compared: comparedMetric = "presence", scale } = options;
  const { series, comparesPrevious, previous } = collects;
  const open = (slices: readonly PromptSlice[]) =>
    openChanges(buildSeriesFromSlices(series, slices), {
      comparedMetric,
      pause: nextTurn,
      clusters: null,
      families: selectFamilies(brands),
      rivals,
      shownBrands: parts.map(({ number }) => number),
      isScheduled,
      reference: comparesPrevious ? buildSeriesFromSlices(previous, slices) : null,
    });
  // Rows of one prompt group have the same slices, so their changes are read once.
  const opened = new Map(parts.map(({ slices }) => [slices, open(slices)]));
  const changes: (UnjudgedChange | undefined)[] = [];
  for (const { group, slices, prompts, number } of parts) {
    const last = group.names.collect === undefined ? collects.current.at(-1) : group.collects[0];
    const position = series.findIndex(({ id }) => id === last?.id);
    const scope = { sources: null, keywords: prompts };
    const each = position === -1 ? undefined : await opened.get(slices)?.at(position, [number], scope);
    changes.push(each?.get(number));
  }
  return judgeChanges(changes, (index) => parts[index]?.isAlone ?? false, scale);
}
