import { getVisibility } from "../../../tools/metrics/get-visibility.ts";
import { listCitations } from "../../../tools/metrics/list-citations.ts";
import { listRecommendedActions } from "../../../tools/actions/list-recommended-actions.ts";
import { sendCsv } from "../../http/pages/csv.ts";
import { figureFilters } from "../shared/filters.ts";
import { orderInput } from "../shared/order.ts";
import { visibilityAddress } from "../shared/places.ts";
import { BRAND_COLUMNS } from "./brands-csv.ts";
import { SORTS } from "./brand-table.ts";
import { visibilityPage } from "./visibility-page.ts";
import { chooseAnalysis, type ChosenAnalysis } from "../shared/chosen-analysis.ts";
import { eachPage } from "../shared/each-page.ts";
import type { Visit } from "../../http/pages/for-visitor.ts";
import { showFigures, type Measured } from "../shared/show-figures.ts";
import { pageAt, type Route } from "../../http/pages/routes.ts";

/**
 * Rows of the table, lines of the chart with the own brand, rows of the heat table, sites, and
 * actions.
 */
const [ROWS, LINES, HEAT_ROWS, SITES, ACTIONS] = [50, 5, 8, 8, 3];
/** Max moves listed by name. */
const MOVES = 20;
/** Default and max number of collects in the chart. */
const [USUAL_COLLECTS, MOST_COLLECTS] = [12, 20];

const PATH = "/visibility/:organization_id/:workspace_id";

export const visibilityRoutes: readonly Route[] = [
  pageAt(PATH, showVisibility),
  pageAt(`${PATH}/brands.csv`, sendBrands),
];

function figuresInput({ place, query }: Pick<ChosenAnalysis, "place" | "query">, analysisId: string) {
  const collect = query.get("collect") || undefined;
  return {
    ...place,
    analysis_id: analysisId,
    ...figureFilters(query),
    ...(collect === undefined ? {} : { collect_ids: [collect] }),
  };
}

async function showVisibility(visit: Visit): Promise<void> {
  return showFigures(visit, { title: "Visibility", section: "visibility" }, async (measured) =>
    visibilityPage({ ...measured, ...(await readFigures(measured)) }),
  );
}

async function readFigures(of: Measured) {
  const { ask, place, query, filters, measured, analysis } = of;
  const input = figuresInput(of, analysis.id);
  const order = orderInput(query, SORTS);
  const own = analysis.brand_id ?? "";
  const collect = query.get("collect");
  const from = Math.max(
    0,
    measured.findIndex(({ id }) => id === collect),
  );
  const shown = Math.min(MOST_COLLECTS, Number(query.get("period")) || USUAL_COLLECTS);
  const series = measured.slice(from, from + shown).map(({ id }) => id);
  const ofOwn = { ...input, brands: [own], statistics: true };
  const { sources = filters.sources, topics, countries } = figureFilters(query);
  const links = {
    ...place,
    analysis_id: analysis.id,
    sources,
    ...(topics ? { topics } : {}),
    ...(countries ? { countries } : {}),
    ...(collect ? { collect_id: collect } : {}),
  };
  const byBrand = ask(getVisibility, { ...input, ...order, statistics: true, limit: ROWS });
  // By default, the table already lists the most visible brands first.
  const leading = order === undefined ? byBrand : ask(getVisibility, { ...input, limit: HEAT_ROWS });
  const rivals = async (most: number) =>
    (await leading).data
      .slice(0, HEAT_ROWS)
      .map(({ brand_id: id }) => id)
      .filter((id) => id !== own)
      .slice(0, most);
  const overCollects = async () =>
    ask(getVisibility, {
      ...input,
      group_by: ["brand", "collect"],
      brands: [own, ...(await rivals(LINES - 1))],
      collect_ids: series,
      statistics: true,
      only: "intervals",
      limit: 100,
    });
  const bySource = async () =>
    ask(getVisibility, {
      ...input,
      group_by: ["brand", "source"],
      brands: [own, ...(await rivals(HEAT_ROWS - 1))],
      sources,
      limit: 100,
    });
  const [table, topThree, voice, citations, trend, heat, sites, actions] = await Promise.all([
    byBrand,
    ask(getVisibility, { ...ofOwn, figure: "top_3" }),
    ask(getVisibility, { ...ofOwn, figure: "share_of_voice" }),
    ask(getVisibility, { ...ofOwn, figure: "citations" }),
    overCollects(),
    bySource(),
    ask(listCitations, { ...links, limit: SITES, statistics: true }),
    ask(listRecommendedActions, { ...place, workflow_status: "open", still_observed: true, limit: ACTIONS }),
  ]);
  // The own brand may be on a later page of the table.
  const isOnPage = table.data.some(({ brand_id: id }) => id === own);
  const presence = isOnPage ? table : await ask(getVisibility, ofOwn);
  // Brands on other pages may have moved too.
  const isWhole = table.total_count === table.data.length;
  const moved = isWhole ? table : await ask(getVisibility, { ...input, statistics: true, only: "moved", limit: MOVES });
  return { presence, moved, topThree, voice, citations, table, trend, heat, sites, actions: actions.data };
}

async function sendBrands(visit: Visit): Promise<void> {
  const { response } = visit;
  const chosen = await chooseAnalysis(visit);
  const { ask, analysis, query, place } = chosen;
  if (!analysis) return response.redirect(303, visibilityAddress(place));
  const input = { ...figuresInput(chosen, analysis.id), ...orderInput(query, SORTS), statistics: true };
  await sendCsv(response, "brands.csv", { columns: BRAND_COLUMNS, parts: eachPage(ask, getVisibility, input) });
}
