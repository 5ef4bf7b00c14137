import { Router } from "express";
import { getMe } from "../../../../tools/auth/get-me.ts";
import { dismissRecommendedAction } from "../../../../tools/recommended-actions/dismiss-recommended-action.ts";
import { getRecommendedAction } from "../../../../tools/recommended-actions/get-recommended-action.ts";
import { listRecommendedActions } from "../../../../tools/recommended-actions/list-recommended-actions.ts";
import { reconsiderRecommendedAction } from "../../../../tools/recommended-actions/reconsider-recommended-action.ts";
import { updateRecommendedAction } from "../../../../tools/recommended-actions/update-recommended-action.ts";
import { notFound } from "../../../../core/errors.ts";
import { actionPage } from "../pages/action.ts";
import { actionsPage } from "../pages/actions.ts";
import { consolePage } from "../pages/console.ts";
import { openingWorkspace } from "./opening-workspace.ts";
import { pageWithForms, type Answer, type FormAction, type Notice, type Visit } from "./page-with-forms.ts";
import { sendPage } from "../page.ts";
import { invokeAs, queryOf, type Web } from "../visit.ts";

const CONFIRM: FormAction = {
  endpoint: updateRecommendedAction,
  done: "Confirmed.",
  fields: () => ({ workflow_status: "confirmed" }),
};
const RECONSIDER: FormAction = {
  endpoint: reconsiderRecommendedAction,
  done: "The action is new again.",
  fields: () => ({}),
};
const DISMISS: FormAction = {
  endpoint: dismissRecommendedAction,
  done: "Dismissed. New collects will not bring it back.",
  fields: (form) => ({
    reason: form.get("reason"),
    ...(form.get("comment") ? { comment: form.get("comment") } : {}),
  }),
};
/** The pages where people decide on recommended actions. */
export function actionsRouter(web: Web): Router {
  const action = "/actions/:organization_id/:workspace_id/:result_id";
  const decisions = { confirm: CONFIRM, reconsider: RECONSIDER, dismiss: DISMISS };
  return Router().use(
    pageWithForms(web, "/actions", (visit) => showActions(visit, web), {}),
    pageWithForms(web, action, (visit, notice) => showAction(visit, web, notice), decisions),
  );
}

async function me({ visitor, response }: Visit, { deps }: Web): Promise<Answer<typeof getMe>> {
  return (await invokeAs(visitor, { endpoint: getMe, input: {}, response }, deps)) as Answer<typeof getMe>;
}

async function showActions(visit: Visit, web: Web): Promise<void> {
  const { visitor, request, response } = visit;
  const query = queryOf(request.originalUrl);
  const { workspaces } = await me(visit, web);
  const wanted = query.get("workspace");
  const chosen =
    wanted === null ? await openingWorkspace(web.deps.store, workspaces) : workspaces.find(({ id }) => id === wanted);
  if (wanted !== null && !chosen) throw notFound("workspace");
  const status = query.get("status") ?? "new";
  const input = {
    organization_id: chosen?.organization_id,
    workspace_id: chosen?.id,
    limit: 100,
    ...(status === "" ? {} : { workflow_status: status }),
  };
  const listed = chosen
    ? ((await invokeAs(visitor, { endpoint: listRecommendedActions, input, response }, web.deps)) as Answer<
        typeof listRecommendedActions
      >)
    : { data: [], next_cursor: null };
  const view = { workspaces, chosen, status, actions: listed.data, more: listed.next_cursor !== null };
  const body = consolePage("actions", visitor, actionsPage(view));
  sendPage(response, { title: "Recommended actions", body });
}

/** The action in the path, and whether the visitor may change it. */
export async function findAction(visit: Visit, web: Web) {
  const { visitor, request, response } = visit;
  const { organization_id, workspace_id, result_id } = request.params;
  const input = { organization_id, workspace_id, result_id };
  const action = (await invokeAs(visitor, { endpoint: getRecommendedAction, input, response }, web.deps)) as Answer<
    typeof getRecommendedAction
  >;
  const { workspaces } = await me(visit, web);
  return { action, mayWrite: workspaces.some(({ id, role }) => id === action.workspace_id && role === "editor") };
}

async function showAction(visit: Visit, web: Web, { status, ...notice }: Notice): Promise<void> {
  const arrived = await findAction(visit, web);
  const body = consolePage("actions", visit.visitor, actionPage({ ...arrived, ...notice }));
  sendPage(visit.response, { title: arrived.action.action_label, body, ...(status ? { status } : {}) });
}
