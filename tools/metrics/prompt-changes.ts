import type { Compared } from "../../core/measuring/compare-facts.ts";
import type { Tenant } from "../../db/engine/store.ts";
import { findAnalysis } from "../../db/measuring/analyses.ts";
import type { BrandName } from "../../db/measuring/projects.ts";
import { familiesOf } from "../search-metrics/selection.ts";
import { judge, type ChangeRow, type JudgedChange } from "./change-row.ts";
import { openChanges } from "./changes.ts";
import { sidesOf, type PromptGroup, type PromptSlice } from "./prompt-groups.ts";
import type { ChosenSeries } from "./prompt-selection.ts";

/** A row whose figure is judged. */
export interface JudgedPart {
  group: PromptGroup;
  /** Those of its group, of all collects that were read. */
  slices: readonly PromptSlice[];
  /** Prompts that its figure is of. */
  prompts: readonly number[];
  /** What stands for the figure in facts: a brand's number, a verdict's, or FOR. */
  number: number;
  /** The own brand as a whole is one question. */
  isAlone: boolean;
}

/** Changes of one figure of rows, judged over all of them: by default of a presence. Where `rivals` moved too, it moved with the field. */
export async function changesOfParts(
  tenant: Tenant,
  parts: readonly JudgedPart[],
  of: {
    projectId: string;
    collects: ChosenSeries;
    brands: readonly BrandName[];
    rivals: readonly number[];
    compared?: Compared;
    /** Has 1 at what a share is a share of. */
    families?: Uint8Array;
    /** How often what is compared the figure is shown. */
    scale?: number;
  },
): Promise<(ChangeRow | null)[]> {
  const { projectId, collects, brands, rivals, compared = "presence", families = familiesOf(brands), scale } = of;
  const { series, chosen, previous } = collects;
  const analysis = await findAnalysis(tenant, projectId);
  const open = (slices: readonly PromptSlice[]) =>
    openChanges(sidesOf(series, slices), {
      compared,
      clusters: null,
      families,
      rivals,
      shown: parts.map(({ number }) => number),
      isScheduled: analysis?.schedule.every !== "once",
      reference: chosen.includes("previous_collects") ? sidesOf(previous, slices) : null,
    });
  // Brands of a group share its comparisons.
  const opened = new Map(parts.map(({ slices }) => [slices, open(slices)]));
  const changes: (JudgedChange | undefined)[] = [];
  for (const { group, slices, prompts, number } of parts) {
    const last = group.names.collect === undefined ? collects.current.at(-1) : group.collects[0];
    const position = series.findIndex(({ id }) => id === last?.id);
    const scope = { sources: null, keywords: prompts };
    const each = position === -1 ? undefined : await opened.get(slices)?.at(position, [number], scope);
    changes.push(each?.get(number));
  }
  return judge(changes, (index) => parts[index]?.isAlone ?? false, scale);
}
