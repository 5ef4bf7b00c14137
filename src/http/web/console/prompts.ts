import { Router } from "express";
import { listKeywordsMetrics } from "../../../../tools/search-metrics/list-keywords-metrics.ts";
import { asCsv, csvLine } from "../csv.ts";
import { forVisitor } from "../for-visitor.ts";
import { promptsAddress } from "../pages/places.ts";
import { promptsCsv, promptsPage } from "../pages/prompts.ts";
import type { Web } from "../visit.ts";
import { chooseAnalysis, type ChosenAnalysis } from "./chosen-analysis.ts";
import type { Visit } from "./page-with-forms.ts";
import { showFigures } from "./show-figures.ts";

/** The prompts of a workspace's analyses with the own brand's ranks, and the same as a file. */
export function promptsRouter(web: Web): Router {
  const path = "/prompts/:organization_id/:workspace_id";
  return Router()
    .get(
      path,
      forVisitor(web, (visitor, request, response) => showPrompts({ visitor, request, response }, web)),
    )
    .get(
      `${path}/prompts.csv`,
      forVisitor(web, (visitor, request, response) => sendPrompts({ visitor, request, response }, web)),
    );
}

/** All prompts that the filters leave, as the interface gives them. */
async function readPrompts({ ask, place, query }: Pick<ChosenAnalysis, "ask" | "place" | "query">, analysisId: string) {
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
  return showFigures(visit, web, { title: "Prompts", section: "prompts" }, async (measured) =>
    promptsPage({ ...measured, prompts: await readPrompts(measured, measured.analysis.id) }),
  );
}

async function sendPrompts(visit: Visit, web: Web): Promise<void> {
  const { response } = visit;
  const chosen = await chooseAnalysis(visit, web);
  const { analysis, place } = chosen;
  if (!analysis) return response.redirect(303, promptsAddress(place));
  const { data } = await readPrompts(chosen, analysis.id);
  asCsv(response, "prompts.csv").send(promptsCsv(data).map(csvLine).join(""));
}
