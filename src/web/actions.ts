import { Router, type Request, type Response } from "express";
import type { z } from "zod";
import type { Visitor } from "../../auth/web-sessions.ts";
import { getMe } from "../../tools/auth/get-me.ts";
import type { AnyEndpoint } from "../../tools/endpoint.ts";
import { dismissRecommendedAction } from "../../tools/recommended-actions/dismiss-recommended-action.ts";
import { getRecommendedActionBrief } from "../../tools/recommended-actions/get-recommended-action-brief.ts";
import { getRecommendedAction } from "../../tools/recommended-actions/get-recommended-action.ts";
import { listRecommendedActions } from "../../tools/recommended-actions/list-recommended-actions.ts";
import { reconsiderRecommendedAction } from "../../tools/recommended-actions/reconsider-recommended-action.ts";
import { sendRecommendedActionBriefToPartner } from "../../tools/recommended-actions/send-recommended-action-brief-to-partner.ts";
import { updateRecommendedActionBrief } from "../../tools/recommended-actions/update-recommended-action-brief.ts";
import { updateRecommendedAction } from "../../tools/recommended-actions/update-recommended-action.ts";
import { AppError, notFound } from "../core/errors.ts";
import { actionPage } from "./pages/action.ts";
import { actionsPage } from "./pages/actions.ts";
import { briefPage } from "./pages/brief.ts";
import { consolePage } from "./pages/console.ts";
import { sendPage } from "./page.ts";
import { invokeAs, queryOf, visited, type Web } from "./visit.ts";

type Answer<E extends AnyEndpoint> = z.output<E["output"]>;
interface Visit {
  visitor: Visitor;
  request: Request;
  response: Response;
}
/** What a page says above its content. */
interface Said {
  done?: string;
  problem?: string;
  status?: number;
}

/** The pages on which people decide about recommended actions, correct briefs and send them. */
export function actionsRouter(web: Web): Router {
  const router = Router();
  const action = "/actions/:organization_id/:workspace_id/:result_id";
  const task = `${action}/:task_id`;
  const page = (show: (visit: Visit) => Promise<void>) =>
    visited(web, (visitor, request, response) => show({ visitor, request, response }));

  router.get(
    "/actions",
    page((visit) => showActions(visit, web)),
  );
  router.get(
    action,
    page((visit) => showAction(visit, web, {})),
  );
  router.get(
    task,
    page((visit) => showBrief(visit, web, {})),
  );
  const decide = (path: string, decided: AnyEndpoint, done: string, fields: (form: URLSearchParams) => object) =>
    router.post(
      `${action}/${path}`,
      page(async (visit) => showAction(visit, web, await attempt(visit, web, decided, fields(formOf(visit)), done))),
    );
  decide("confirm", updateRecommendedAction, "Confirmed.", () => ({ workflow_status: "confirmed" }));
  decide("reconsider", reconsiderRecommendedAction, "It is new again.", () => ({}));
  decide("dismiss", dismissRecommendedAction, "Dismissed. A new collect does not bring it back.", (form) => ({
    reason: form.get("reason"),
    ...(form.get("comment") ? { comment: form.get("comment") } : {}),
  }));
  const change = (path: string, changed: AnyEndpoint, done: string, fields: (form: URLSearchParams) => object) =>
    router.post(
      `${task}/${path}`,
      page(async (visit) => showBrief(visit, web, await attempt(visit, web, changed, fields(formOf(visit)), done))),
    );
  change("edit", updateRecommendedActionBrief, "Saved.", (form) => ({
    title: form.get("title"),
    // Browsers send line ends as CR LF.
    body: form.get("body")?.replaceAll("\r\n", "\n"),
    status: form.get("status"),
  }));
  change("send", sendRecommendedActionBriefToPartner, "Sent to the writers.", (form) => ({
    due_date: `${form.get("due")}T23:59:59Z`,
  }));
  return router;
}

function formOf({ response }: Visit): URLSearchParams {
  return response.locals["form"] as URLSearchParams;
}

/** What came of a form: a word of success, or what to do instead. */
async function attempt(
  { visitor, request, response }: Visit,
  { deps }: Web,
  endpoint: AnyEndpoint,
  fields: object,
  done: string,
): Promise<Said> {
  try {
    await invokeAs(visitor, { endpoint, input: { ...request.params, ...fields }, response }, deps);
    return { done };
  } catch (error) {
    // What does not exist for this visitor has no page either.
    if (!(error instanceof AppError) || error.code === "NOT_FOUND" || error.status === 500) throw error;
    return { problem: error.message, status: error.status };
  }
}

async function me({ visitor, response }: Visit, { deps }: Web): Promise<Answer<typeof getMe>> {
  return (await invokeAs(visitor, { endpoint: getMe, input: {}, response }, deps)) as Answer<typeof getMe>;
}

async function showActions(visit: Visit, web: Web): Promise<void> {
  const { visitor, request, response } = visit;
  const query = queryOf(request.originalUrl);
  const { workspaces } = await me(visit, web);
  const wanted = query.get("workspace");
  const chosen = wanted === null ? workspaces[0] : workspaces.find(({ id }) => id === wanted);
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
  const body = consolePage("/actions", visitor, actionsPage(view));
  sendPage(response, { title: "Recommended actions", body });
}

/** The action that the address names, and whether the visitor may change it. */
async function arrive(visit: Visit, web: Web) {
  const { visitor, request, response } = visit;
  const { organization_id, workspace_id, result_id } = request.params;
  const input = { organization_id, workspace_id, result_id };
  const action = (await invokeAs(visitor, { endpoint: getRecommendedAction, input, response }, web.deps)) as Answer<
    typeof getRecommendedAction
  >;
  const { workspaces } = await me(visit, web);
  return { action, mayWrite: workspaces.some(({ id, role }) => id === action.workspace_id && role === "editor") };
}

async function showAction(visit: Visit, web: Web, { status, ...said }: Said): Promise<void> {
  const arrived = await arrive(visit, web);
  const body = consolePage("/actions", visit.visitor, actionPage({ ...arrived, ...said }));
  sendPage(visit.response, { title: arrived.action.action_label, body, ...(status ? { status } : {}) });
}

async function showBrief(visit: Visit, web: Web, { status, ...said }: Said): Promise<void> {
  const { visitor, request, response } = visit;
  const arrived = await arrive(visit, web);
  const input = { ...request.params };
  const brief = (await invokeAs(visitor, { endpoint: getRecommendedActionBrief, input, response }, web.deps)) as Answer<
    typeof getRecommendedActionBrief
  >;
  const ready = arrived.action.tasks.some((task) => task.id === brief.task_id && task.brief_ready);
  const today = web.deps.now().slice(0, 10);
  const body = consolePage("/actions", visitor, briefPage({ ...arrived, brief, ready, today, ...said }));
  sendPage(response, { title: brief.title, body, ...(status ? { status } : {}) });
}
