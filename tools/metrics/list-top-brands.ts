import { notePlainDifference } from "../../core/metrics/changes/plain-difference.ts";
import { estimateMetric } from "../../core/metrics/comparable-metrics.ts";
import { setImmediate as nextTurn } from "node:timers/promises";
import { z } from "zod";
import { findProject, listBrandDomains, listBrandNames, listComparedBrandIds } from "../../db/analyses/projects.ts";
import { KEYWORD_TYPES, getPresenceBasis, type CompetitorType } from "../../core/sources/sources.ts";
import { getBrandCompetitorType } from "../../core/brands/competitor-type.ts";
import { notFound } from "../../core/shared/errors.ts";
import { FunnelStageField, KeywordTypeField, SortDirectionField, unlisted } from "../../core/shared/fields.ts";
import type { BrandSums, Sums } from "../../core/metrics/metrics.ts";
import { foldText } from "../../core/reading/aliases/text-folding.ts";
import type { Tenant } from "../../db/engine/store.ts";
import { endpoint } from "../endpoint.ts";
import { judgeBrandChanges } from "../metric-reads/selection/selection-changes.ts";
import { nameOrId } from "../name-or-id.ts";
import { Basis, readBasis } from "../metric-reads/selection/basis.ts";
import { compareBrandsBy, SORT_COLUMNS, toSortValue } from "../metric-reads/selection/brand-order.ts";
import {
  areComparable,
  chooseCollects,
  listIds,
  type ChosenCollects,
} from "../metric-reads/selection/choose-collects.ts";
import {
  chosenTypes,
  collectQuery,
  kindQuery,
  namedFilters,
  competitorTypesField,
  keywordFilter,
  keywordQuery,
  projectQuery,
  SOURCES_DESCRIPTION,
  sourceListField,
  thematicNamesField,
} from "../metric-reads/selection/selection.ts";
import { intervalColumns } from "../../core/metrics/metric-fields.ts";
import { selectFamilies } from "../../core/metrics/share-of-voice.ts";
import {
  narrowsBeyondType,
  buildSelection,
  sumBrands,
  type BrandSelection,
  type SelectionSums,
} from "../metric-reads/selection/sum-brands.ts";
import { buildRankedBrand, shapeTopBrand, TopBrand, type RankedBrand } from "./top-brand-row.ts";

const MAX_BRANDS = 500;
/** Brands ranked before yielding to other work: about as slow as reading their sums. */
const BRANDS_PER_CHUNK = 500;

const TOP_BRANDS_LEGEND =
  "presence_rate = occurrences / total, 0 to 1; average_rank = average over answers with the brand, 1 is best; visibility_score = 100 × mean of 1 / log2(1 + rank) over total, 0 without the brand; total = all answers of the selection";

export const listTopBrands = endpoint({
  name: "listTopBrands",
  method: "GET",
  path: "/api/v1/top-brands",
  group: "Search Metrics",
  summary: "Compare brands in a search analysis",
  description:
    "Compare and rank brands, yours and competitors, over all sources of a search analysis: presence_rate (share of answers that name the brand), average_rank (1 = first), visibility_score (0 to 100), with a verdict on each change. For one source, topic, prompt, a trend or the gap of two brands use get_visibility. Sub-brands count for their brand.",
  access: { project: "viewer" },
  input: z.strictObject({
    ...projectQuery,
    sources: sourceListField.nullish().describe(SOURCES_DESCRIPTION),
    brands: z.array(nameOrId("brand")).max(1000).nullish().describe("Names or ids."),
    ...collectQuery,
    keywords: z.array(nameOrId("keyword")).max(1000).nullish().describe("Prompt texts or ids."),
    thematics: thematicNamesField.nullish(),
    keyword_type: z
      .array(KeywordTypeField)
      .max(100)
      .nullish()
      .describe("Brand: prompts with your name; default: Generic."),
    ...keywordQuery,
    funnel_stages: z.array(FunnelStageField).max(100).nullish().describe("Stages of the funnel."),
    ...kindQuery,
    perception_type: unlisted(z.enum(["neutral"]).nullish().describe("About no strength or weakness.")),
    competitor_types: unlisted(competitorTypesField.describe("Kinds, from get_project_filters.")),
    page_number: z.int().min(1).nullish(),
    rows_per_page: z.int().min(1).max(100).nullish().describe("Rows per page; default 25."),
    search_query: z.string().max(255).nullish().describe("Part of a name."),
    sort_column: z.enum(SORT_COLUMNS).nullish().describe("Default: visibility_score."),
    sort_direction: SortDirectionField.nullish(),
    statistics: z.boolean().default(false).describe("Add interval and verdict of presence_rate."),
  }),
  toolDefaults: { statistics: true },
  // In tools, `change` has the only earlier value, so that no row has two baselines.
  toolColumns: Object.keys(TopBrand.shape).filter((column) => !column.endsWith("_prev_collect")),
  output: z.object({
    total_count: z.int().describe("Rows on all pages."),
    data: z.array(TopBrand),
    basis: Basis,
  }),
  // Heavy if stored sums cannot answer the request, or if the result is very large.
  isHeavy: async (input, { tenant }) =>
    input.statistics ||
    input.method != null ||
    input.until != null ||
    [input.collect_ids, input.prev_collect_ids, input.sources].some((list) => (list?.length ?? 0) > 1) ||
    narrowsBeyondType(keywordFilter(input, [])) ||
    (await listBrandNames(tenant)).length > MAX_BRANDS ||
    !areComparable(await chooseCollects(tenant, input.project_id, input)),
  async handle(input, { db, tenant }) {
    const analysis = await findProject(tenant, input.project_id);
    if (!analysis) throw notFound("project");
    const collects = await chooseCollects(tenant, analysis.id, input);
    const brands = await listBrandNames(tenant);
    const families = selectFamilies(brands);
    // Named keywords count whatever their type.
    const usual = input.keywords?.length ? KEYWORD_TYPES : (["Generic"] as const);
    const selection = {
      ...buildSelection(analysis.id, keywordFilter(input, chosenTypes(input.keyword_type, usual)), input),
      isHeadline: !input.keyword_type?.length && !input.keywords?.length,
      families,
    };
    const current = await sumBrands(db, selection, listIds(collects.current));
    const previous =
      collects.previous.length === 0
        ? undefined
        : await sumBrands(db, toComparableSelection(selection, current), listIds(collects.previous));
    if (brands.length > BRANDS_PER_CHUNK) await nextTurn();
    const basis = await readBasis(tenant, TOP_BRANDS_LEGEND, collects, {
      ...current,
      sums: current,
      current: current.counted,
      previousAnswers: previous?.counted ?? [],
      familyCount: families.count,
      hasChanges: input.statistics,
      filters: namedFilters(input),
    });
    if (current.total + (previous?.total ?? 0) === 0) return { total_count: 0, data: [], basis };

    const compared = new Set(await listComparedBrandIds(tenant, analysis));
    const brandIds = new Set(input.brands);
    const types = input.competitor_types ?? [];
    const counted = brands.map((brand): CountedBrand => ({ brand, counts: current.brands.get(brand.number) }));
    const hasRow = createAppearanceFilter(previous, compared);
    const column = input.sort_column ?? "visibility_score";
    const valueOf = toSortValue(column, current.total);
    const rows = counted
      .filter(brandIds.size > 0 ? ({ brand }) => brandIds.has(brand.id) : hasRow)
      .filter(createNameFilter(input.search_query ?? ""))
      .filter(types.length === 0 ? () => true : createTypeFilter(types, await listBrandDomains(tenant)))
      .map(({ brand, counts }) => ({ brand, value: valueOf(counts) }))
      .toSorted(compareBrandsBy(column, input.sort_direction ?? "desc"));
    const size = input.rows_per_page ?? 25;
    const first = ((input.page_number ?? 1) - 1) * size;
    const page = rows.slice(first, first + size).map(({ brand }) => buildRankedBrand(brand, current, previous));
    const intervals = input.statistics
      ? await loadStatistics(tenant, toComparableSelection(selection, current), {
          analysis,
          collects,
          brands,
          // Row filters do not narrow the family of tests.
          judgedBrands: counted.filter((one) => hasRow(one) || brandIds.has(one.brand.id)).map(({ brand }) => brand),
          current,
        })
      : undefined;
    const domains = await listBrandDomains(tenant);
    const run = collects.comparesPrevious ? undefined : collects.previous.at(-1)?.number;
    const data = page.map((row) => {
      const shaped = shapeTopBrand(row, domains.get(row.brand.id) ?? [], analysis.brandId);
      const statistics = intervals?.(row.brand);
      if (!statistics) return shaped;
      const plain = { run, before: shaped.presence_rate_prev_collect, after: shaped.presence_rate };
      return { ...shaped, ...statistics, change: notePlainDifference(statistics.change ?? null, plain, 100) };
    });
    return { total_count: rows.length, data, basis };
  },
});

type Brand = RankedBrand["brand"];

/** Same selection for another collect, restricted to the same kind of answers and presence. */
function toComparableSelection(selection: BrandSelection, { isSimulated, counted }: SelectionSums): BrandSelection {
  const first = counted.find(({ answers }) => answers > 0);
  return { ...selection, isSimulated, presence: first && getPresenceBasis(first.source) };
}

async function loadStatistics(
  tenant: Tenant,
  selection: BrandSelection,
  options: {
    analysis: { id: string; brandId: string };
    collects: ChosenCollects;
    brands: readonly Brand[];
    judgedBrands: readonly Brand[];
    current: SelectionSums;
  },
): Promise<(brand: Brand) => Partial<TopBrand>> {
  const { judgedBrands, current } = options;
  const shown = judgedBrands.map(({ number }) => number);
  const changes = await judgeBrandChanges(tenant, selection, { ...options, shown });
  const sources = new Set(current.counted.map(({ source }) => source)).size;
  return ({ number }) => ({
    n: current.total,
    prompts: current.keywords,
    ...intervalColumns(estimateMetric(current, current.brands.get(number), "presence", sources)),
    change: changes.get(number) ?? null,
  });
}

interface CountedBrand {
  brand: Brand;
  counts: BrandSums | undefined;
}

/** Compared brands always have a row; others only if they appear. */
function createAppearanceFilter(previous: Sums | undefined, compared: ReadonlySet<string>) {
  return ({ brand: { id, number, parentId }, counts }: CountedBrand): boolean =>
    compared.has(id) || (parentId === null && (hasOccurrences(counts) || hasOccurrences(previous?.brands.get(number))));
}

function hasOccurrences(counts: BrandSums | undefined): boolean {
  return (counts?.occurrences ?? 0) > 0;
}

function createTypeFilter(types: readonly CompetitorType[], domains: ReadonlyMap<string, string[]>) {
  return ({ brand: { id } }: CountedBrand): boolean =>
    types.includes(getBrandCompetitorType({ domains: domains.get(id) ?? [] }));
}

function createNameFilter(query: string) {
  const wanted = foldText(query).lower;
  return ({ brand }: CountedBrand): boolean => wanted === "" || foldText(brand.name).lower.includes(wanted);
}
