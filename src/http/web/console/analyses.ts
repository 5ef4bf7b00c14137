import { Router } from "express";
import { ANALYSIS_SORTS } from "../../../../core/analysis.ts";
import { AppError } from "../../../../core/errors.ts";
import { archiveAnalysis } from "../../../../tools/analyses/archive-analysis.ts";
import { getAnalysis } from "../../../../tools/analyses/get-analysis.ts";
import { listAnalyses } from "../../../../tools/analyses/list-analyses.ts";
import { listCollects } from "../../../../tools/analyses/list-collects.ts";
import { pauseAnalysis } from "../../../../tools/analyses/pause-analysis.ts";
import { priceCollect } from "../../../../tools/analyses/price-collect.ts";
import { resumeAnalysis } from "../../../../tools/analyses/resume-analysis.ts";
import { runCollect } from "../../../../tools/analyses/run-collect.ts";
import { updateAnalysis } from "../../../../tools/analyses/update-analysis.ts";
import { present } from "../../../call/invoke.ts";
import { sendCsv } from "../csv.ts";
import { forVisitor } from "../for-visitor.ts";
import { sendPage } from "../page.ts";
import { analysisPage, COLLECT_COLUMNS, type AnalysisView } from "../pages/analyses/analysis.ts";
import { ANALYSIS_COLUMNS, analysisListPage } from "../pages/analyses/analysis-list.ts";
import { consolePage } from "../pages/console.ts";
import { orderInput } from "../pages/order.ts";
import { callOf, queryOf, type Web } from "../visit.ts";
import { askAs } from "./ask.ts";
import { eachPage } from "./each-page.ts";
import { confirmQuote, inPageWords } from "./confirm-quote.ts";
import { pageWithForms, type Answer, type FormAction, type Notice, type Visit } from "./page-with-forms.ts";
import { placeOf } from "./place-of.ts";

/** Analyses, and collects, of a page. */
const [ANALYSES, COLLECTS] = [50, 25];
/** Collects of each analysis that the list reads: one under way, some that failed, and one with answers. */
const NEWEST = 6;

const plain = (endpoint: FormAction["endpoint"], done: string): FormAction => ({ endpoint, done, fields: () => ({}) });

const FORMS: Record<string, FormAction> = {
  price: {
    ...plain(priceCollect, ""),
    leadsTo: (answer) => `?quote=${(answer as Answer<typeof priceCollect>).quote_id}#priced`,
  },
  run: {
    endpoint: runCollect,
    done: "The collect has started.",
    fields: (form) => ({ quote_id: form.get("quote_id") ?? "" }),
    run: ({ input, call }, { deps }) => confirmQuote(runCollect, input, call, deps),
  },
  pause: plain(pauseAnalysis, "Paused. Questions that are being asked end; the others wait."),
  resume: plain(resumeAnalysis, "Resumed."),
  archive: plain(archiveAnalysis, "Archived. What was planned is canceled, and its credits are released."),
  rename: { endpoint: updateAnalysis, done: "Renamed.", fields: (form) => ({ name: form.get("name") }) },
};

/** The pages of analyses: the list of a workspace, and one for each where its editors run, pause and archive it. */
export function analysesRouter(web: Web): Router {
  const path = "/analyses/:organization_id/:workspace_id";
  return Router()
    .get(
      `${path}/analyses.csv`,
      forVisitor(web, (visitor, request, response) => sendAnalyses({ visitor, request, response }, web)),
    )
    .get(
      `${path}/:analysis_id/collects.csv`,
      forVisitor(web, (visitor, request, response) => sendCollects({ visitor, request, response }, web)),
    )
    .use(
      pageWithForms(web, path, (visit) => showAnalyses(visit, web), {}),
      pageWithForms(web, `${path}/:analysis_id`, (visit, notice) => showAnalysis(visit, web, notice), FORMS),
    );
}

function isEditor({ visitor }: Visit): boolean {
  return visitor.frame.workspace?.role === "editor";
}

/** The filters and the order of an address as the endpoint takes them. */
function listInput(query: URLSearchParams) {
  const [type, status] = [query.get("type"), query.get("status")];
  return { ...(type ? { type } : {}), ...(status ? { status } : {}), ...orderInput(query, ANALYSIS_SORTS) };
}

/** The list with all of its rows. */
async function sendAnalyses(visit: Visit, web: Web): Promise<void> {
  const input = { ...placeOf(visit), ...listInput(queryOf(visit.request.originalUrl)) };
  const parts = eachPage(askAs(visit, web), listAnalyses, input);
  await sendCsv(visit.response, "analyses.csv", { columns: ANALYSIS_COLUMNS, parts });
}

async function sendCollects(visit: Visit, web: Web): Promise<void> {
  const input = { ...placeOf(visit), analysis_id: String(visit.request.params["analysis_id"]) };
  const parts = eachPage(askAs(visit, web), listCollects, input);
  await sendCsv(visit.response, "collects.csv", { columns: COLLECT_COLUMNS, parts });
}

async function showAnalyses(visit: Visit, web: Web): Promise<void> {
  const ask = askAs(visit, web);
  const place = placeOf(visit);
  const query = queryOf(visit.request.originalUrl);
  const cursor = query.get("cursor");
  const { data, next_cursor: next } = await ask(listAnalyses, {
    ...place,
    limit: ANALYSES,
    ...listInput(query),
    ...(cursor ? { cursor } : {}),
  });
  const listed = await Promise.all(
    data.map(async (analysis) => {
      const of = { ...place, analysis_id: analysis.id };
      const [collects, audit] = await Promise.all([
        ask(listCollects, { ...of, limit: NEWEST }),
        analysis.type === "geo_audit" ? ask(getAnalysis, of) : undefined,
      ]);
      return { analysis, collects: collects.data, website: audit?.setup["website"] };
    }),
  );
  const content = analysisListPage({ place, query, listed, next, now: web.deps.now(), mayWrite: isEditor(visit) });
  sendPage(visit.response, {
    title: "Analyses",
    body: consolePage("analyses", visit.visitor, content, { wide: true }),
  });
}

async function showAnalysis(visit: Visit, web: Web, { status, ...notice }: Notice): Promise<void> {
  const { visitor, request, response } = visit;
  const ask = askAs(visit, web);
  const query = queryOf(request.originalUrl);
  const of = { ...placeOf(visit), analysis_id: String(request.params["analysis_id"]) };
  const cursor = query.get("cursor");
  const [analysis, collects, quote] = await Promise.all([
    ask(getAnalysis, of),
    ask(listCollects, { ...of, limit: COLLECTS, ...(cursor === null ? {} : { cursor }) }),
    readQuote(visit, web),
  ]);
  const isNew = query.get("done") === "created";
  const content = analysisPage({
    analysis,
    collects: collects.data,
    next: collects.next_cursor,
    query,
    now: web.deps.now(),
    mayWrite: isEditor(visit),
    ...notice,
    ...(isNew ? { done: "Created. Its first collect begins now." } : {}),
    ...quote,
  });
  const refused = status ?? (quote.problem === undefined ? undefined : 409);
  const body = consolePage("analyses", visitor, content, { wide: true });
  sendPage(response, { title: analysis.name, body, ...(refused ? { status: refused } : {}) });
}

/** The quote in the address, as a person reads it before a yes; why not, where it cannot be used any more. */
async function readQuote(
  { visitor, request, response }: Visit,
  { deps }: Web,
): Promise<{ quote: AnalysisView["quote"]; problem?: string }> {
  const id = queryOf(request.originalUrl).get("quote");
  if (id === null) return { quote: undefined };
  const call = { ...callOf(visitor, response), confirmation: "browser" as const };
  try {
    const { message, credits } = await present(runCollect, { ...request.params, quote_id: id }, call, deps);
    return { quote: { id, message, credits } };
  } catch (thrown) {
    const error = inPageWords(thrown);
    if (!(error instanceof AppError) || error.status >= 500 || error.code === "NOT_FOUND") throw error;
    return { quote: undefined, problem: error.message };
  }
}
