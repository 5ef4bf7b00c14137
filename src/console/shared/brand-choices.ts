import { Id } from "../../../core/shared/fields.ts";
import { getBrand } from "../../../tools/brands/get-brand.ts";
import { listBrands } from "../../../tools/brands/list-brands.ts";
import { getProjectFilters } from "../../../tools/metrics/get-project-filters.ts";
import { MAX_OPTIONS, type BrandChoices } from "./filters.ts";
import type { MeasuredAnalysis } from "./show-metrics-page.ts";

/** If there are too many brands to list, returns only those whose ids are in the query. */
export async function readBrandChoices(
  { call, ids, query, analysis }: MeasuredAnalysis,
  names: readonly string[],
): Promise<BrandChoices> {
  const { total_count: brandCount } = await call(listBrands, { ...ids, limit: 1 });
  if (brandCount <= MAX_OPTIONS) {
    const { brands } = await call(getProjectFilters, { client_id: ids.organization_id, project_id: analysis.id });
    return { isTyped: false, options: brands.map(({ id, name }) => [id, name] as const) };
  }
  const chosen = names.flatMap((name) => query.get(name) ?? []).filter((value) => Id.safeParse(value).success);
  const brands = await Promise.all([...new Set(chosen)].map((brand_id) => call(getBrand, { ...ids, brand_id })));
  return { isTyped: true, options: brands.map(({ id, name }) => [id, name] as const) };
}
