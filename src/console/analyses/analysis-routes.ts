import { ANALYSIS_SORTS } from "../../../core/analyses/analysis.ts";
import { AppError } from "../../../core/shared/errors.ts";
import { archiveAnalysis } from "../../../tools/analyses/archive-analysis.ts";
import { getAnalysis } from "../../../tools/analyses/get-analysis.ts";
import { listAnalyses } from "../../../tools/analyses/list-analyses.ts";
import { listCollects } from "../../../tools/collects/list-collects.ts";
import { pauseAnalysis } from "../../../tools/analyses/pause-analysis.ts";
import { priceCollect } from "../../../tools/collects/price-collect.ts";
import { resumeAnalysis } from "../../../tools/analyses/resume-analysis.ts";
import { runCollect } from "../../../tools/collects/run-collect.ts";
import { updateAnalysis } from "../../../tools/analyses/update-analysis.ts";
import { present } from "../../call/invoke.ts";
import { sendCsv } from "../../http/pages/csv.ts";
import { renderAnalysisPage, COLLECT_COLUMNS } from "./analysis-page.ts";
import { ANALYSIS_COLUMNS, renderAnalysisListPage } from "./analyses-page.ts";
import { iteratePages } from "../shared/iterate-pages.ts";
import { confirmQuote, rewordQuoteError } from "../shared/confirm-quote.ts";
import { pageWithForms, type FormAction, type Notice } from "../shared/page-with-forms.ts";
import type { Visit } from "../../http/pages/require-visitor.ts";
import type { Answer } from "../../http/pages/call-endpoint.ts";
import { getWorkspaceIds } from "../shared/workspace-ids.ts";
import { showPage } from "../shared/show-page.ts";
import { inBar, pageRoute, type Route } from "../../http/pages/routes.ts";
import type { Section } from "../../http/pages/section.ts";
import { createVisitorCall } from "../../http/pages/visit.ts";
import { toSortInput } from "../shared/table-sort.ts";

const [ANALYSES_PER_PAGE, COLLECTS_PER_PAGE] = [50, 25];
/** Collects read per analysis: enough for one in progress, some failed and one with answers. */
const RECENT_COLLECTS = 6;

const createSimpleAction = (endpoint: FormAction["endpoint"], done: string): FormAction => ({
  endpoint,
  done,
  fields: () => ({}),
});

const ANALYSIS_FORMS: Record<string, FormAction> = {
  price: {
    ...createSimpleAction(priceCollect, ""),
    nextQuery: (answer) => `?quote=${(answer as Answer<typeof priceCollect>).quote_id}#priced`,
  },
  run: {
    endpoint: runCollect,
    done: "The run has started.",
    fields: (form) => ({ quote_id: form.get("quote_id") ?? "" }),
    run: ({ input, call }, { deps }) => confirmQuote(runCollect, input, call, deps),
  },
  pause: createSimpleAction(pauseAnalysis, "Paused. Prompts in flight complete; the others wait."),
  resume: createSimpleAction(resumeAnalysis, "Resumed."),
  archive: createSimpleAction(archiveAnalysis, "Archived. Planned runs are canceled and their credits released."),
  rename: { endpoint: updateAnalysis, done: "Renamed.", fields: (form) => ({ name: form.get("name") }) },
};

const PATH = "/analyses/:organization_id/:workspace_id";

const ANALYSES_SECTION: Section = {
  name: "Analyses",
  icon: "M2.5 13.5v-4M6.2 13.5v-7M9.8 13.5v-5M13.5 13.5v-11",
};

export const analysisRoutes: readonly Route[] = [
  pageRoute(`${PATH}/analyses.csv`, sendAnalysesCsv),
  pageRoute(`${PATH}/:analysis_id/collects.csv`, sendCollectsCsv),
  ...inBar(ANALYSES_SECTION, pageWithForms(PATH, showAnalyses)),
  ...pageWithForms(`${PATH}/:analysis_id`, showAnalysis, ANALYSIS_FORMS),
];

function isEditor({ visitor }: Visit): boolean {
  return visitor.frame.workspace?.role === "editor";
}

function listInput(query: URLSearchParams) {
  const [type, status] = [query.get("type"), query.get("status")];
  return { ...(type ? { type } : {}), ...(status ? { status } : {}), ...toSortInput(query, ANALYSIS_SORTS) };
}

async function sendAnalysesCsv(visit: Visit): Promise<void> {
  const input = { ...getWorkspaceIds(visit), ...listInput(visit.query) };
  const parts = iteratePages(visit.call, listAnalyses, input);
  await sendCsv(visit.response, "analyses.csv", { columns: ANALYSIS_COLUMNS, parts });
}

async function sendCollectsCsv(visit: Visit): Promise<void> {
  const input = { ...getWorkspaceIds(visit), analysis_id: String(visit.request.params["analysis_id"]) };
  const parts = iteratePages(visit.call, listCollects, input);
  await sendCsv(visit.response, "collects.csv", { columns: COLLECT_COLUMNS, parts });
}

async function showAnalyses(visit: Visit): Promise<void> {
  const { call, query } = visit;
  const place = getWorkspaceIds(visit);
  const cursor = query.get("cursor");
  const { data, next_cursor: nextCursor } = await call(listAnalyses, {
    ...place,
    limit: ANALYSES_PER_PAGE,
    ...listInput(query),
    ...(cursor ? { cursor } : {}),
  });
  const items = await Promise.all(
    data.map(async (analysis) => {
      const ids = { ...place, analysis_id: analysis.id };
      const [collects, audit] = await Promise.all([
        call(listCollects, { ...ids, limit: RECENT_COLLECTS }),
        analysis.type === "geo_audit" ? call(getAnalysis, ids) : undefined,
      ]);
      return { analysis, collects: collects.data, website: audit?.setup["website"] };
    }),
  );
  const content = renderAnalysisListPage({
    ids: place,
    query,
    items,
    nextCursor,
    now: visit.web.deps.now(),
    canEdit: isEditor(visit),
  });
  showPage(visit, { title: "Analyses", section: "analyses", isWide: true, content });
}

async function showAnalysis(visit: Visit, { status, ...notice }: Notice): Promise<void> {
  const { call, query } = visit;
  const ids = { ...getWorkspaceIds(visit), analysis_id: String(visit.request.params["analysis_id"]) };
  const cursor = query.get("cursor");
  const [analysis, collects, quote] = await Promise.all([
    call(getAnalysis, ids),
    call(listCollects, { ...ids, limit: COLLECTS_PER_PAGE, ...(cursor === null ? {} : { cursor }) }),
    readQuote(visit),
  ]);
  const isNew = query.get("done") === "created";
  const content = renderAnalysisPage({
    analysis,
    collects: collects.data,
    nextCursor: collects.next_cursor,
    query,
    now: visit.web.deps.now(),
    canEdit: isEditor(visit),
    ...notice,
    ...(isNew ? { done: "Created. The first run starts now." } : {}),
    ...quote,
  });
  const errorStatus = status ?? (quote.problem === undefined ? undefined : 409);
  showPage(visit, { title: analysis.name, section: "analyses", isWide: true, status: errorStatus, content });
}

async function readQuote({ visitor, request, response, query, web: { deps } }: Visit) {
  const id = query.get("quote");
  if (id === null) return { quote: undefined };
  const call = { ...createVisitorCall(visitor, response), confirmation: "browser" as const };
  try {
    const { message, credits } = await present(runCollect, { ...request.params, quote_id: id }, call, deps);
    return { quote: { id, message, credits } };
  } catch (thrown) {
    const error = rewordQuoteError(thrown);
    if (!(error instanceof AppError) || error.status >= 500 || error.code === "NOT_FOUND") throw error;
    return { quote: undefined, problem: error.message };
  }
}
