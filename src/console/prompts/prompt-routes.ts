import { setImmediate as nextTurn } from "node:timers/promises";
import { listKeywordsMetrics } from "../../../tools/metrics/list-keywords-metrics.ts";
import { sendCsv } from "../../http/pages/csv.ts";
import type { Filters } from "../shared/filters.ts";
import { promptsAddress } from "../shared/page-addresses.ts";
import {
  parsePageNumber,
  PROMPT_COLUMNS,
  renderPromptsPage,
  PROMPTS_PER_PAGE,
  parsePromptsOrder,
} from "./prompts-page.ts";
import { chooseAnalysis, type ChosenAnalysis } from "../shared/chosen-analysis.ts";
import type { Visit } from "../../http/pages/require-visitor.ts";
import { showMetricsPage, type MeasuredAnalysis } from "../shared/show-metrics-page.ts";
import { inBar, pageRoute, type Route } from "../../http/pages/routes.ts";
import type { Section } from "../../http/pages/section.ts";

/** Lines written before yielding to the event loop. */
const LINES_PER_CHUNK = 500;

const PROMPTS_PATH = "/prompts/:organization_id/:workspace_id";

const PROMPTS_SECTION: Section = {
  name: "Prompts",
  icon: "M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.4 10.4l3.1 3.1",
};

export const promptRoutes: readonly Route[] = [
  ...inBar(PROMPTS_SECTION, [pageRoute(PROMPTS_PATH, showPrompts)]),
  pageRoute(`${PROMPTS_PATH}/prompts.csv`, sendPromptsCsv),
];

type PageRequest = { page_number: number; rows_per_page: number };

async function readPrompts(
  { call, ids, query }: Pick<ChosenAnalysis, "call" | "ids" | "query">,
  { analysisId, filters, paging }: { analysisId: string; filters: Filters; paging?: PageRequest },
) {
  const list = (name: string) => {
    const value = query.get(name);
    return value ? [value] : [];
  };
  const collect = query.get("collect");
  return call(listKeywordsMetrics, {
    client_id: ids.organization_id,
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
    ...parsePromptsOrder(query, filters),
    ...paging,
  });
}

/** Returns the last page if the requested one is beyond it. */
async function readPage(measured: MeasuredAnalysis) {
  const { query, analysis, filters } = measured;
  const read = (page: number) =>
    readPrompts(measured, {
      analysisId: analysis.id,
      filters,
      paging: { page_number: page + 1, rows_per_page: PROMPTS_PER_PAGE },
    });
  const requestedPage = parsePageNumber(query);
  const prompts = await read(requestedPage);
  const last = Math.max(0, Math.ceil((prompts.total_count ?? 0) / PROMPTS_PER_PAGE) - 1);
  return requestedPage <= last ? { page: requestedPage, prompts } : { page: last, prompts: await read(last) };
}

async function showPrompts(visit: Visit): Promise<void> {
  return showMetricsPage(visit, { title: "Prompts", section: "prompts" }, async (measured) =>
    renderPromptsPage({ ...measured, ...(await readPage(measured)) }),
  );
}

async function sendPromptsCsv(visit: Visit): Promise<void> {
  const { response } = visit;
  const chosen = await chooseAnalysis(visit);
  const { analysis, filters, ids } = chosen;
  if (!analysis || !filters) return response.redirect(303, promptsAddress(ids));
  const { data } = await readPrompts(chosen, { analysisId: analysis.id, filters });
  await sendCsv(response, "prompts.csv", { columns: PROMPT_COLUMNS, parts: splitIntoChunks(data) });
}

async function* splitIntoChunks<Row>(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  for (let at = 0; at === 0 || at < rows.length; at += LINES_PER_CHUNK) {
    yield rows.slice(at, at + LINES_PER_CHUNK);
    await nextTurn();
  }
}
