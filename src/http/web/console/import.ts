import { Readable } from "node:stream";
import { Router, type NextFunction, type Request, type Response } from "express";
import { AppError } from "../../../../core/errors.ts";
import type { StoredLines } from "../../../../core/imports.ts";
import { getAnalysis } from "../../../../tools/analyses/get-analysis.ts";
import { getImportReport } from "../../../../tools/analyses/get-import-report.ts";
import { importAnswers } from "../../../../tools/analyses/import-answers.ts";
import { Queued } from "../../../../tools/endpoint.ts";
import { admitCall, invoke, type Call } from "../../../call/invoke.ts";
import { readMultipart } from "../../rest/multipart.ts";
import { forVisitor } from "../for-visitor.ts";
import { sendPage } from "../page.ts";
import { importPage, sampleLines } from "../pages/analyses/import.ts";
import { consolePage } from "../pages/console.ts";
import { callOf, queryOf, type Web } from "../visit.ts";
import { askAs } from "./ask.ts";
import type { Visit } from "./page-with-forms.ts";

/** The page where editors import recorded answers. It reads its own form, whose file is stored as it comes in. */
export function importRouter(web: Web): Router {
  const path = "/analyses/:organization_id/:workspace_id/:analysis_id/import";
  return Router()
    .get(
      path,
      forVisitor(web, (visitor, request, response) => showImport({ visitor, request, response }, web)),
    )
    .get(`${path}/sample.jsonl`, (_request, response) => {
      response.attachment("answers.jsonl").type("application/x-ndjson").send(sampleLines());
    })
    .post(
      path,
      keepNothing,
      forVisitor(web, (visitor, request, response) => receiveImport({ visitor, request, response }, web)),
    );
}

/** Of a file that was sent after the session ended nothing is kept: its person is asked for it again. */
function keepNothing(_request: Request, response: Response, next: NextFunction): void {
  response.locals["form"] = new URLSearchParams();
  next();
}

async function showImport(visit: Visit, web: Web, failure?: AppError): Promise<void> {
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
    problem: failure && [failure.message, ...(failure.fields ?? []).map(({ message }) => message)].join(" "),
  });
  const body = consolePage("analyses", visitor, content);
  sendPage(response, { title: "Import answers", body, ...(failure ? { status: failure.status } : {}) });
}

async function receiveImport(visit: Visit, web: Web): Promise<void> {
  const { visitor, request, response } = visit;
  const call = { ...callOf(visitor, response), respondAsync: true };
  try {
    const collectId = await importLines(visit, call, web);
    response.redirect(303, `${request.path}?collect=${collectId}#report`);
  } catch (error) {
    if (!(error instanceof AppError) || error.code === "NOT_FOUND" || error.status === 500) throw error;
    await showImport(visit, web, error);
  }
}

/** Stores the lines of the form as they come in, and queues them; the id of their collect. */
async function importLines({ visitor, request, response }: Visit, call: Call, { deps }: Web): Promise<string> {
  const of = { ...request.params };
  await admitCall(importAnswers, of, call, deps);
  const { userId } = visitor;
  const upload = deps.uploads.beginLines({ userId, organizationId: String(request.params["organization_id"]) });
  try {
    await upload.admit(Number(request.headers["content-length"] ?? 0));
    const inbound = { request, response, hold: deps.limits.bodies.open({ account: userId }, response) };
    const { pairs, file } = await readMultipart<StoredLines>(inbound, "lines", upload);
    const [, pasted] = pairs.find(([name]) => name === "pasted") ?? [];
    const lines = file ?? (await upload.receive(Readable.from([Buffer.from(pasted ?? "")])));
    const result = await invoke(importAnswers, { ...of, lines }, { ...call, sent: lines.sha256 }, deps);
    return String((result instanceof Queued ? result.body : (result as Record<string, unknown>))["collect_id"]);
  } finally {
    await upload.release();
  }
}
