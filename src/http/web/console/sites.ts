import type { Router } from "express";
import { listCitations } from "../../../../tools/metrics/list-citations.ts";
import { listQueries } from "../../../../tools/metrics/list-queries.ts";
import { sendPage } from "../page.ts";
import { notMeasured } from "../pages/collect-state.ts";
import { consolePage } from "../pages/console.ts";
import { sitesAddress } from "../pages/places.ts";
import { sitesPage } from "../pages/sites.ts";
import type { Web } from "../visit.ts";
import { chooseAnalysis } from "./chosen-analysis.ts";
import { pageWithForms, type Visit } from "./page-with-forms.ts";

/** Rows of the list of sites or pages, and of the two beside it. */
const [ROWS, BESIDE] = [25, 10];

/** The sites and pages that answers rest on, and what assistants searched for. */
export function sitesRouter(web: Web): Router {
  return pageWithForms(web, "/sources/:organization_id/:workspace_id", (visit) => showSites(visit, web), {});
}

async function showSites(visit: Visit, web: Web): Promise<void> {
  const { visitor, response } = visit;
  const chosen = await chooseAnalysis(visit, web);
  const { ask, place, query, analysis, filters, measured } = chosen;
  const send = (content: Parameters<typeof consolePage>[2]) =>
    sendPage(response, { title: "Sources", body: consolePage("sources", visitor, content, { wide: true }) });
  if (!analysis || !filters || measured.length === 0) {
    const isEditor = visitor.frame.workspace?.role === "editor";
    const of = { title: "Sources", path: sitesAddress(place), isEditor, mcpUrl: web.config.mcpUrl };
    return send(notMeasured({ ...chosen, ...of }));
  }
  const { source = "", topic = "", collect = "", cursor = "", ...more } = Object.fromEntries(query);
  const all = {
    ...place,
    analysis_id: analysis.id,
    statistics: true,
    ...(source === "" ? {} : { sources: [source] }),
    ...(topic === "" ? {} : { topics: [topic] }),
    ...(collect === "" ? {} : { collect_id: collect }),
  };
  const narrowed = {
    ...(more["by"] === "page" ? { by: "page" } : {}),
    ...(more["pages"] === "retrieved" ? { pages: "retrieved" } : {}),
    ...(more["kind"] ? { competitor_types: [more["kind"]] } : {}),
    ...(more["with"] ? { with_brand: more["with"] } : {}),
    ...(more["without"] ? { absent_brand: more["without"] } : {}),
    ...(cursor === "" ? {} : { cursor }),
  };
  const [sites, gaps, searches] = await Promise.all([
    ask(listCitations, { ...all, ...narrowed, limit: ROWS }),
    ask(listCitations, { ...all, by: "page", absent_brand: analysis.brand_id, limit: BESIDE }),
    ask(listQueries, { ...all, limit: BESIDE }),
  ]);
  send(sitesPage({ ...chosen, analysis, filters, sites, gaps, searches }));
}
