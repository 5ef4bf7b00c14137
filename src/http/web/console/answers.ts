import { Router } from "express";
import { getAnswer } from "../../../../tools/analyses/get-answer.ts";
import { listAnswers } from "../../../../tools/analyses/list-answers.ts";
import { getProjectFilters } from "../../../../tools/search-metrics/get-project-filters.ts";
import { sendCsv } from "../csv.ts";
import { forVisitor } from "../for-visitor.ts";
import { sendPage } from "../page.ts";
import { answerPage } from "../pages/answers/answer.ts";
import { ANSWER_COLUMNS, ANSWER_SORTS, answersPage } from "../pages/answers/answer-list.ts";
import { consolePage } from "../pages/console.ts";
import { orderIn } from "../pages/order.ts";
import { answersAddress } from "../pages/places.ts";
import type { Web } from "../visit.ts";
import { askAs } from "./ask.ts";
import { readBrandChoices } from "./brand-choices.ts";
import { chooseAnalysis, type ChosenAnalysis } from "./chosen-analysis.ts";
import { eachPage } from "./each-page.ts";
import type { Visit } from "./page-with-forms.ts";
import { placeOf } from "./place-of.ts";
import { showFigures } from "./show-figures.ts";

const ROWS = 25;

/** The answers of a workspace: a list with filters, the same as a file, and each whole. */
export function answersRouter(web: Web): Router {
  const path = "/answers/:organization_id/:workspace_id";
  return Router()
    .get(
      path,
      forVisitor(web, (visitor, request, response) => showAnswers({ visitor, request, response }, web)),
    )
    .get(
      `${path}/answers.csv`,
      forVisitor(web, (visitor, request, response) => sendAnswers({ visitor, request, response }, web)),
    )
    .get(
      `${path}/:analysis_id/:answer_id`,
      forVisitor(web, (visitor, request, response) => showAnswer({ visitor, request, response }, web)),
    );
}

/** The list as its endpoint takes it: of the latest collect, unless the address names another. */
function listInput({ place, query, measured }: ChosenAnalysis, analysisId: string) {
  const given = {
    collect_id: query.get("collect") || measured[0]?.id,
    keyword_id: query.get("keyword"),
    brand_id: query.get("names"),
    absent_brand_id: query.get("lacks"),
    sort_direction: orderIn(query, ANSWER_SORTS)?.direction,
  };
  const [source, country] = [query.get("source"), query.get("country")];
  return {
    ...place,
    analysis_id: analysisId,
    ...(source ? { sources: [source] } : {}),
    ...(country ? { countries: [country] } : {}),
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value)),
  };
}

async function showAnswers(visit: Visit, web: Web): Promise<void> {
  return showFigures(visit, web, { title: "Answers", section: "answers" }, async (measured) => {
    const { ask, query, analysis } = measured;
    const cursor = query.get("cursor");
    const paged = { limit: ROWS, ...(cursor ? { cursor } : {}) };
    const answers = await ask(listAnswers, { ...listInput(measured, analysis.id), ...paged });
    return answersPage({ ...measured, answers, brands: await readBrandChoices(measured, ["names", "lacks"]) });
  });
}

async function sendAnswers(visit: Visit, web: Web): Promise<void> {
  const { response } = visit;
  const chosen = await chooseAnalysis(visit, web);
  const { ask, analysis, place } = chosen;
  if (!analysis) return response.redirect(303, answersAddress(place));
  const parts = eachPage(ask, listAnswers, listInput(chosen, analysis.id));
  await sendCsv(response, "answers.csv", { columns: ANSWER_COLUMNS, parts });
}

async function showAnswer(visit: Visit, web: Web): Promise<void> {
  const { visitor, request, response } = visit;
  const ask = askAs(visit, web);
  const { organization_id, analysis_id } = request.params;
  const [filters, answer] = await Promise.all([
    ask(getProjectFilters, { client_id: organization_id, project_id: analysis_id }),
    ask(getAnswer, { ...request.params }),
  ]);
  const own = new Set(filters.brands.filter((brand) => brand.is_my_brand).map(({ id }) => id));
  const link = `${web.config.baseUrl}${request.path}`;
  const content = answerPage({ place: placeOf(visit), own, answer, link });
  sendPage(response, { title: answer.prompt.slice(0, 80), body: consolePage("answers", visitor, content) });
}
