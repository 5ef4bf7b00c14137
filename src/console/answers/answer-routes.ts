import { getAnswer } from "../../../tools/answers/get-answer.ts";
import { listAnswers } from "../../../tools/answers/list-answers.ts";
import { getProjectFilters } from "../../../tools/metrics/get-project-filters.ts";
import { sendCsv } from "../../http/pages/csv.ts";
import { renderAnswerPage } from "./answer-page.ts";
import { ANSWER_COLUMNS, ANSWER_SORTS, renderAnswersPage } from "./answers-page.ts";
import { parseTableSort } from "../shared/table-sort.ts";
import { answersAddress } from "../shared/page-addresses.ts";
import { readBrandChoices } from "../shared/brand-choices.ts";
import { chooseAnalysis, type ChosenAnalysis } from "../shared/chosen-analysis.ts";
import { iteratePages } from "../shared/iterate-pages.ts";
import type { Visit } from "../../http/pages/require-visitor.ts";
import { getWorkspaceIds } from "../shared/workspace-ids.ts";
import { showMetricsPage } from "../shared/show-metrics-page.ts";
import { showPage } from "../shared/show-page.ts";
import { inBar, pageRoute, type Route } from "../../http/pages/routes.ts";
import type { Section } from "../../http/pages/section.ts";

const ANSWERS_PER_PAGE = 25;

const ANSWERS_PATH = "/answers/:organization_id/:workspace_id";

const ANSWERS_SECTION: Section = {
  name: "Answers",
  icon: "M2.5 3.5h11v7h-6l-3 2.5v-2.5h-2zM5 6h6M5 8h4",
};

export const answerRoutes: readonly Route[] = [
  ...inBar(ANSWERS_SECTION, [pageRoute(ANSWERS_PATH, showAnswers)]),
  pageRoute(`${ANSWERS_PATH}/answers.csv`, sendAnswersCsv),
  pageRoute(`${ANSWERS_PATH}/:analysis_id/:answer_id`, showAnswer),
];

function listInput({ ids, query, measured }: ChosenAnalysis, analysisId: string) {
  const parameters = {
    collect_id: query.get("collect") || measured[0]?.id,
    keyword_id: query.get("keyword"),
    brand_id: query.get("names"),
    absent_brand_id: query.get("lacks"),
    sort_direction: parseTableSort(query, ANSWER_SORTS)?.direction,
  };
  const [source, country] = [query.get("source"), query.get("country")];
  return {
    ...ids,
    analysis_id: analysisId,
    ...(source ? { sources: [source] } : {}),
    ...(country ? { countries: [country] } : {}),
    ...Object.fromEntries(Object.entries(parameters).filter(([, value]) => value)),
  };
}

async function showAnswers(visit: Visit): Promise<void> {
  return showMetricsPage(visit, { title: "Answers", section: "answers" }, async (measured) => {
    const { call, query, analysis } = measured;
    const cursor = query.get("cursor");
    const paged = { limit: ANSWERS_PER_PAGE, ...(cursor ? { cursor } : {}) };
    const answers = await call(listAnswers, { ...listInput(measured, analysis.id), ...paged });
    return renderAnswersPage({ ...measured, answers, brands: await readBrandChoices(measured, ["names", "lacks"]) });
  });
}

async function sendAnswersCsv(visit: Visit): Promise<void> {
  const { response } = visit;
  const chosen = await chooseAnalysis(visit);
  const { call, analysis, ids } = chosen;
  if (!analysis) return response.redirect(303, answersAddress(ids));
  const parts = iteratePages(call, listAnswers, listInput(chosen, analysis.id));
  await sendCsv(response, "answers.csv", { columns: ANSWER_COLUMNS, parts });
}

async function showAnswer(visit: Visit): Promise<void> {
  const { call, request } = visit;
  const { organization_id, analysis_id } = request.params;
  const [filters, answer] = await Promise.all([
    call(getProjectFilters, { client_id: organization_id, project_id: analysis_id }),
    call(getAnswer, { ...request.params }),
  ]);
  const ownBrandIds = new Set(filters.brands.filter((brand) => brand.is_my_brand).map(({ id }) => id));
  const shareUrl = `${visit.web.config.baseUrl}${request.path}`;
  const content = renderAnswerPage({ ids: getWorkspaceIds(visit), ownBrandIds, answer, shareUrl });
  showPage(visit, { title: answer.prompt.slice(0, 80), section: "answers", content });
}
