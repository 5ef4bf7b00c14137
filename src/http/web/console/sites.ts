import { Router } from "express";
import { listCitations } from "../../../../tools/metrics/list-citations.ts";
import { listQueries } from "../../../../tools/metrics/list-queries.ts";
import { forVisitor } from "../for-visitor.ts";
import { sitesPage } from "../pages/sites.ts";
import type { Web } from "../visit.ts";
import type { Visit } from "./page-with-forms.ts";
import { showFigures } from "./show-figures.ts";

/** Rows of the list of sites or pages, and of the two beside it. */
const [ROWS, BESIDE] = [25, 10];

/** The sites and pages that answers rest on, and what assistants searched for. */
export function sitesRouter(web: Web): Router {
  return Router().get(
    "/sources/:organization_id/:workspace_id",
    forVisitor(web, (visitor, request, response) => showSites({ visitor, request, response }, web)),
  );
}

async function showSites(visit: Visit, web: Web): Promise<void> {
  return showFigures(visit, web, { title: "Sources", section: "sources" }, async (measured) => {
    const { ask, place, query, analysis } = measured;
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
    return sitesPage({ ...measured, sites, gaps, searches });
  });
}
