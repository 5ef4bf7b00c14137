import { setImmediate as nextTurn } from "node:timers/promises";
import { Router } from "express";
import { listKeywordsMetrics } from "../../../../tools/search-metrics/list-keywords-metrics.ts";
import { sendCsv } from "../csv.ts";
import { forVisitor } from "../for-visitor.ts";
import { promptsAddress } from "../pages/places.ts";
import { PROMPT_COLUMNS, promptsPage, sorted } from "../pages/prompts.ts";
import type { Web } from "../visit.ts";
import { chooseAnalysis, type ChosenAnalysis } from "./chosen-analysis.ts";
import type { Visit } from "./page-with-forms.ts";
import { showFigures } from "./show-figures.ts";

/** Lines of a download that are written before others have their turn. */
const LINES_AT_ONCE = 500;

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
    countries: list("country"),
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
  const { analysis, filters, place, query } = chosen;
  if (!analysis || !filters) return response.redirect(303, promptsAddress(place));
  const { data } = await readPrompts(chosen, analysis.id);
  const parts = inParts(sorted(data, { filters, query }));
  await sendCsv(response, "prompts.csv", { columns: PROMPT_COLUMNS, parts });
}

/** Rows that were read whole, some at a time. */
async function* inParts<Row>(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  for (let at = 0; at === 0 || at < rows.length; at += LINES_AT_ONCE) {
    yield rows.slice(at, at + LINES_AT_ONCE);
    await nextTurn();
  }
}
