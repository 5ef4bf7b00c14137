import { findCatalogVersion } from "../../../db/catalog/brands.ts";
import { isBackgroundJobActive } from "../../../db/jobs/background-jobs.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import { findAnalysis } from "../../../db/analyses/analyses.ts";
import { buildCountryCacheKey } from "../../../db/analyses/prompt-countries.ts";
import { listMethods } from "../../../db/metrics/methods.ts";
import { findLastPosition } from "../../../db/analyses/prompt-clusters.ts";
import { listFactDigests } from "../../../db/metrics/search-metrics.ts";
import { listIds } from "../selection/choose-collects.ts";
import type { VisibilityInput } from "./visibility-request.ts";
import { hashKey } from "../selection/open-prompts.ts";
import type { ChosenSeries } from "../selection/prompt-selection.ts";
import { ANSWER_DIMENSIONS, type Dimension } from "./visibility-groups.ts";

const BYTES_PER_ROW = 1500;

/** Rows take up to seconds with thousands of brands. Excludes rows by topic: names can change. */
export async function cacheRows<Read extends { rows: readonly unknown[] }>(
  tenant: Tenant,
  request: {
    analysis: { id: string; brandId: string };
    input: VisibilityInput;
    collects: ChosenSeries;
    dimensions: readonly Dimension[];
    compared: ReadonlySet<string>;
  },
  make: () => Promise<Read>,
): Promise<Read> {
  const { input, dimensions } = request;
  const isKept = !input.as_published && dimensions.every((one) => ANSWER_DIMENSIONS.has(one));
  if (!isKept) return make();
  return tenant.db.cache.get(`visibility ${await buildCacheKey(tenant, request)}`, async () => {
    const value = await make();
    return { value, bytes: value.rows.length * BYTES_PER_ROW };
  });
}

async function buildCacheKey(tenant: Tenant, request: Parameters<typeof cacheRows>[1]): Promise<string> {
  const { db, workspaceId } = tenant;
  const { analysis, collects, compared } = request;
  const { sort: _sort, sort_direction: _direction, limit: _limit, cursor: _cursor, only, ...input } = request.input;
  const { series, current, previous, requiredCollects, chosen } = collects;
  return hashKey([
    [analysis, input, only === "intervals", [...compared]],
    [series, current, previous, chosen],
    await listFactDigests(db, [...new Set(listIds([...requiredCollects, ...current]))]),
    [await findCatalogVersion(tenant), await findLastPosition(db, analysis.id), await listMethods(db, analysis.id)],
    (await findAnalysis(tenant, analysis.id))?.schedule,
    await buildCountryCacheKey(db, analysis.id, input.countries),
    await isBackgroundJobActive(tenant, "reread_answers", workspaceId),
  ]);
}
