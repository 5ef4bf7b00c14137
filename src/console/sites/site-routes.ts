import { getBrand } from "../../../tools/brands/get-brand.ts";
import { getVisibility } from "../../../tools/metrics/get-visibility.ts";
import { listCitations } from "../../../tools/metrics/list-citations.ts";
import { readSites } from "../shared/read-sites.ts";
import { listQueries } from "../../../tools/metrics/list-queries.ts";
import { sendCsv } from "../../http/pages/csv.ts";
import { sitesAddress } from "../shared/page-addresses.ts";
import { SEARCH_COLUMNS, SEARCH_SORTS, SITE_COLUMNS, SITE_SORTS } from "./site-lists.ts";
import { renderSitesPage } from "./sites-page.ts";
import { readBrandChoices } from "../shared/brand-choices.ts";
import { chooseAnalysis, type ChosenAnalysis } from "../shared/chosen-analysis.ts";
import { iteratePages } from "../shared/iterate-pages.ts";
import type { Visit } from "../../http/pages/require-visitor.ts";
import { showMetricsPage, type MeasuredAnalysis } from "../shared/show-metrics-page.ts";
import { inBar, pageRoute, type Route } from "../../http/pages/routes.ts";
import type { Section } from "../../http/pages/section.ts";
import { toSortInput } from "../shared/table-sort.ts";

const [ROWS_PER_PAGE, SIDE_LIST_ROWS, MAX_RIVALS, MAX_SITES_PER_BRAND] = [25, 10, 4, 100];

const SITES_PATH = "/sources/:organization_id/:workspace_id";

const SITES_SECTION: Section = {
  name: "Sources",
  icon: "M6.5 9.5l3-3M7.5 4.8l1.3-1.3a2.6 2.6 0 0 1 3.7 3.7l-1.3 1.3M8.5 11.2l-1.3 1.3a2.6 2.6 0 0 1-3.7-3.7l1.3-1.3",
};

export const siteRoutes: readonly Route[] = [
  ...inBar(SITES_SECTION, [pageRoute(SITES_PATH, showSites)]),
  ...["sites", "pages", "searches"].map((list) => pageRoute(`${SITES_PATH}/${list}.csv`, sendListCsv)),
];

type ListRequest = Pick<ChosenAnalysis, "ids" | "query">;

function buildSelectionInput({ ids, query }: ListRequest, analysisId: string) {
  const [source, topic, country, collect] = ["source", "topic", "country", "collect"].map(
    (name) => query.get(name) || undefined,
  );
  return {
    ...ids,
    analysis_id: analysisId,
    statistics: true,
    ...(source === undefined ? {} : { sources: [source] }),
    ...(topic === undefined ? {} : { topics: [topic] }),
    ...(country === undefined ? {} : { countries: [country] }),
    ...(collect === undefined ? {} : { collect_id: collect }),
  };
}

/** URL parameters of the selected list in API terms. */
function buildListInput({ query }: ListRequest, sorts: typeof SITE_SORTS | typeof SEARCH_SORTS) {
  const { pages, kind, ...more } = Object.fromEntries(query);
  const ofSites =
    sorts === SITE_SORTS
      ? {
          ...(more["by"] === "page" ? { group_by: ["page"] } : {}),
          ...(pages === "retrieved" ? { pages } : {}),
          ...(kind ? { competitor_types: [kind] } : {}),
          ...(more["domain"] ? { domain: more["domain"] } : {}),
        }
      : {};
  return {
    ...ofSites,
    ...(more["with"] ? { with_brand: more["with"] } : {}),
    ...(more["without"] ? { absent_brand: more["without"] } : {}),
    ...toSortInput<string>(query, sorts),
  };
}

async function showSites(visit: Visit): Promise<void> {
  return showMetricsPage(visit, { title: "Sources", section: "sources" }, async (measured) => {
    const { call, query, analysis } = measured;
    const all = buildSelectionInput(measured, analysis.id);
    const paged = { limit: ROWS_PER_PAGE, ...(query.get("cursor") ? { cursor: query.get("cursor") } : {}) };
    const list = async () =>
      query.get("by") === "search"
        ? { searches: await call(listQueries, { ...all, ...buildListInput(measured, SEARCH_SORTS), ...paged }) }
        : { sites: await readSites(call, { ...all, ...buildListInput(measured, SITE_SORTS), ...paged }) };
    const [listed, citedWith, gapSites, searches] = await Promise.all([
      list(),
      readCitedWith(measured),
      readSites(call, { ...all, group_by: ["page"], absent_brand: analysis.brand_id, limit: SIDE_LIST_ROWS }),
      call(listQueries, { ...all, limit: SIDE_LIST_ROWS }),
    ]);
    const brands = await readBrandChoices(measured, ["with", "without"]);
    return renderSitesPage({ ...measured, shownList: listed, citedWith, gapSites, searches, brands });
  });
}

async function readCitedWith(measured: MeasuredAnalysis) {
  const { call, ids, analysis, query } = measured;
  const collect = query.get("collect");
  const input = { ...ids, analysis_id: analysis.id, ...(collect ? { collect_ids: [collect] } : {}) };
  const { data } = await call(getVisibility, { ...input, limit: MAX_RIVALS + 1 });
  const own = analysis.brand_id === null ? [] : [await call(getBrand, { ...ids, brand_id: analysis.brand_id })];
  const rivals = data.flatMap(({ brand_id: id, brand: name }) => (id === analysis.brand_id ? [] : [{ id, name }]));
  const all = { ...buildSelectionInput(measured, analysis.id), statistics: false, limit: MAX_SITES_PER_BRAND };
  return Promise.all(
    [...own, ...rivals.slice(0, MAX_RIVALS)].map(async ({ id, name }) => ({
      brand_id: id,
      brand: name,
      sites: await readSites(call, { ...all, with_brand: id }),
    })),
  );
}

async function sendListCsv(visit: Visit): Promise<void> {
  const { request, response } = visit;
  const chosen = await chooseAnalysis(visit);
  const { call, analysis, ids } = chosen;
  if (!analysis) return response.redirect(303, sitesAddress(ids));
  const all = buildSelectionInput(chosen, analysis.id);
  const name = request.path.split("/").at(-1) ?? "";
  if (name === "searches.csv") {
    const parts = iteratePages(call, listQueries, { ...all, ...buildListInput(chosen, SEARCH_SORTS) });
    return sendCsv(response, name, { columns: SEARCH_COLUMNS, parts });
  }
  const parts = iteratePages(call, listCitations, { ...all, ...buildListInput(chosen, SITE_SORTS) });
  return sendCsv(response, name, { columns: SITE_COLUMNS, parts });
}
