import { Router } from "express";
import { findTaskBrief } from "../../../../db/acting/briefs.ts";
import { Brief, shapeBrief } from "../../../../tools/recommended-actions/brief.ts";
import { getRecommendedActionBrief } from "../../../../tools/recommended-actions/get-recommended-action-brief.ts";
import { sendRecommendedActionBriefToPartner } from "../../../../tools/recommended-actions/send-recommended-action-brief-to-partner.ts";
import { updateRecommendedActionBrief } from "../../../../tools/recommended-actions/update-recommended-action-brief.ts";
import { AppError, type ErrorCode } from "../../../../core/errors.ts";
import type { Context } from "../../../../tools/endpoint.ts";
import { invoke } from "../../../call/invoke.ts";
import { isOutdated, markShown, type Shown } from "../as-shown.ts";
import { shortened } from "../charts/chart.ts";
import { forVisitor } from "../for-visitor.ts";
import { briefFields, briefPage } from "../pages/brief.ts";
import { consolePage } from "../pages/console.ts";
import { PAGE_HEADERS, sendPage, showSentForm } from "../page.ts";
import type { Web } from "../visit.ts";
import { askAs } from "./ask.ts";
import { findAction } from "./actions.ts";
import { pageWithForms, type FormAction, type Notice, type Sending, type Visit } from "./page-with-forms.ts";

const EDIT: FormAction = {
  endpoint: updateRecommendedActionBrief,
  done: "Saved.",
  fields: textIn,
  stored,
};
const SEND: FormAction = {
  endpoint: updateRecommendedActionBrief,
  done: "Sent to the authoring tool.",
  fields: textIn,
  stored,
  run: saveAndSend,
};

/** The page of a brief: one form, whose text is what is saved, and what is sent. */
export function briefRouter(web: Web): Router {
  const path = "/actions/:organization_id/:workspace_id/:result_id/:task_id";
  const router = pageWithForms(web, path, (visit, notice) => showBrief(visit, web, notice), { edit: EDIT, send: SEND });
  router.get(
    `${path}/brief.md`,
    forVisitor(web, (visitor, request, response) => sendMarkdown({ visitor, request, response }, web)),
  );
  router.post(
    `${path}/preview`,
    forVisitor(
      web,
      (visitor, request, response) => {
        const typed = response.locals["form"] as URLSearchParams;
        showSentForm(response, { why: "not done", form: { action: request.path, fields: typed } });
        return showBrief({ visitor, request, response }, web, { typed });
      },
      ({ path: at }) => at.slice(0, -"/preview".length),
    ),
  );
  return router;
}

function textIn(form: URLSearchParams) {
  return {
    title: form.get("title"),
    // Browsers send line breaks as CR LF.
    body: form.get("body")?.replaceAll("\r\n", "\n"),
    status: form.get("status"),
  };
}

async function stored(
  { result_id, task_id }: Record<string, unknown>,
  { tenant }: Context,
): Promise<Shown | undefined> {
  const brief = await findTaskBrief(tenant, { resultId: String(result_id), taskId: String(task_id) });
  return brief && briefFields(shapeBrief(brief));
}

/** Saves what is in the form, and sends that and nothing else. */
async function saveAndSend({ input, call, typed }: Sending, { deps }: Web): Promise<unknown> {
  const { title: _title, body: _body, status: _status, ...path } = input;
  const saved = Brief.parse(await invoke(updateRecommendedActionBrief, input, call, deps));
  markShown(typed, briefFields(saved));
  const sent = { ...path, due_date: `${typed.get("due")}T23:59:59Z` };
  try {
    return await invoke(sendRecommendedActionBriefToPartner, sent, call, deps);
  } catch (error) {
    throw isOutdated(typed) ? error : notSent(error);
  }
}

/** What a page says where the interface speaks of fields, and of where they are set. */
const IN_WORDS: Partial<Record<ErrorCode, string>> = {
  DUE_DATE_IN_PAST: "Choose a due date that is not over.",
  PARTNER_NOT_CONNECTED:
    "This workspace is not connected to an authoring tool, or the tool refuses the connection. Connect it on the page Authoring tool.",
  PARTNER_RECIPIENTS_NOT_CONFIGURED: "No recipients are set. Add them on the page Authoring tool, and send again.",
  PARTNER_RECIPIENTS_INVALID:
    "The authoring tool does not accept the recipients. Correct them on the page Authoring tool, and send again.",
  PARTNER_VALIDATION_ERROR: "The authoring tool rejected the brief. Change its text or its due date, and send again.",
  PARTNER_ERROR: "The authoring tool gave an unexpected answer. Try again later. If it stays, tell its operator.",
  PARTNER_UNAVAILABLE: "The authoring tool cannot be reached now. Send again in a moment.",
  WORKSPACE_UNAVAILABLE: "The authoring tool cannot look up the workspace now. Send again in a moment.",
  ALREADY_SENT: "It was sent before.",
};

function notSent(error: unknown): unknown {
  if (!(error instanceof AppError) || error.status === 500 || error.code === "NOT_FOUND") return error;
  return new AppError(error.code, `Your text is saved, but it was not sent. ${IN_WORDS[error.code] ?? error.message}`, {
    cause: error,
  });
}

/** The brief as it is stored, to be saved: its title and its text. */
async function sendMarkdown(visit: Visit, web: Web): Promise<void> {
  const { title, body } = await askAs(visit, web)(getRecommendedActionBrief, { ...visit.request.params });
  visit.response
    .set({ ...PAGE_HEADERS, "content-disposition": 'attachment; filename="brief.md"' })
    .type("text/markdown")
    .send(`# ${title.replaceAll(/\s+/g, " ")}\n\n${body}\n`);
}

async function showBrief(visit: Visit, web: Web, { status, ...notice }: Notice): Promise<void> {
  const { visitor, request, response } = visit;
  const arrived = await findAction(visit, web);
  const brief = await askAs(visit, web)(getRecommendedActionBrief, { ...request.params });
  const ready = arrived.action.tasks.some((task) => task.id === brief.task_id && task.brief_ready);
  const today = web.deps.now().slice(0, 10);
  const view = { ...arrived, ...notice, brief, ready, today, isOutdated: isOutdated(notice.typed) };
  sendPage(response, {
    title: shortened(brief.title, 120),
    body: consolePage("actions", visitor, briefPage(view), { wide: true }),
    ...(status ? { status } : {}),
  });
}
