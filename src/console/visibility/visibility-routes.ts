import { getVisibility } from "../../../tools/metrics/get-visibility.ts";
import { readSites } from "../shared/read-sites.ts";
import { listRecommendedActions } from "../../../tools/actions/list-recommended-actions.ts";
import { sendCsv } from "../../http/pages/csv.ts";
import { parseMetricFilters } from "../shared/filters.ts";
import { toSortInput } from "../shared/table-sort.ts";
import { visibilityAddress } from "../shared/page-addresses.ts";
import { BRAND_COLUMNS } from "./brands-csv.ts";
import { BRAND_SORTS } from "./brand-table.ts";
import { renderVisibilityPage } from "./visibility-page.ts";
import { chooseAnalysis, type ChosenAnalysis } from "../shared/chosen-analysis.ts";
import { iteratePages } from "../shared/iterate-pages.ts";
import type { Visit } from "../../http/pages/require-visitor.ts";
import { showMetricsPage, type MeasuredAnalysis } from "../shared/show-metrics-page.ts";
import { inBar, pageRoute, type Route } from "../../http/pages/routes.ts";
import type { Section } from "../../http/pages/section.ts";

const [BRANDS_PER_TABLE, MAX_LINES, MAX_HEAT_ROWS, MAX_SITES, MAX_ACTIONS] = [50, 5, 8, 8, 3];
const MAX_MOVES = 20;
const [DEFAULT_COLLECTS, MAX_COLLECTS] = [12, 20];

const VISIBILITY_PATH = "/visibility/:organization_id/:workspace_id";

const VISIBILITY_SECTION: Section = {
  name: "Visibility",
  icon: "M2.5 12.5 6 8.2l2.6 2.3 4.9-6.5M10.3 4h3.2v3.2",
};

export const visibilityRoutes: readonly Route[] = [
  ...inBar(VISIBILITY_SECTION, [pageRoute(VISIBILITY_PATH, showVisibility)]),
  pageRoute(`${VISIBILITY_PATH}/brands.csv`, sendBrandsCsv),
];

function buildMetricsInput({ ids, query }: Pick<ChosenAnalysis, "ids" | "query">, analysisId: string) {
  const collect = query.get("collect") || undefined;
  return {
    ...ids,
    analysis_id: analysisId,
    ...parseMetricFilters(query),
    ...(collect === undefined ? {} : { collect_ids: [collect] }),
  };
}

async function showVisibility(visit: Visit): Promise<void> {
  return showMetricsPage(visit, { title: "Visibility", section: "visibility" }, async (measured) =>
    renderVisibilityPage({ ...measured, ...(await readMetrics(measured)) }),
  );
}

async function readMetrics(of: MeasuredAnalysis) {
  const { call, ids, query, filters, measured, analysis } = of;
  const input = buildMetricsInput(of, analysis.id);
  const order = toSortInput(query, BRAND_SORTS);
  const brandId = analysis.brand_id ?? "";
  const collect = query.get("collect");
  const from = Math.max(
    0,
    measured.findIndex(({ id }) => id === collect),
  );
  const collectCount = Math.min(MAX_COLLECTS, Number(query.get("period")) || DEFAULT_COLLECTS);
  const series = measured.slice(from, from + collectCount).map(({ id }) => id);
  const ownInput = { ...input, brands: [brandId], statistics: true };
  const { sources = filters.sources, topics, countries } = parseMetricFilters(query);
  const citationsInput = {
    ...ids,
    analysis_id: analysis.id,
    sources,
    ...(topics ? { topics } : {}),
    ...(countries ? { countries } : {}),
    ...(collect ? { collect_id: collect } : {}),
  };
  const byBrand = call(getVisibility, { ...input, ...order, statistics: true, limit: BRANDS_PER_TABLE });
  // By default, the table already lists the most visible brands first.
  const topBrands = order === undefined ? byBrand : call(getVisibility, { ...input, limit: MAX_HEAT_ROWS });
  const rivals = async (maxRivals: number) =>
    (await topBrands).data
      .slice(0, MAX_HEAT_ROWS)
      .map(({ brand_id: id }) => id)
      .filter((id) => id !== brandId)
      .slice(0, maxRivals);
  const overCollects = async () =>
    call(getVisibility, {
      ...input,
      group_by: ["brand", "collect"],
      brands: [brandId, ...(await rivals(MAX_LINES - 1))],
      collect_ids: series,
      statistics: true,
      only: "intervals",
      limit: 100,
    });
  const bySource = async () =>
    call(getVisibility, {
      ...input,
      group_by: ["brand", "source"],
      brands: [brandId, ...(await rivals(MAX_HEAT_ROWS - 1))],
      sources,
      limit: 100,
    });
  const [table, topThree, shareOfVoice, citations, trend, heat, sites, actions] = await Promise.all([
    byBrand,
    call(getVisibility, { ...ownInput, figure: "top_3" }),
    call(getVisibility, { ...ownInput, figure: "share_of_voice" }),
    call(getVisibility, { ...ownInput, figure: "citations" }),
    overCollects(),
    bySource(),
    readSites(call, { ...citationsInput, limit: MAX_SITES, statistics: true }),
    call(listRecommendedActions, { ...ids, workflow_status: "open", still_observed: true, limit: MAX_ACTIONS }),
  ]);
  // The own brand may be on a later page of the table.
  const isOnPage = table.data.some(({ brand_id: id }) => id === brandId);
  const presence = isOnPage ? table : await call(getVisibility, ownInput);
  // Brands on other pages may have moved too.
  const isWhole = table.total_count === table.data.length;
  const movedBrands = isWhole
    ? table
    : await call(getVisibility, { ...input, statistics: true, only: "moved", limit: MAX_MOVES });
  return { presence, movedBrands, topThree, shareOfVoice, citations, table, trend, heat, sites, actions: actions.data };
}

async function sendBrandsCsv(visit: Visit): Promise<void> {
  const { response } = visit;
  const chosen = await chooseAnalysis(visit);
  const { call, analysis, query, ids } = chosen;
  if (!analysis) return response.redirect(303, visibilityAddress(ids));
  const input = { ...buildMetricsInput(chosen, analysis.id), ...toSortInput(query, BRAND_SORTS), statistics: true };
  await sendCsv(response, "brands.csv", { columns: BRAND_COLUMNS, parts: iteratePages(call, getVisibility, input) });
}
