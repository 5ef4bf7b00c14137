import { Router } from "express";
import { listKeywordsMetrics } from "../../../../tools/search-metrics/list-keywords-metrics.ts";
import { csvLine } from "../csv.ts";
import { forVisitor } from "../for-visitor.ts";
import { PAGE_HEADERS, sendPage } from "../page.ts";
import { notMeasured } from "../pages/collect-state.ts";
import { consolePage } from "../pages/console.ts";
import { promptsAddress } from "../pages/places.ts";
import { promptsCsv, promptsPage } from "../pages/prompts.ts";
import type { Web } from "../visit.ts";
import { chooseAnalysis, type ChosenAnalysis } from "./chosen-analysis.ts";
import { pageWithForms, type Visit } from "./page-with-forms.ts";

/** The prompts of a workspace's analyses with the own brand's ranks, and the same as a file. */
export function promptsRouter(web: Web): Router {
  const path = "/prompts/:organization_id/:workspace_id";
  return Router()
    .use(pageWithForms(web, path, (visit) => showPrompts(visit, web), {}))
    .get(
      `${path}/prompts.csv`,
      forVisitor(web, (visitor, request, response) => sendPrompts({ visitor, request, response }, web)),
    );
}

/** All prompts that the filters leave, as the interface gives them. */
async function readPrompts({ ask, place, query }: ChosenAnalysis, analysisId: string) {
  const list = (name: string) => {
    const value = query.get(name);
    return value ? [value] : [];
  };
  const collect = query.get("collect");
  return ask(listKeywordsMetrics, {
    client_id: place.organization_id,
    project_id: analysisId,
    sources: list("source"),
    thematics: [],
    keyword_type: [],
    topic_ids: list("topic"),
    persona_ids: list("persona"),
    funnel_stages: list("stage"),
    statistics: true,
    ...(collect ? { collect_id: collect } : {}),
  });
}

async function showPrompts(visit: Visit, web: Web): Promise<void> {
  const { visitor, response } = visit;
  const chosen = await chooseAnalysis(visit, web);
  const { place, analysis, filters, measured } = chosen;
  const send = (content: Parameters<typeof consolePage>[2]) =>
    sendPage(response, { title: "Prompts", body: consolePage("prompts", visitor, content, { wide: true }) });
  if (!analysis || !filters || measured.length === 0) {
    const isEditor = visitor.frame.workspace?.role === "editor";
    const of = { title: "Prompts", path: promptsAddress(place), isEditor, mcpUrl: web.config.mcpUrl };
    return send(notMeasured({ ...chosen, ...of }));
  }
  send(promptsPage({ ...chosen, analysis, filters, prompts: await readPrompts(chosen, analysis.id) }));
}

async function sendPrompts(visit: Visit, web: Web): Promise<void> {
  const { response } = visit;
  const chosen = await chooseAnalysis(visit, web);
  const { analysis, place } = chosen;
  if (!analysis) return response.redirect(303, promptsAddress(place));
  const { data } = await readPrompts(chosen, analysis.id);
  response
    .set({ ...PAGE_HEADERS, "content-disposition": 'attachment; filename="prompts.csv"' })
    .type("text/csv")
    .send(promptsCsv(data).map(csvLine).join(""));
}
