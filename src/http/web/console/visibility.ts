import { Router } from "express";
import { getVisibility } from "../../../../tools/metrics/get-visibility.ts";
import { listCitations } from "../../../../tools/metrics/list-citations.ts";
import { listRecommendedActions } from "../../../../tools/recommended-actions/list-recommended-actions.ts";
import { csvLine } from "../csv.ts";
import { forVisitor } from "../for-visitor.ts";
import { PAGE_HEADERS, sendPage } from "../page.ts";
import { auditAddress } from "../pages/audits/words.ts";
import { consolePage } from "../pages/console.ts";
import { figureFilters } from "../pages/filters.ts";
import { visibilityAddress } from "../pages/places.ts";
import { brandsCsv } from "../pages/visibility/brands-csv.ts";
import { sortOf } from "../pages/visibility/brand-table.ts";
import { notMeasured } from "../pages/collect-state.ts";
import { visibilityPage } from "../pages/visibility/visibility.ts";
import type { Web } from "../visit.ts";
import { chooseAnalysis, type ChosenAnalysis } from "./chosen-analysis.ts";
import { pageWithForms, type Visit } from "./page-with-forms.ts";

/** Lines of the chart, with the own brand; brands beside sources; sites; actions. */
const [LINES, HEAT_ROWS, SITES, ACTIONS] = [5, 8, 8, 3];
/** Collects that the chart shows unless the address says how many, and as many as it can. */
const [USUAL_COLLECTS, MOST_COLLECTS] = [12, 20];

/** The page that shows how visible the own brand is, and the table of brands as a file. */
export function visibilityRouter(web: Web): Router {
  const path = "/visibility/:organization_id/:workspace_id";
  return Router()
    .use(pageWithForms(web, path, (visit) => showVisibility(visit, web), {}))
    .get(
      `${path}/brands.csv`,
      forVisitor(web, (visitor, request, response) => sendBrands({ visitor, request, response }, web)),
    );
}

/** What every request for figures of the page says alike. */
function figuresInput({ place, query }: ChosenAnalysis, analysisId: string) {
  const collect = query.get("collect") || undefined;
  return {
    ...place,
    analysis_id: analysisId,
    ...figureFilters(query),
    ...(collect === undefined ? {} : { collect_ids: [collect] }),
  };
}

async function showVisibility(visit: Visit, web: Web): Promise<void> {
  const { visitor, response } = visit;
  const chosen = await chooseAnalysis(visit, web);
  const { audit } = chosen;
  if (audit) return response.redirect(303, auditAddress({ ...audit, analysis_id: audit.id }));
  const send = (content: Parameters<typeof consolePage>[2]) =>
    sendPage(response, { title: "Visibility", body: consolePage("visibility", visitor, content, { wide: true }) });
  const { analysis, filters } = chosen;
  if (!analysis || !filters || chosen.measured.length === 0) {
    const isEditor = visitor.frame.workspace?.role === "editor";
    return send(
      notMeasured({
        ...chosen,
        title: "Visibility",
        path: visibilityAddress(chosen.place),
        isEditor,
        mcpUrl: web.config.mcpUrl,
      }),
    );
  }
  send(visibilityPage({ ...chosen, analysis, filters, ...(await readFigures(chosen, analysis)) }));
}

/** All figures of the page, each as the interface gives it. */
async function readFigures(chosen: ChosenAnalysis, analysis: { id: string; brand_id: string | null }) {
  const { ask, place, query, filters, measured } = chosen;
  const input = figuresInput(chosen, analysis.id);
  const leaders = await ask(getVisibility, { ...input, limit: HEAT_ROWS });
  const own = analysis.brand_id ?? "";
  const rivals = leaders.data.map(({ brand_id }) => brand_id).filter((id) => id !== own);
  const collect = query.get("collect");
  const from = Math.max(
    0,
    measured.findIndex(({ id }) => id === collect),
  );
  const shown = Math.min(MOST_COLLECTS, Number(query.get("period")) || USUAL_COLLECTS);
  const series = measured.slice(from, from + shown).map(({ id }) => id);
  const ofOwn = { ...input, brands: [own], statistics: true };
  const of = { ...place, analysis_id: analysis.id };
  const { sources = filters?.sources ?? [], topics } = figureFilters(query);
  const links = { ...of, sources, ...(topics ? { topics } : {}), ...(collect ? { collect_id: collect } : {}) };
  const [topThree, voice, table, trend, heat, sites, ownSites, actions] = await Promise.all([
    ask(getVisibility, { ...ofOwn, figure: "top_3" }),
    ask(getVisibility, { ...ofOwn, figure: "share_of_voice" }),
    ask(getVisibility, { ...input, ...sortOf(query), statistics: true, limit: 100 }),
    ask(getVisibility, {
      ...input,
      group_by: ["brand", "collect"],
      brands: [own, ...rivals.slice(0, LINES - 1)],
      collect_ids: series,
      statistics: true,
      limit: 100,
    }),
    ask(getVisibility, {
      ...input,
      group_by: ["brand", "source"],
      brands: [own, ...rivals.slice(0, HEAT_ROWS - 1)],
      sources,
      limit: 100,
    }),
    ask(listCitations, { ...links, limit: SITES, statistics: true }),
    ask(listCitations, { ...links, brand_id: own, limit: 1, statistics: true }),
    ask(listRecommendedActions, { ...place, workflow_status: "open", still_observed: true, limit: ACTIONS }),
  ]);
  // The table has the own brand, unless it is on a later page.
  const isOnPage = table.data.some(({ brand_id: id }) => id === own);
  const presence = isOnPage ? table : await ask(getVisibility, ofOwn);
  return { presence, topThree, voice, table, trend, heat, sites, ownSites, actions: actions.data };
}

/** The table of brands with all of its rows. */
async function sendBrands(visit: Visit, web: Web): Promise<void> {
  const { response } = visit;
  const chosen = await chooseAnalysis(visit, web);
  const { ask, analysis, query, place } = chosen;
  if (!analysis) return response.redirect(303, visibilityAddress(place));
  const input = { ...figuresInput(chosen, analysis.id), ...sortOf(query), statistics: true, limit: 100 };
  const rows = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await ask(getVisibility, { ...input, ...(cursor === undefined ? {} : { cursor }) });
    rows.push(...page.data);
    cursor = page.next_cursor;
  }
  response
    .set({ ...PAGE_HEADERS, "content-disposition": 'attachment; filename="brands.csv"' })
    .type("text/csv")
    .send(brandsCsv(rows).map(csvLine).join(""));
}
