import { Readable } from "node:stream";
import { AppError } from "../../../core/shared/errors.ts";
import type { StoredLines } from "../../../core/analyses/imports.ts";
import { getAnalysis } from "../../../tools/analyses/get-analysis.ts";
import { getImportReport } from "../../../tools/answers/get-import-report.ts";
import { importAnswers } from "../../../tools/answers/import-answers.ts";
import type { LinesUpload } from "../../assets/uploads.ts";
import { Queued } from "../../../tools/endpoint.ts";
import { admitCall, invoke } from "../../call/invoke.ts";
import type { Call, Deps } from "../../call/deps.ts";
import { readMultipart } from "../../http/rest/multipart.ts";
import { renderImportPage, buildSampleLines } from "./import-page.ts";
import { createVisitorCall } from "../../http/pages/visit.ts";
import { parseFormId, pageWithForms, type FormAction, type Notice } from "../shared/page-with-forms.ts";
import { requireVisitor, type Visit } from "../../http/pages/require-visitor.ts";
import { showPage } from "../shared/show-page.ts";
import { get, post, type Route } from "../../http/pages/routes.ts";

const IMPORT_PATH = "/analyses/:organization_id/:workspace_id/:analysis_id/import";

const IMPORT_PASTED: FormAction = {
  endpoint: importAnswers,
  done: "",
  fields: () => ({}),
  run: ({ input, call, typed }, { deps }) =>
    importLines(input, call, deps, async (upload) => ({
      lines: await upload.receive(Readable.from([Buffer.from(typed.get("pasted") ?? "")])),
      key: call.idempotencyKey,
    })),
  nextQuery: (collectId) => buildReportQuery(String(collectId)),
};

export const importRoutes: readonly Route[] = [
  { ...post(IMPORT_PATH, requireVisitor(receiveFile)), readsBody: true },
  get(`${IMPORT_PATH}/sample.jsonl`, (_request, response) => {
    response.attachment("answers.jsonl").type("application/x-ndjson").send(buildSampleLines());
  }),
  ...pageWithForms(IMPORT_PATH, showImport, { pasted: IMPORT_PASTED }),
];

function buildReportQuery(collectId: string): string {
  return `?collect=${collectId}#report`;
}

async function showImport(visit: Visit, { status, problem }: Notice): Promise<void> {
  const { call, visitor } = visit;
  const ids = { ...visit.request.params };
  const collectId = visit.query.get("collect");
  const [analysis, report] = await Promise.all([
    call(getAnalysis, ids),
    collectId === null ? undefined : call(getImportReport, { ...ids, collect_id: collectId }),
  ]);
  const isOpen = analysis.type === "search_analysis" && analysis.status !== "archived";
  const content = renderImportPage({
    analysis,
    canImport: isOpen && visitor.frame.workspace?.role === "editor",
    report: collectId !== null && report ? { collectId, of: report } : undefined,
    problem,
  });
  showPage(visit, { title: "Import answers", section: "analyses", status, content });
}

async function receiveFile(visit: Visit): Promise<void> {
  const { visitor, request, response } = visit;
  const { deps } = visit.web;
  const inbound = { request, response, hold: deps.limits.bodies.open({ account: visitor.userId }, response) };
  const receive = async (upload: LinesUpload) => {
    await upload.admit(Number(request.headers["content-length"] ?? 0));
    const { file, pairs } = await readMultipart<StoredLines>(inbound, "lines", upload);
    if (!file) throw new AppError("VALIDATION_FAILED", "Choose a file of JSON Lines.");
    return { lines: file, key: parseFormId(new URLSearchParams(pairs)) };
  };
  try {
    const collectId = await importLines({ ...request.params }, createVisitorCall(visitor, response), deps, receive);
    response.redirect(303, request.path + buildReportQuery(collectId));
  } catch (error) {
    if (!(error instanceof AppError) || error.code === "NOT_FOUND" || error.status === 500) throw error;
    const { status, message, fields = [] } = error;
    await showImport(visit, { status, problem: [message, ...fields.map((field) => field.message)].join(" ") });
  }
}

/** Streams lines to storage and queues the import. Returns the collect id. */
async function importLines(
  pathParameters: Record<string, unknown>,
  call: Call,
  deps: Deps,
  receive: (upload: LinesUpload) => Promise<{ lines: StoredLines; key: string | undefined }>,
): Promise<string> {
  await admitCall(importAnswers, pathParameters, call, deps);
  const { userId = "" } = call.caller ?? {};
  const upload = deps.uploads.beginLines({ userId, organizationId: String(pathParameters["organization_id"]) });
  try {
    const { lines, key } = await receive(upload);
    const result = await invoke(
      importAnswers,
      { ...pathParameters, lines },
      { ...call, idempotencyKey: key, respondAsync: true, bodyHash: lines.sha256 },
      deps,
    );
    return String((result instanceof Queued ? result.body : (result as Record<string, unknown>))["collect_id"]);
  } finally {
    await upload.release();
  }
}
