import { setImmediate as nextTurn } from "node:timers/promises";
import type { Tenant } from "../../../db/engine/store.ts";
import { findAnalysis } from "../../../db/analyses/analyses.ts";
import type { MeasuredCollect } from "../../../db/metrics/search-metrics.ts";
import { readPromptClusters } from "../../../db/analyses/prompt-clusters.ts";
import type { ComparedMetric } from "../../../core/metrics/comparable-metrics.ts";
import { MAX_EARLIER_COLLECTS } from "../../../core/statistics/schedule.ts";
import { listIds, isEarlierCollect, type ChosenCollects } from "./choose-collects.ts";
import { selectFamilies } from "../../../core/metrics/share-of-voice.ts";
import { readFacts, type BrandSelection, type CountedFacts } from "./sum-brands.ts";
import { judgeChanges, type ChangeRow } from "../../../core/metrics/changes/change-row.ts";
import { openChanges, type SeriesChanges, type SeriesCollect } from "../../../core/metrics/changes/changes.ts";

/** Includes the collect of the change. */
export const MAX_SERIES_LENGTH = MAX_EARLIER_COLLECTS + 1;

interface NumberedBrand {
  id: string;
  number: number;
  parentId: string | null;
}

export interface ChangesInput {
  analysis: { id: string; brandId: string };
  collects: Pick<ChosenCollects, "previous" | "comparesPrevious">;
  series: readonly MeasuredCollect[];
  facts: readonly CountedFacts[];
  brands: readonly NumberedBrand[];
  shown: readonly number[];
  comparedMetric: ComparedMetric;
}

export async function openSelectionChanges(tenant: Tenant, input: ChangesInput): Promise<SeriesChanges> {
  const { analysis, collects, series, facts, brands, shown: shownBrands, comparedMetric } = input;
  const storedAnalysis = await findAnalysis(tenant, analysis.id);
  const own = brands.find(({ id }) => id === analysis.brandId)?.number ?? 0;
  return openChanges(buildSeriesFromFacts(series, facts), {
    comparedMetric,
    pause: nextTurn,
    clusters: await readPromptClusters(tenant.db, analysis.id),
    shownBrands,
    families: selectFamilies(brands),
    isScheduled: storedAnalysis?.schedule.every !== "once",
    reference: collects.comparesPrevious ? buildSeriesFromFacts(collects.previous, facts) : null,
    rivals: brands.filter(({ number, parentId }) => parentId === null && number !== own).map(({ number }) => number),
  });
}

/** Empty if several collects are measured as one. */
export async function judgeBrandChanges(
  tenant: Tenant,
  selection: BrandSelection,
  options: {
    analysis: { id: string; brandId: string };
    collects: ChosenCollects;
    brands: readonly NumberedBrand[];
    shown: readonly number[];
  },
): Promise<Map<number, ChangeRow | null>> {
  const { analysis, collects, brands, shown } = options;
  const [last, ...more] = collects.current;
  if (!last || more.length > 0) return new Map();
  const series = listSeriesTo(collects.measured, last).slice(-MAX_SERIES_LENGTH);
  const needed = [...new Set([...listIds(series), ...listIds(collects.previous)])];
  const { counted: facts, prompts } = await readFacts(tenant.db, selection, needed);
  const changes = await openSelectionChanges(tenant, {
    analysis,
    collects,
    series,
    facts,
    brands,
    shown,
    comparedMetric: "presence",
  });
  const each = await changes.at(series.length - 1, shown, { sources: null, keywords: prompts.flat() });
  const own = brands.find(({ id }) => id === analysis.brandId)?.number;
  const rows = judgeChanges(
    shown.map((number) => each.get(number)),
    (index) => shown[index] === own,
  );
  return new Map(shown.map((number, index) => [number, rows[index] ?? null]));
}

/** Oldest first. */
export function listSeriesTo(measured: readonly MeasuredCollect[], last: MeasuredCollect): MeasuredCollect[] {
  const series = [last];
  for (;;) {
    const [first] = series;
    const before = measured.filter((one) => first && isEarlierCollect(one, first));
    const latest = before.toSorted((a, b) => ((a.collectedTo ?? "") < (b.collectedTo ?? "") ? -1 : 1)).at(-1);
    if (!latest) return series;
    series.unshift(latest);
  }
}

export function buildSeriesFromFacts(
  series: readonly MeasuredCollect[],
  facts: readonly CountedFacts[],
): SeriesCollect[] {
  return series.map((collect) => {
    const own = facts.filter(({ collectId }) => collectId === collect.id);
    return { collect, collectSide: { sources: new Map(own.map((one) => [one.source, one.facts] as const)) } };
  });
}
