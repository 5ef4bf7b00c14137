import { listPromptingAnalyses } from "../../../db/actions/audit-facts.ts";
import { listCollectsByIds, type LatestCollect } from "../../../db/actions/recommend-facts.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import { listMeasuredCollects } from "../../../db/metrics/search-metrics.ts";
import { comparePeriods, selectDefaultCollect, listIds, isEarlierCollect } from "./choose-collects.ts";

/** Latest first. */
export async function listLatestCollects(tenant: Tenant, analysisId: string): Promise<LatestCollect[]> {
  const measured = await listMeasuredCollects(tenant, analysisId);
  const [latest] = selectDefaultCollect(measured);
  if (!latest) return [];
  const before = measured
    .filter((collect) => isEarlierCollect(collect, latest))
    .toSorted((a, b) => comparePeriods(b, a));
  const ids = listIds([latest, ...before]);
  const rows = new Map((await listCollectsByIds(tenant, ids)).map((row) => [row.id, row]));
  return ids.flatMap((id) => rows.get(id) ?? []);
}

/** Omits analyses that ask no sources. */
export async function listNewestCollects(tenant: Tenant): Promise<{ id: string; analysisId: string }[]> {
  const newest = [];
  for (const analysisId of await listPromptingAnalyses(tenant)) {
    const [collect] = selectDefaultCollect(await listMeasuredCollects(tenant, analysisId));
    if (collect) newest.push({ id: collect.id, analysisId });
  }
  return newest;
}
