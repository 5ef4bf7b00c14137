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

/** Brands of the table; lines of the chart, with the own brand; brands beside sources; sites; actions. */
const [ROWS, LINES, HEAT_ROWS, SITES, ACTIONS] = [50, 5, 8, 8, 3];
/** Moves that are told by name. */
const MOVES = 20;
/** Collects that the chart shows unless the address says how many, and as many as it can. */
const [USUAL_COLLECTS, MOST_COLLECTS] = [12, 20];

const PATH = "/visibility/:organization_id/:workspace_id";

/** The page that shows how visible the own brand is, and the table of brands as a file. */
export const visibilityRoutes: readonly Route[] = [
  pageAt(PATH, showVisibility),
  pageAt(`${PATH}/brands.csv`, sendBrands),
];

/** What every request for figures of the page says alike. */
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

/** All figures of the page, each as the interface gives it. */
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
  // Unless the address asks for another order, the table has the most visible brands first.
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
  // The table has the own brand, unless it is on a later page.
  const isOnPage = table.data.some(({ brand_id: id }) => id === own);
  const presence = isOnPage ? table : await ask(getVisibility, ofOwn);
  // Brands that the table leaves out may have moved, too.
  const isWhole = table.total_count === table.data.length;
  const moved = isWhole ? table : await ask(getVisibility, { ...input, statistics: true, only: "moved", limit: MOVES });
  return { presence, moved, topThree, voice, citations, table, trend, heat, sites, actions: actions.data };
}

/** The table of brands with all of its rows. */
async function sendBrands(visit: Visit): Promise<void> {
  const { response } = visit;
  const chosen = await chooseAnalysis(visit);
  const { ask, analysis, query, place } = chosen;
  if (!analysis) return response.redirect(303, visibilityAddress(place));
  const input = { ...figuresInput(chosen, analysis.id), ...orderInput(query, SORTS), statistics: true };
  await sendCsv(response, "brands.csv", { columns: BRAND_COLUMNS, parts: eachPage(ask, getVisibility, input) });
}
