import { Router } from "express";
import { getAnswer } from "../../../../tools/analyses/get-answer.ts";
import { listAnswers } from "../../../../tools/analyses/list-answers.ts";
import { getProjectFilters } from "../../../../tools/search-metrics/get-project-filters.ts";
import { forVisitor } from "../for-visitor.ts";
import { sendPage } from "../page.ts";
import { answerPage } from "../pages/answers/answer.ts";
import { answersPage } from "../pages/answers/answer-list.ts";
import { consolePage } from "../pages/console.ts";
import type { Web } from "../visit.ts";
import { askAs } from "./ask.ts";
import type { Visit } from "./page-with-forms.ts";
import { showFigures } from "./show-figures.ts";

const ROWS = 25;

/** The answers of a workspace: a list with filters, and each whole. */
export function answersRouter(web: Web): Router {
  const path = "/answers/:organization_id/:workspace_id";
  return Router()
    .get(
      path,
      forVisitor(web, (visitor, request, response) => showAnswers({ visitor, request, response }, web)),
    )
    .get(
      `${path}/:analysis_id/:answer_id`,
      forVisitor(web, (visitor, request, response) => showAnswer({ visitor, request, response }, web)),
    );
}

async function showAnswers(visit: Visit, web: Web): Promise<void> {
  return showFigures(visit, web, { title: "Answers", section: "answers" }, async (measured) => {
    const { ask, place, query, analysis } = measured;
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
      collect_id: query.get("collect") || measured.measured[0].id,
      limit: ROWS,
      ...(source ? { sources: [source] } : {}),
      ...Object.fromEntries(Object.entries(given).filter(([, value]) => value)),
    });
    return answersPage({ ...measured, answers });
  });
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
