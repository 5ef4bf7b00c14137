import { judgeGaps, sumGaps, type UnjudgedGap } from "../../../core/metrics/brand-gaps.ts";
import { groupPositionsByPrompt, type PromptClusters } from "../../../core/metrics/prompt-clusters.ts";
import { selectFamilies } from "../../../core/metrics/share-of-voice.ts";
import { invalidInput } from "../../../core/shared/errors.ts";
import type { CollectionMethod } from "../../../core/sources/sources.ts";
import type { BrandName } from "../../../db/analyses/projects.ts";
import { FIGURE_COLUMNS, type VisibilityRow } from "../../metrics/visibility-row.ts";
import type { CountedFacts } from "../selection/sum-brands.ts";
import { createAloneFilter, groupCandidates, type JudgedRow } from "./visibility-changes.ts";
import type { Dimension } from "./visibility-groups.ts";
import type { VisibilityInput } from "./visibility-request.ts";
import { selectGroupFacts } from "./visibility-sums.ts";

export function addGaps(
  rows: readonly VisibilityRow[],
  candidates: readonly JudgedRow[],
  options: {
    input: VisibilityInput;
    facts: readonly CountedFacts[];
    clusters: PromptClusters;
    order: readonly CollectionMethod[];
    analysis: { brandId: string };
    brands: readonly BrandName[];
    dimensions: readonly Dimension[];
  },
): VisibilityRow[] {
  const { input, facts, clusters, order, analysis, brands, dimensions } = options;
  const versus = brands.find(({ id }) => id === input.versus);
  if (!versus) throw invalidInput([{ path: "versus", message: "must be a brand of the catalog, from list_brands" }]);
  const gaps: (UnjudgedGap | undefined)[] = Array.from({ length: candidates.length });
  for (const [group, members] of groupCandidates(candidates)) {
    const prompts = groupPositionsByPrompt(group.keywords, clusters);
    const { momentsByBrand, versusValue } = sumGaps(selectGroupFacts(facts, group, group.collects, order), prompts, {
      metric: input.figure,
      families: selectFamilies(brands),
      brands: members.map(({ candidate }) => candidate.brand.number),
      versus: versus.number,
    });
    for (const { candidate, index } of members) {
      const { row, brand } = candidate;
      const moments = momentsByBrand.get(brand.number);
      if (!moments || brand.id === versus.id || row[FIGURE_COLUMNS[input.figure]] === null) continue;
      const { answers: n, prompts: promptCount } = row;
      gaps[index] = { versus: versus.name, versus_value: versusValue, n, prompts: promptCount, moments };
    }
  }
  const alone = createAloneFilter(candidates, { analysis, dimensions });
  const judged = judgeGaps(gaps, alone, input.figure === "visibility" ? 100 : 1);
  return rows.map((row, index) => ({ ...row, gap: judged[index] ?? null }));
}
