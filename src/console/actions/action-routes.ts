import { Readable } from "node:stream";
import { getMe } from "../../../tools/auth/get-me.ts";
import { bulkDismissRecommendedActions } from "../../../tools/actions/bulk-dismiss-recommended-actions.ts";
import { dismissRecommendedAction } from "../../../tools/actions/dismiss-recommended-action.ts";
import { getRecommendedAction } from "../../../tools/actions/get-recommended-action.ts";
import { listRecommendedActions } from "../../../tools/actions/list-recommended-actions.ts";
import { reconsiderRecommendedAction } from "../../../tools/actions/reconsider-recommended-action.ts";
import { updateRecommendedAction } from "../../../tools/actions/update-recommended-action.ts";
import { AppError, notFound } from "../../../core/shared/errors.ts";
import { ACTION_SORTS, WORKFLOW_STATUSES } from "../../../core/actions/action.ts";
import { invoke } from "../../call/invoke.ts";
import { sendCsv } from "../../http/pages/csv.ts";
import { shortened } from "../../http/pages/truncate-text.ts";
import type { Html } from "../../http/pages/html.ts";
import { renderActionPage } from "./action-page.ts";
import { EVIDENCE_COLUMNS } from "./action-evidence.ts";
import { ACTION_COLUMNS, renderActionsPage, noWorkspacePage, type StatusFilter } from "./actions-page.ts";
import { iteratePages } from "../shared/iterate-pages.ts";
import { findDefaultWorkspace } from "../../http/pages/default-workspace.ts";
import { pageWithForms, type FormAction, type Notice } from "../shared/page-with-forms.ts";
import type { Visit } from "../../http/pages/require-visitor.ts";
import { showPage } from "../shared/show-page.ts";
import { inBar, pageRoute, type Route } from "../../http/pages/routes.ts";
import type { Section } from "../../http/pages/section.ts";
import { toSortInput } from "../shared/table-sort.ts";

const CONFIRM_ACTION: FormAction = {
  endpoint: updateRecommendedAction,
  done: "Confirmed.",
  fields: () => ({ workflow_status: "confirmed" }),
};
const RECONSIDER_ACTION: FormAction = {
  endpoint: reconsiderRecommendedAction,
  done: "The action is new again.",
  fields: () => ({}),
};
const DISMISS_ACTION: FormAction = {
  endpoint: dismissRecommendedAction,
  done: "Dismissed. New runs will not bring it back.",
  fields: parseDismissal,
};
const DISMISS_SEVERAL_ACTION: FormAction = {
  endpoint: bulkDismissRecommendedActions,
  done: "Dismissed. New runs will not bring them back.",
  fields: (form) => ({
    organization_id: form.get("organization_id"),
    workspace_id: form.get("workspace_id"),
    ids: form.getAll("ids"),
    ...parseDismissal(form),
  }),
  run: async ({ input, call, typed }, web) => {
    if (!typed.has("ids")) throw new AppError("VALIDATION_FAILED", "Select the actions to dismiss.");
    return invoke(bulkDismissRecommendedActions, input, call, web.deps);
  },
};

const ACTION_PATH = "/actions/:organization_id/:workspace_id/:result_id";

const ACTIONS_SECTION: Section = {
  name: "Actions",
  icon: "M9 2.5 4 9h3.5L7 13.5 12 7H8.5z",
};

export const actionRoutes: readonly Route[] = [
  pageRoute("/actions/:organization_id/:workspace_id/actions.csv", sendActionsCsv),
  pageRoute(`${ACTION_PATH}/evidence.csv`, sendEvidenceCsv),
  ...inBar(ACTIONS_SECTION, pageWithForms("/actions", showActions, { dismiss: DISMISS_SEVERAL_ACTION })),
  ...pageWithForms(ACTION_PATH, showAction, {
    confirm: CONFIRM_ACTION,
    reconsider: RECONSIDER_ACTION,
    dismiss: DISMISS_ACTION,
  }),
];

function parseDismissal(form: URLSearchParams) {
  const comment = form.get("comment");
  return { reason: form.get("reason"), ...(comment ? { comment } : {}) };
}

const ACTIONS_PER_PAGE = 50;

async function showActions(visit: Visit, { status: code, done, problem }: Notice): Promise<void> {
  const { call, query } = visit;
  const { workspaces } = await call(getMe, {});
  const requestedId = query.get("workspace");
  const workspace =
    requestedId === null
      ? await findDefaultWorkspace(visit.web.deps.store, workspaces)
      : workspaces.find(({ id }) => id === requestedId);
  if (requestedId !== null && !workspace) throw notFound("workspace");
  const send = (content: Html) =>
    showPage(visit, { title: "Recommended actions", section: "actions", isWide: true, status: code, content });
  if (!workspace) return send(noWorkspacePage);
  query.set("workspace", workspace.id);
  const ids = { organization_id: workspace.organization_id, workspace_id: workspace.id };
  const cursor = query.get("cursor");
  const actions = await call(listRecommendedActions, {
    ...ids,
    ...parseActionFilters(query),
    limit: ACTIONS_PER_PAGE,
    ...(cursor ? { cursor } : {}),
  });
  const canEdit = workspace.role === "editor";
  send(renderActionsPage({ workspace, canEdit, query, status: parseStatus(query), actions, done, problem }));
}

function parseStatus(query: URLSearchParams): StatusFilter {
  const status = query.get("status") ?? "new";
  return WORKFLOW_STATUSES.find((one) => one === status) ?? "all";
}

function parseActionFilters(query: URLSearchParams) {
  const status = parseStatus(query);
  const observed = query.get("observed");
  return {
    ...(status === "all" ? {} : { workflow_status: status }),
    ...(query.get("category") ? { category: query.get("category") } : {}),
    ...(query.get("channel") ? { channel: query.get("channel") } : {}),
    ...(observed === "all" ? {} : { still_observed: observed !== "no" }),
    ...toSortInput(query, ACTION_SORTS),
  };
}

async function sendActionsCsv(visit: Visit): Promise<void> {
  const input = { ...visit.request.params, ...parseActionFilters(visit.query) };
  const parts = iteratePages(visit.call, listRecommendedActions, input);
  await sendCsv(visit.response, "actions.csv", { columns: ACTION_COLUMNS, parts });
}

async function sendEvidenceCsv(visit: Visit): Promise<void> {
  const { evidence } = await visit.call(getRecommendedAction, { ...visit.request.params });
  await sendCsv(visit.response, "evidence.csv", { columns: EVIDENCE_COLUMNS, parts: Readable.from([evidence]) });
}

export async function findAction(visit: Visit) {
  const { call } = visit;
  const { organization_id, workspace_id, result_id } = visit.request.params;
  const action = await call(getRecommendedAction, { organization_id, workspace_id, result_id });
  const { workspaces } = await call(getMe, {});
  return { action, canEdit: workspaces.some(({ id, role }) => id === action.workspace_id && role === "editor") };
}

async function showAction(visit: Visit, { status, ...notice }: Notice): Promise<void> {
  const actionAccess = await findAction(visit);
  const content = renderActionPage({ ...actionAccess, query: visit.query, ...notice });
  const title = shortened(actionAccess.action.action_label, 120);
  showPage(visit, { title, section: "actions", isWide: true, status, content });
}
