import { Readable } from "node:stream";
import { Router, type NextFunction, type Request, type Response } from "express";
import { AppError } from "../../../../core/errors.ts";
import type { StoredLines } from "../../../../core/imports.ts";
import { getAnalysis } from "../../../../tools/analyses/get-analysis.ts";
import { getImportReport } from "../../../../tools/analyses/get-import-report.ts";
import { importAnswers } from "../../../../tools/analyses/import-answers.ts";
import type { LinesUpload } from "../../../assets/uploads.ts";
import { Queued } from "../../../../tools/endpoint.ts";
import { admitCall, invoke } from "../../../call/invoke.ts";
import type { Call, Deps } from "../../../call/deps.ts";
import { readMultipart } from "../../rest/multipart.ts";
import { forVisitor } from "../for-visitor.ts";
import { sendPage } from "../page.ts";
import { importPage, sampleLines } from "../pages/analyses/import.ts";
import { consolePage } from "../pages/console.ts";
import { callOf, queryOf, type Web } from "../visit.ts";
import { askAs } from "./ask.ts";
import { keyOf, pageWithForms, type FormAction, type Notice, type Visit } from "./page-with-forms.ts";

/** The file of a form, stored as it comes in: before forms are read, as that is no text to keep. */
export function importFileRouter(web: Web): Router {
  return Router().post(
    PATH,
    keepNothing,
    forVisitor(web, (visitor, request, response) => receiveFile({ visitor, request, response }, web)),
  );
}

/** The page where editors import recorded answers, as a file or pasted. */
export function importRouter(web: Web): Router {
  return Router()
    .get(`${PATH}/sample.jsonl`, (_request, response) => {
      response.attachment("answers.jsonl").type("application/x-ndjson").send(sampleLines());
    })
    .use(pageWithForms(web, PATH, (visit, notice) => showImport(visit, web, notice), { pasted: PASTED }));
}

const PATH = "/analyses/:organization_id/:workspace_id/:analysis_id/import";

const PASTED: FormAction = {
  endpoint: importAnswers,
  done: "",
  fields: () => ({}),
  run: ({ input, call, typed }, { deps }) =>
    importLines(input, call, deps, async (upload) => ({
      lines: await upload.receive(Readable.from([Buffer.from(typed.get("pasted") ?? "")])),
      key: call.idempotencyKey,
    })),
  leadsTo: (collectId) => reportOf(String(collectId)),
};

function reportOf(collectId: string): string {
  return `?collect=${collectId}#report`;
}

/** Of a file that was sent after the session ended nothing is kept: its person is asked for it again. */
function keepNothing(_request: Request, response: Response, next: NextFunction): void {
  response.locals["form"] = new URLSearchParams();
  next();
}

async function showImport(visit: Visit, web: Web, { status, problem }: Notice): Promise<void> {
  const { visitor, request, response } = visit;
  const ask = askAs(visit, web);
  const of = { ...request.params };
  const collectId = queryOf(request.originalUrl).get("collect");
  const [analysis, report] = await Promise.all([
    ask(getAnalysis, of),
    collectId === null ? undefined : ask(getImportReport, { ...of, collect_id: collectId }),
  ]);
  const isOpen = analysis.type === "search_analysis" && analysis.status !== "archived";
  const content = importPage({
    analysis,
    mayImport: isOpen && visitor.frame.workspace?.role === "editor",
    report: collectId !== null && report ? { collectId, of: report } : undefined,
    problem,
  });
  const body = consolePage("analyses", visitor, content);
  sendPage(response, { title: "Import answers", body, ...(status ? { status } : {}) });
}

async function receiveFile(visit: Visit, web: Web): Promise<void> {
  const { visitor, request, response } = visit;
  const { deps } = web;
  const inbound = { request, response, hold: deps.limits.bodies.open({ account: visitor.userId }, response) };
  const receive = async (upload: LinesUpload) => {
    await upload.admit(Number(request.headers["content-length"] ?? 0));
    const { file, pairs } = await readMultipart<StoredLines>(inbound, "lines", upload);
    if (!file) throw new AppError("VALIDATION_FAILED", "Choose a file of JSON Lines.");
    return { lines: file, key: keyOf(new URLSearchParams(pairs)) };
  };
  try {
    const collectId = await importLines({ ...request.params }, callOf(visitor, response), deps, receive);
    response.redirect(303, request.path + reportOf(collectId));
  } catch (error) {
    if (!(error instanceof AppError) || error.code === "NOT_FOUND" || error.status === 500) throw error;
    const { status, message, fields = [] } = error;
    await showImport(visit, web, { status, problem: [message, ...fields.map((field) => field.message)].join(" ") });
  }
}

/** Stores lines as they are received, and queues them; the id of their collect. */
async function importLines(
  of: Record<string, unknown>,
  call: Call,
  deps: Deps,
  receive: (upload: LinesUpload) => Promise<{ lines: StoredLines; key: string | undefined }>,
): Promise<string> {
  await admitCall(importAnswers, of, call, deps);
  const { userId = "" } = call.caller ?? {};
  const upload = deps.uploads.beginLines({ userId, organizationId: String(of["organization_id"]) });
  try {
    const { lines, key } = await receive(upload);
    const result = await invoke(
      importAnswers,
      { ...of, lines },
      { ...call, idempotencyKey: key, respondAsync: true, sent: lines.sha256 },
      deps,
    );
    return String((result instanceof Queued ? result.body : (result as Record<string, unknown>))["collect_id"]);
  } finally {
    await upload.release();
  }
}
