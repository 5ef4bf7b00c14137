import { setImmediate as nextTurn } from "node:timers/promises";
import type { CollectFacts } from "../../../core/metrics/facts/collect-facts.ts";
import { sumRunsVariance } from "../../../core/metrics/changes/runs-variance.ts";
import { compareValue } from "../../../core/metrics/changes/compare-value.ts";
import type { PromptPositions, PromptClusters } from "../../../core/metrics/prompt-clusters.ts";
import { sumFacts } from "../../../core/metrics/facts/sum-facts.ts";
import {
  measureSpread,
  type MeasuredSpread,
  type BrandObservations,
} from "../../../core/statistics/measured-spread.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import { listBrandNames } from "../../../db/analyses/projects.ts";
import type { MeasuredCollect } from "../../../db/metrics/search-metrics.ts";
import { openComparisons } from "../../../core/metrics/changes/changes.ts";
import { buildSeriesFromFacts, listSeriesTo } from "../../metric-reads/selection/selection-changes.ts";
import { chooseCollects, listIds } from "../../metric-reads/selection/choose-collects.ts";
import { selectFamilies, type Families } from "../../../core/metrics/share-of-voice.ts";
import { keywordFilter } from "../../metric-reads/selection/selection.ts";
import { readFacts, buildSelection, type CountedFacts } from "../../metric-reads/selection/sum-brands.ts";

/** Bounds the work, because pricing runs in a transaction. */
const MAX_PROMPTS = 500;

export async function readSpread(
  tenant: Tenant,
  analysis: { id: string; brandId: string | null },
): Promise<MeasuredSpread | undefined> {
  if (analysis.brandId === null) return undefined;
  const { current, measured } = await chooseCollects(tenant, analysis.id, {});
  const last = current.at(-1);
  if (!last) return undefined;
  const pair = listSeriesTo(measured, last).slice(-2);
  const brands = await listBrandNames(tenant);
  const families = selectFamilies(brands);
  const read = await readFacts(
    tenant.db,
    { ...buildSelection(analysis.id, keywordFilter({}, ["Generic"]), {}), isHeadline: true },
    listIds(pair),
  );
  const step = Math.ceil(read.prompts.length / MAX_PROMPTS);
  const prompts = read.prompts.filter((_, at) => at % step === 0);
  const brand = brands.find(({ id }) => id === analysis.brandId)?.number ?? 0;
  return measureSpread(await observeSpread(pair, read.counted, { prompts, clusters: read.clusters, brand, families }));
}

async function observeSpread(
  pair: readonly MeasuredCollect[],
  counted: readonly CountedFacts[],
  options: { prompts: readonly PromptPositions[]; clusters: PromptClusters; brand: number; families: Families },
): Promise<BrandObservations> {
  const { clusters, brand, families } = options;
  const keywords = options.prompts.flat();
  const latest = counted.filter(({ collectId }) => collectId === pair.at(-1)?.id).map(({ facts }) => facts);
  const sums = sumFacts(latest, options.prompts, families);
  const own = sums.brands.get(brand);
  const runs = latest.map((facts) => sumRunsVariance(facts, keywords, brand));
  const sides = buildSeriesFromFacts(pair, counted);
  const last = sides.at(-1);
  const before = sides.slice(0, -1);
  const compared = {
    comparedMetric: "presence" as const,
    pause: nextTurn,
    clusters,
    families,
    rivals: [],
    shownBrands: [brand],
  };
  const comparisons = openComparisons(compared, { sources: null, keywords });
  const isCompared = last && before.length > 0 && (await comparisons.findObstacle(last, before)) === null;
  const comparison = isCompared ? await comparisons.compare(last, before) : undefined;
  const answers = comparison?.sourcePromptCount ?? sumAnsweredPrompts(latest, options.prompts);
  const prompts = comparison?.promptCount ?? sums.keywords;
  return {
    n: sums.total,
    x: own?.occurrences ?? 0,
    withValue: own?.nb_keywords ?? 0,
    withoutFull: sums.keywords - (own?.full_keywords ?? 0),
    runs: Math.max(1, (comparison?.n ?? sums.total) / Math.max(1, answers)),
    sourceCount: Math.max(1, answers / Math.max(1, prompts)),
    runsVariance: runs.reduce((all, { variance }) => all + variance, 0),
    cells: runs.reduce((all, { cells }) => all + cells, 0),
    change: comparison
      ? {
          difference: compareValue(comparison, brand).difference,
          promptCount: comparison.nn === 0 ? 0 : comparison.n ** 2 / comparison.nn,
        }
      : null,
  };
}

function sumAnsweredPrompts(facts: readonly CollectFacts[], prompts: readonly PromptPositions[]): number {
  return facts.reduce((all, { answers }) => {
    return all + prompts.filter((prompt) => prompt.some((question) => (answers[question] ?? 0) > 0)).length;
  }, 0);
}
