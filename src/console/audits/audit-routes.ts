import { Readable } from "node:stream";
import { AppError, notFound } from "../../../core/shared/errors.ts";
import { listAnalyses } from "../../../tools/analyses/list-analyses.ts";
import { getAnalysis } from "../../../tools/analyses/get-analysis.ts";
import { getAudit } from "../../../tools/audits/get-audit.ts";
import { getAuditPage } from "../../../tools/audits/get-audit-page.ts";
import { listAuditPages } from "../../../tools/audits/list-audit-pages.ts";
import { PAGE_SORTS } from "../../../tools/audits/select-pages.ts";
import { updateAuditPage } from "../../../tools/audits/update-audit-page.ts";
import { getMe } from "../../../tools/auth/get-me.ts";
import { AUDIT_COLUMNS, AUDIT_SORTS, renderAuditListPage, type ListedAudit } from "./audits-page.ts";
import { renderAuditPage } from "./audit-page.ts";
import { renderAuditedPage } from "./audited-page.ts";
import { CHECK_COLUMNS, CHECKS_TABLE } from "./checks.ts";
import { readPageFilters, PAGE_COLUMNS } from "./pages-table.ts";
import type { AuditLocation } from "./labels.ts";
import { sendCsv } from "../../http/pages/csv.ts";
import { newAnalysisAddress, type WorkspaceIds } from "../shared/page-addresses.ts";
import { iteratePages } from "../shared/iterate-pages.ts";
import { pageWithForms, type FormAction, type Notice } from "../shared/page-with-forms.ts";
import type { Answer, Ask } from "../../http/pages/call-endpoint.ts";
import type { Visit } from "../../http/pages/require-visitor.ts";
import { getWorkspaceIds } from "../shared/workspace-ids.ts";
import { showPage } from "../shared/show-page.ts";
import { inBar, pageRoute, type Route } from "../../http/pages/routes.ts";
import type { Section } from "../../http/pages/section.ts";
import { toSortInput } from "../shared/table-sort.ts";

const AUDITS_PER_PAGE = 25;

const CORRECT_PAGE_TYPE: FormAction = {
  endpoint: updateAuditPage,
  done: "Saved. The next run checks the page as this type.",
  fields: (form) => ({ page_type: form.get("page_type") || null }),
};

const AUDITS_PATH = "/audits/:organization_id/:workspace_id";
const AUDIT_PATH = `${AUDITS_PATH}/:analysis_id`;

const AUDITS_SECTION: Section = {
  name: "Audits",
  icon: "M3.5 3.5h9v9h-9zM5.8 8.2l1.5 1.5 2.9-3.2",
};

export const auditRoutes: readonly Route[] = [
  pageRoute(`${AUDIT_PATH}/pages.csv`, sendPagesCsv),
  pageRoute(`${AUDIT_PATH}/checks.csv`, sendChecksCsv),
  pageRoute(`${AUDITS_PATH}/audits.csv`, sendAuditsCsv),
  ...inBar(AUDITS_SECTION, pageWithForms(AUDITS_PATH, showAudits)),
  ...pageWithForms(AUDIT_PATH, showAudit),
  ...pageWithForms(`${AUDIT_PATH}/:page_id`, showAuditedPage, { type: CORRECT_PAGE_TYPE }),
];

function buildListInput(visit: Visit) {
  const { query } = visit;
  return { ...getWorkspaceIds(visit), type: "geo_audit", ...toSortInput(query, AUDIT_SORTS) };
}

type ListedAnalyses = Answer<typeof listAnalyses>["data"];

async function attachRuns(call: Ask, ids: WorkspaceIds, analyses: ListedAnalyses): Promise<ListedAudit[]> {
  return Promise.all(
    analyses.map(async (analysis) => {
      return { analysis, audit: await call(getAudit, { ...ids, analysis_id: analysis.id }) };
    }),
  );
}

async function sendAuditsCsv(visit: Visit): Promise<void> {
  const { call } = visit;
  async function* parts() {
    for await (const analyses of iteratePages(call, listAnalyses, buildListInput(visit))) {
      yield await attachRuns(call, getWorkspaceIds(visit), analyses);
    }
  }
  await sendCsv(visit.response, "audits.csv", { columns: AUDIT_COLUMNS, parts: parts() });
}

async function showAudits(visit: Visit): Promise<void> {
  const { call, query, visitor } = visit;
  const cursor = query.get("cursor");
  const ids = getWorkspaceIds(visit);
  const input = { ...buildListInput(visit), limit: AUDITS_PER_PAGE, ...(cursor === null ? {} : { cursor }) };
  const { data, next_cursor: nextCursor } = await call(listAnalyses, input);
  const audits = await attachRuns(call, ids, data);
  const { workspace } = visitor.frame;
  const newAuditAddress =
    workspace?.role === "editor"
      ? newAnalysisAddress({ ...workspace, workspace_id: workspace.id }, "audit/what")
      : undefined;
  const content = renderAuditListPage({ ids, query, audits, nextCursor, newAuditAddress });
  showPage(visit, { title: "Audits", section: "audits", isWide: true, content });
}

function readAuditRequest(visit: Visit) {
  const { request } = visit;
  const of = (name: string) => String(request.params[name]);
  const ids = {
    organization_id: of("organization_id"),
    workspace_id: of("workspace_id"),
    analysis_id: of("analysis_id"),
  };
  const runId = visit.query.get("run") ?? undefined;
  const location: AuditLocation = { ...ids, runId };
  const ofRun = runId === undefined ? ids : { ...ids, collect_id: runId };
  return { location, ids, ofRun, call: visit.call };
}

async function findAudit({ ids, call }: ReturnType<typeof readAuditRequest>) {
  const analysis = await call(getAnalysis, ids);
  if (analysis.type !== "geo_audit") throw notFound("audit");
  return { analysis, website: String(analysis.setup["website"]) };
}

async function showAudit(visit: Visit): Promise<void> {
  const auditRequest = readAuditRequest(visit);
  const { location, ofRun, call } = auditRequest;
  const { analysis, website } = await findAudit(auditRequest);
  const audit = await call(getAudit, ofRun);
  const { query } = visit;
  const listed = await listPages(query, (wanted) =>
    call(listAuditPages, { ...ofRun, limit: AUDITS_PER_PAGE, ...wanted }),
  );
  const content = renderAuditPage({ location, analysis, website, audit, query, ...listed });
  const status = listed.problem === undefined ? 200 : 400;
  showPage(visit, { title: analysis.name, section: "audits", isWide: true, status, content });
}

const NO_PAGES: Answer<typeof listAuditPages> = { data: [], next_cursor: null, total_count: 0, is_simulated: false };

const FILTER_ERROR_MESSAGES: Readonly<Record<string, string>> = {
  outcome: "Choose an outcome from the list.",
  check: "Choose a check from the list.",
  type: "Choose a type from the list.",
  min_score: "Score from must be a whole number from 0 to 100.",
  max_score: "Score to must be a whole number from 0 to 100.",
  cursor: "This page of the list does not exist. Start at the first page.",
};

async function listPages(
  query: URLSearchParams,
  list: (wanted: Record<string, unknown>) => Promise<Answer<typeof listAuditPages>>,
) {
  const cursor = query.get("cursor");
  const wanted = { ...parsePageFilters(query), ...(cursor === null ? {} : { cursor }) };
  try {
    return { pages: await list(wanted) };
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 400) throw error;
    const wrong = (error.fields ?? []).map(({ path }) => FILTER_ERROR_MESSAGES[path] ?? error.message);
    return { pages: NO_PAGES, problem: wrong.join(" ") || error.message };
  }
}

function parsePageFilters(query: URLSearchParams) {
  const { min_score: minScore, max_score: maxScore, ...texts } = readPageFilters(query);
  return {
    ...texts,
    ...(minScore === undefined ? {} : { min_score: Number(minScore) }),
    ...(maxScore === undefined ? {} : { max_score: Number(maxScore) }),
    ...toSortInput(query, PAGE_SORTS),
  };
}

async function sendPagesCsv(visit: Visit): Promise<void> {
  const { ofRun, call } = readAuditRequest(visit);
  const input = { ...ofRun, ...parsePageFilters(visit.query) };
  await sendCsv(visit.response, "pages.csv", {
    columns: PAGE_COLUMNS,
    parts: iteratePages(call, listAuditPages, input),
  });
}

async function sendChecksCsv(visit: Visit): Promise<void> {
  const { ofRun, call } = readAuditRequest(visit);
  const { checks } = await call(getAudit, ofRun);
  const rows = CHECKS_TABLE.sortRows(checks, visit.query);
  await sendCsv(visit.response, "checks.csv", { columns: CHECK_COLUMNS, parts: Readable.from([rows]) });
}

async function showAuditedPage(visit: Visit, { status, done, problem }: Notice): Promise<void> {
  const asking = readAuditRequest(visit);
  const { location, ofRun, call } = asking;
  const { analysis, website } = await findAudit(asking);
  const audited = await call(getAuditPage, { ...ofRun, page_id: visit.request.params["page_id"] });
  const { workspaces } = await call(getMe, {});
  const canEdit = workspaces.some(({ id, role }) => id === location.workspace_id && role === "editor");
  const content = renderAuditedPage({
    location,
    audit: { name: analysis.name, website },
    page: audited,
    canEdit,
    done,
    problem,
  });
  showPage(visit, { title: `${audited.url} · ${analysis.name}`, section: "audits", isWide: true, status, content });
}
