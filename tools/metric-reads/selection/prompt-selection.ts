import { z } from "zod";
import { analysisPath, Id, listQuery } from "../../../core/shared/fields.ts";
import { nameOrId } from "../../name-or-id.ts";
import { countriesField, kindQuery, personasField, sourcesField, statisticsField } from "./selection.ts";
import type { ChosenMethod, Source } from "../../../core/sources/sources.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import type { KindQuestion } from "../../../db/metrics/awareness-facts.ts";
import { listComparedBrandIds, type BrandName } from "../../../db/analyses/projects.ts";
import type { MeasuredCollect } from "../../../db/metrics/search-metrics.ts";
import { chooseCollects, listIds, type ChosenCollects } from "./choose-collects.ts";
import { dateQuery, type DatesInput } from "./date-window.ts";
import { PROMPT_DIMENSIONS, type PromptDimension } from "./prompt-groups.ts";
import { MAX_SERIES_LENGTH, listSeriesTo } from "./selection-changes.ts";

export const brandMetricsQuery = {
  ...analysisPath,
  analysis_id: Id.describe("A brand_analysis, from list_analyses."),
  group_by: z
    .array(z.enum(["brand", ...PROMPT_DIMENSIONS]))
    .min(1)
    .max(2)
    .default(["brand"])
    .describe("One or two. Without brand: yours, or `brands`."),
  brands: z.array(nameOrId("brand")).max(1000).optional().describe("Names or ids."),
  statistics: statisticsField,
  sources: sourcesField,
  personas: personasField,
  countries: countriesField,
  collect_ids: z.array(Id).max(100).optional().describe("Runs; default: latest."),
  prev_collect_ids: z.array(Id).max(4).optional().describe("Up to 4 runs to compare with; default: the previous run."),
  ...dateQuery,
  ...kindQuery,
  ...listQuery,
};

export interface BrandMetricsInput extends DatesInput {
  group_by: readonly ("brand" | PromptDimension)[];
  brands?: readonly string[] | undefined;
  sources?: readonly Source[] | undefined;
  personas?: readonly string[] | undefined;
  countries?: readonly string[] | undefined;
  collect_ids?: readonly string[] | undefined;
  prev_collect_ids?: readonly string[] | undefined;
  kind?: "simulated" | null | undefined;
  method?: ChosenMethod | null | undefined;
  statistics: boolean;
}

/** False if the prompt asks for pros or cons or names an invented brand. */
export function isUnsolicited({ asksProsCons, lookAlike }: Pick<KindQuestion, "asksProsCons" | "lookAlike">): boolean {
  return !asksProsCons && lookAlike === null;
}

export interface ChosenSeries extends ChosenCollects {
  series: MeasuredCollect[];
  requiredCollects: MeasuredCollect[];
}

type CollectsInput = DatesInput &
  Pick<BrandMetricsInput, "collect_ids" | "prev_collect_ids" | "kind" | "statistics"> & { group_by: readonly string[] };

/** Statistics and previous values also need earlier collects. */
export async function chooseForRows(
  tenant: Tenant,
  analysisId: string,
  input: CollectsInput,
  showsPrevious = input.statistics,
): Promise<ChosenSeries> {
  const chosen = await chooseCollects(tenant, analysisId, input);
  const last = chosen.current.at(-1);
  const series = last ? listSeriesTo(chosen.measured, last) : [];
  const isByCollect = input.group_by.includes("collect");
  const isDated = chosen.chosen.includes("dates");
  const current = isByCollect && !isDated && !input.collect_ids?.length ? series : chosen.current;
  const previous = showsPrevious ? chosen.previous : [];
  const before = input.statistics || (showsPrevious && isByCollect) ? series.slice(-MAX_SERIES_LENGTH) : [];
  const needed = new Set(listIds([...before, ...current, ...previous]));
  return {
    ...chosen,
    current,
    previous,
    series,
    // The trend of a period compares each run with the runs before it.
    comparesPrevious: chosen.comparesPrevious && !(isByCollect && isDated),
    requiredCollects: chosen.measured.filter(({ id }) => needed.has(id)),
  };
}

/** Naming brands filters rows but not the family of tests. */
export async function selectShownBrands(
  tenant: Tenant,
  {
    analysis,
    brands,
    input,
  }: { analysis: { id: string; brandId: string }; brands: readonly BrandName[]; input: BrandMetricsInput },
): Promise<{ brand: BrandName; isShown: boolean }[]> {
  const named = input.brands ?? [];
  const isByBrand = input.group_by.includes("brand");
  const byDefault = isByBrand
    ? await listComparedBrandIds(tenant, analysis)
    : named.length > 0
      ? []
      : [analysis.brandId];
  const judged = [...new Set([...byDefault, ...named])];
  const isShown = (id: string) => named.length === 0 || named.includes(id);
  return judged.flatMap((id) => {
    const brand = brands.find((one) => one.id === id);
    return brand ? [{ brand, isShown: isShown(id) }] : [];
  });
}
