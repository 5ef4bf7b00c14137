import { selectFamilies } from "../../../core/metrics/share-of-voice.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import type { BrandName } from "../../../db/analyses/projects.ts";
import type { CountedFacts } from "../selection/sum-brands.ts";
import { judgeChanges, type UnjudgedChange } from "../../../core/metrics/changes/change-row.ts";
import { notePlainDifference } from "../../../core/metrics/changes/plain-difference.ts";
import type { SeriesChanges } from "../../../core/metrics/changes/changes.ts";
import { explainMissingChange, type VisibilityInput } from "./visibility-request.ts";
import type { ChosenSeries } from "../selection/prompt-selection.ts";
import { openSelectionChanges } from "../selection/selection-changes.ts";
import type { Dimension, Group } from "./visibility-groups.ts";
import { FIGURE_COLUMNS, type VisibilityRow } from "../../metrics/visibility-row.ts";

export interface JudgedRow {
  group: Group;
  brand: BrandName;
  row: VisibilityRow;
  /** Unadjusted value of the previous run. */
  plainPrevious: number | null;
}

/** Adds changes, judged over all rows: paging, sorting and `only` never alter a verdict. */
export async function addChanges(
  tenant: Tenant,
  candidates: readonly JudgedRow[],
  options: {
    input: VisibilityInput;
    facts: readonly CountedFacts[];
    collects: ChosenSeries;
    analysis: { id: string; brandId: string };
    brands: readonly BrandName[];
    dimensions: readonly Dimension[];
  },
): Promise<VisibilityRow[]> {
  const { input, facts, collects, analysis, brands, dimensions } = options;
  // A prompt alone has too few answers for a verdict.
  const isJudged =
    !dimensions.includes("keyword") &&
    explainMissingChange(input, { collects, dimensions, familyCount: selectFamilies(brands).count }) === null;
  if (!isJudged) return candidates.map(({ row }) => ({ ...row, change: null }));
  const numbers = [...new Set(candidates.map(({ brand }) => brand.number))];
  const opened = {
    analysis,
    collects,
    series: collects.series,
    facts,
    brands,
    shown: numbers,
    comparedMetric: input.figure,
  };
  const changes = await openSelectionChanges(tenant, opened);
  const judged: (UnjudgedChange | undefined)[] = Array.from({ length: candidates.length });
  for (const [group, members] of groupCandidates(candidates)) {
    const each = await toChanges(
      changes,
      group,
      collects,
      members.map(({ candidate }) => candidate.brand.number),
    );
    for (const { candidate, index } of members) judged[index] = each.get(candidate.brand.number);
  }
  const alone = createAloneFilter(candidates, { analysis, dimensions });
  // Visibility scores are displayed as 0 to 100.
  const rows = judgeChanges(judged, alone, input.figure === "visibility" ? 100 : 1);
  return candidates.map(({ row, group, plainPrevious }, index) => {
    const position = findPosition(group, collects);
    const run = collects.comparesPrevious || position < 1 ? undefined : collects.series[position - 1]?.number;
    const plain = { run, before: plainPrevious, after: row[FIGURE_COLUMNS[input.figure]] };
    const change = notePlainDifference(rows[index] ?? null, plain, input.figure === "visibility" ? 1 : 100);
    return { ...row, previous: change ? change.before : row.previous, change };
  });
}

/** True for single tests: the own brand as a whole, in each collect of a series. */
export function createAloneFilter(
  candidates: readonly JudgedRow[],
  { analysis, dimensions }: { analysis: { brandId: string }; dimensions: readonly Dimension[] },
): (index: number) => boolean {
  const isWhole = dimensions.every((dimension) => dimension === "collect");
  return (index) => isWhole && candidates[index]?.brand.id === analysis.brandId;
}

async function toChanges(changes: SeriesChanges, group: Group, collects: ChosenSeries, brands: readonly number[]) {
  const position = findPosition(group, collects);
  const { sources, keywords } = group;
  return position === -1 ? new Map<number, UnjudgedChange>() : changes.at(position, brands, { sources, keywords });
}

/** Position of the group's run in the series; -1 if absent. */
function findPosition(group: Group, { series, current }: ChosenSeries): number {
  const last = group.names.collect === undefined ? current.at(-1) : group.collects[0];
  return series.findIndex(({ id }) => id === last?.id);
}

export function groupCandidates(candidates: readonly JudgedRow[]) {
  const groups = new Map<Group, { candidate: JudgedRow; index: number }[]>();
  for (const [index, candidate] of candidates.entries()) {
    const known = groups.get(candidate.group);
    if (known) known.push({ candidate, index });
    else groups.set(candidate.group, [{ candidate, index }]);
  }
  return groups;
}
