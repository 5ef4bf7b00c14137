import { Router } from "express";
import { getAnswer } from "../../../../tools/analyses/get-answer.ts";
import { listAnswers } from "../../../../tools/analyses/list-answers.ts";
import { getProjectFilters } from "../../../../tools/search-metrics/get-project-filters.ts";
import { sendPage } from "../page.ts";
import { answerPage } from "../pages/answers/answer.ts";
import { answersPage } from "../pages/answers/answer-list.ts";
import { consolePage } from "../pages/console.ts";
import { answersAddress } from "../pages/places.ts";
import { notMeasured } from "../pages/collect-state.ts";
import type { Web } from "../visit.ts";
import { askAs } from "./ask.ts";
import { chooseAnalysis } from "./chosen-analysis.ts";
import { pageWithForms, type Visit } from "./page-with-forms.ts";

const ROWS = 25;

/** The answers of a workspace: a list with filters, and each whole. */
export function answersRouter(web: Web): Router {
  const path = "/answers/:organization_id/:workspace_id";
  return Router().use(
    pageWithForms(web, path, (visit) => showAnswers(visit, web), {}),
    pageWithForms(web, `${path}/:analysis_id/:answer_id`, (visit) => showAnswer(visit, web), {}),
  );
}

async function showAnswers(visit: Visit, web: Web): Promise<void> {
  const { visitor, response } = visit;
  const chosen = await chooseAnalysis(visit, web);
  const { ask, place, query, analysis, filters, measured } = chosen;
  const [latest] = measured;
  const send = (content: Parameters<typeof consolePage>[2]) =>
    sendPage(response, { title: "Answers", body: consolePage("answers", visitor, content, { wide: true }) });
  if (!analysis || !filters || !latest) {
    const isEditor = visitor.frame.workspace?.role === "editor";
    return send(
      notMeasured({ ...chosen, title: "Answers", path: answersAddress(place), isEditor, mcpUrl: web.config.mcpUrl }),
    );
  }
  const given = {
    keyword_id: query.get("keyword"),
    brand_id: query.get("names"),
    absent_brand_id: query.get("lacks"),
    cursor: query.get("cursor"),
  };
  const source = query.get("source");
  const answers = await ask(listAnswers, {
    ...place,
    analysis_id: analysis.id,
    collect_id: query.get("collect") || latest.id,
    limit: ROWS,
    ...(source ? { sources: [source] } : {}),
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value)),
  });
  send(answersPage({ ...chosen, analysis, filters, answers }));
}

async function showAnswer(visit: Visit, web: Web): Promise<void> {
  const { visitor, request, response } = visit;
  const ask = askAs(visit, web);
  const { organization_id, workspace_id, analysis_id } = request.params;
  const [filters, answer] = await Promise.all([
    ask(getProjectFilters, { client_id: organization_id, project_id: analysis_id }),
    ask(getAnswer, { ...request.params }),
  ]);
  const place = { organization_id: String(organization_id), workspace_id: String(workspace_id) };
  const own = new Set(filters.brands.filter((brand) => brand.is_my_brand).map(({ id }) => id));
  const link = `${web.config.baseUrl}${request.path}`;
  const content = answerPage({ place, own, answer, link });
  sendPage(response, { title: answer.prompt.slice(0, 80), body: consolePage("answers", visitor, content) });
}
