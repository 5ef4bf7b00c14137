import { findTaskBrief } from "../../../db/briefs/briefs.ts";
import { Brief, shapeBrief } from "../../../tools/actions/brief.ts";
import { getRecommendedActionBrief } from "../../../tools/actions/get-recommended-action-brief.ts";
import { sendRecommendedActionBriefToPartner } from "../../../tools/actions/send-recommended-action-brief-to-partner.ts";
import { updateRecommendedActionBrief } from "../../../tools/actions/update-recommended-action-brief.ts";
import { AppError, type ErrorCode } from "../../../core/shared/errors.ts";
import type { Context } from "../../../tools/endpoint.ts";
import { invoke } from "../../call/invoke.ts";
import { hasEditConflict, setStoredDigests } from "../../http/pages/stale-form.ts";
import { shortened } from "../../http/pages/truncate-text.ts";
import { toBriefFields, renderBriefPage } from "./brief-page.ts";
import { setReturnedForm, PAGE_HEADERS } from "../../http/pages/page.ts";
import type { WebContext } from "../../http/pages/visit.ts";
import { findAction } from "../actions/action-routes.ts";
import { pageWithForms, type FormAction, type Notice, type FormSubmission } from "../shared/page-with-forms.ts";
import type { Visit } from "../../http/pages/require-visitor.ts";
import { showPage } from "../shared/show-page.ts";
import { formRoute, pageRoute, type Route } from "../../http/pages/routes.ts";

const EDIT_BRIEF_ACTION: FormAction = {
  endpoint: updateRecommendedActionBrief,
  done: "Saved.",
  fields: parseBriefText,
  stored: readStoredBrief,
};
const SEND_BRIEF_ACTION: FormAction = {
  endpoint: updateRecommendedActionBrief,
  done: "Sent to the content tool.",
  fields: parseBriefText,
  stored: readStoredBrief,
  run: saveAndSend,
};

const BRIEF_PATH = "/actions/:organization_id/:workspace_id/:result_id/:task_id";

export const briefRoutes: readonly Route[] = [
  ...pageWithForms(BRIEF_PATH, showBrief, { edit: EDIT_BRIEF_ACTION, send: SEND_BRIEF_ACTION }),
  pageRoute(`${BRIEF_PATH}/brief.md`, sendMarkdown),
  formRoute(BRIEF_PATH, "preview", (visit) => {
    setReturnedForm(visit.response, { reason: "not done", form: { action: visit.request.path, fields: visit.form } });
    return showBrief(visit, { typed: visit.form });
  }),
];

function parseBriefText(form: URLSearchParams) {
  return {
    title: form.get("title"),
    // Normalises line breaks, which browsers send as CR LF.
    body: form.get("body")?.replaceAll("\r\n", "\n"),
    status: form.get("status"),
  };
}

async function readStoredBrief({ result_id, task_id }: Record<string, unknown>, { tenant }: Context) {
  const brief = await findTaskBrief(tenant, { resultId: String(result_id), taskId: String(task_id) });
  return brief && toBriefFields(shapeBrief(brief));
}

async function saveAndSend({ input, call, typed }: FormSubmission, { deps }: WebContext): Promise<unknown> {
  const { title: _title, body: _body, status: _status, ...path } = input;
  const saved = Brief.parse(await invoke(updateRecommendedActionBrief, input, call, deps));
  setStoredDigests(typed, toBriefFields(saved));
  const sent = { ...path, due_date: `${typed.get("due")}T23:59:59Z` };
  try {
    return await invoke(sendRecommendedActionBriefToPartner, sent, call, deps);
  } catch (error) {
    throw hasEditConflict(typed) ? error : createNotSentError(error);
  }
}

const SEND_ERROR_MESSAGES: Partial<Record<ErrorCode, string>> = {
  DUE_DATE_IN_PAST: "Choose a due date that is not over.",
  PARTNER_NOT_CONNECTED:
    "This workspace is not connected to a content tool, or the tool refuses the connection. Connect it on the page Content tool.",
  PARTNER_RECIPIENTS_NOT_CONFIGURED: "No recipients are set. Add them on the page Content tool, and send again.",
  PARTNER_RECIPIENTS_INVALID:
    "The content tool does not accept the recipients. Correct them on the page Content tool, and send again.",
  PARTNER_VALIDATION_ERROR: "The content tool rejected the brief. Change its text or its due date, and send again.",
  PARTNER_ERROR:
    "The content tool gave an unexpected answer. Try again later. If the problem persists, tell its operator.",
  PARTNER_UNAVAILABLE: "The content tool cannot be reached now. Send again in a moment.",
  WORKSPACE_UNAVAILABLE: "The content tool cannot look up the workspace now. Send again in a moment.",
  ALREADY_SENT: "The brief was already sent.",
};

function createNotSentError(error: unknown): unknown {
  if (!(error instanceof AppError) || error.status === 500 || error.code === "NOT_FOUND") return error;
  return new AppError(
    error.code,
    `Your text is saved, but it was not sent. ${SEND_ERROR_MESSAGES[error.code] ?? error.message}`,
    {
      cause: error,
    },
  );
}

async function sendMarkdown(visit: Visit): Promise<void> {
  const { title, body } = await visit.call(getRecommendedActionBrief, { ...visit.request.params });
  visit.response
    .set({ ...PAGE_HEADERS, "content-disposition": 'attachment; filename="brief.md"' })
    .type("text/markdown")
    .send(`# ${title.replaceAll(/\s+/g, " ")}\n\n${body}\n`);
}

async function showBrief(visit: Visit, { status, ...notice }: Notice): Promise<void> {
  const arrived = await findAction(visit);
  const brief = await visit.call(getRecommendedActionBrief, { ...visit.request.params });
  const isReady = arrived.action.tasks.some((task) => task.id === brief.task_id && task.brief_ready);
  const today = visit.web.deps.now().slice(0, 10);
  const view = { ...arrived, ...notice, brief, isReady, today, isOutdated: hasEditConflict(notice.typed) };
  const title = shortened(brief.title, 120);
  showPage(visit, { title, section: "actions", isWide: true, status, content: renderBriefPage(view) });
}
