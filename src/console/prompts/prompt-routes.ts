import { setImmediate as nextTurn } from "node:timers/promises";
import { listKeywordsMetrics } from "../../../tools/metrics/list-keywords-metrics.ts";
import { sendCsv } from "../../http/pages/csv.ts";
import type { Filters } from "../shared/filters.ts";
import { promptsAddress } from "../shared/places.ts";
import { pageNumber, PROMPT_COLUMNS, promptsPage, ROWS, promptsOrder } from "./prompts-page.ts";
import { chooseAnalysis, type ChosenAnalysis } from "../shared/chosen-analysis.ts";
import type { Visit } from "../../http/pages/for-visitor.ts";
import { showFigures, type Measured } from "../shared/show-figures.ts";
import { pageAt, type Route } from "../../http/pages/routes.ts";

/** Lines written before yielding to the event loop. */
const LINES_AT_ONCE = 500;

const PATH = "/prompts/:organization_id/:workspace_id";

export const promptRoutes: readonly Route[] = [pageAt(PATH, showPrompts), pageAt(`${PATH}/prompts.csv`, sendPrompts)];

type Paging = { page_number: number; rows_per_page: number };

/** Prompts that match the filters, in the URL's order; all of them without paging. */
async function readPrompts(
  { ask, place, query }: Pick<ChosenAnalysis, "ask" | "place" | "query">,
  { analysisId, filters, paging }: { analysisId: string; filters: Filters; paging?: Paging },
) {
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
    ...promptsOrder(query, filters),
    ...paging,
  });
}

/** Returns the last page if the requested one is beyond it. */
async function readPage(measured: Measured) {
  const { query, analysis, filters } = measured;
  const read = (page: number) =>
    readPrompts(measured, {
      analysisId: analysis.id,
      filters,
      paging: { page_number: page + 1, rows_per_page: ROWS },
    });
  const asked = pageNumber(query);
  const prompts = await read(asked);
  const last = Math.max(0, Math.ceil((prompts.total_count ?? 0) / ROWS) - 1);
  return asked <= last ? { page: asked, prompts } : { page: last, prompts: await read(last) };
}

async function showPrompts(visit: Visit): Promise<void> {
  return showFigures(visit, { title: "Prompts", section: "prompts" }, async (measured) =>
    promptsPage({ ...measured, ...(await readPage(measured)) }),
  );
}

async function sendPrompts(visit: Visit): Promise<void> {
  const { response } = visit;
  const chosen = await chooseAnalysis(visit);
  const { analysis, filters, place } = chosen;
  if (!analysis || !filters) return response.redirect(303, promptsAddress(place));
  const { data } = await readPrompts(chosen, { analysisId: analysis.id, filters });
  await sendCsv(response, "prompts.csv", { columns: PROMPT_COLUMNS, parts: inParts(data) });
}

async function* inParts<Row>(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  for (let at = 0; at === 0 || at < rows.length; at += LINES_AT_ONCE) {
    yield rows.slice(at, at + LINES_AT_ONCE);
    await nextTurn();
  }
}
