import type { Request, Response } from "express";
import { recordGrantNote } from "../../../db/identity/oauth-records.ts";
import { CHOSEN_WORKSPACE_PARAMETER, DECLINED_SCOPES_PARAMETER } from "../../../auth/oauth/authorization-server.ts";
import { parseScopes } from "../../../auth/oauth/access-tokens.ts";
import { listWorkspaceLimits } from "../../../auth/oauth/tool-resources.ts";
import type { Visitor } from "../../../auth/people/web-sessions.ts";
import type { Scope } from "../../../core/identity/roles.ts";
import { toInstant, type Instant } from "../../../core/shared/time.ts";
import { describeClient, type ClientDescription } from "./describe-client.ts";
import { renderConsentPage } from "./pages/consent-page.ts";
import { redirectPage } from "../pages/message.ts";
import { signInPage } from "./pages/sign-in-page.ts";
import { sendPage } from "../pages/page.ts";
import { get, post, type Route } from "../pages/routes.ts";
import { signInByPassword, type SignInProblem } from "./password-sign-in.ts";
import { recordFailedSignIn } from "./sign-in-events.ts";
import { listWorkspaceChoices } from "./workspace-choices.ts";
import { endOAuthSession, endWebSession, findVisitor, type WebContext } from "../pages/visit.ts";

const PATH = "/oauth/interaction/:uid";

export const interactionRoutes: readonly Route[] = [
  get(PATH, showStep),
  post(`${PATH}/sign-in`, signIn),
  post(`${PATH}/consent`, saveConsent),
  post(`${PATH}/switch`, async (request, response, web) => {
    const { params } = await findStep(request, response, web);
    await endWebSession(request, response, web);
    sendRedirectPage(response, buildAuthorizeUrl(params));
  }),
];

interface Step {
  path: string;
  prompt: string;
  /** True if the person must sign in again although this browser is signed in. */
  needsFreshSignIn: boolean;
  askedAt: Instant;
  params: Record<string, unknown>;
  accountId: string | undefined;
  client: ClientDescription;
}

async function findStep(request: Request, response: Response, web: WebContext): Promise<Step> {
  const provider = await web.authorizationServer();
  const { uid, prompt, params, session, iat } = await provider.interactionDetails(request, response);
  const client = await provider.Client.find(String(params["client_id"]));
  return {
    path: `/oauth/interaction/${uid}`,
    prompt: prompt.name,
    needsFreshSignIn: prompt.reasons.some((reason) => reason === "login_prompt" || reason === "max_age"),
    askedAt: toInstant(iat * 1000),
    params,
    accountId: session?.accountId,
    client: describeClient(client?.clientName, String(params["client_id"]), String(params["redirect_uri"])),
  };
}

async function showStep(request: Request, response: Response, web: WebContext): Promise<void> {
  const step = await findStep(request, response, web);
  const visitor = await findVisitor(request, web);
  if (step.prompt === "login") {
    // A sign-in after the request counts as signing in again.
    if (!visitor || (step.needsFreshSignIn && visitor.signedInAt < step.askedAt)) {
      sendSignIn(response, step, { email: toStringOrEmpty(step.params["login_hint"]) });
      return;
    }
    response.redirect(303, await resolveNextAddress(request, response, { step, accountId: visitor.userId }, web));
    return;
  }
  if (!visitor || visitor.userId !== step.accountId) {
    response.redirect(303, buildAuthorizeUrl(step.params));
    return;
  }
  const scopes = [...parseScopes(toStringOrEmpty(step.params["scope"]))];
  const declinedScopes = parseScopes(toStringOrEmpty(step.params[DECLINED_SCOPES_PARAMETER]));
  const { email, unreadNoticeCount } = visitor;
  const workspaceLimits = listWorkspaceLimits(web.config.mcpUrl, step.params["resource"]);
  const body = renderConsentPage({
    action: step.path,
    client: step.client,
    scopes,
    declinedScopes,
    workspaces: await listWorkspaceChoices(visitor, workspaceLimits, web),
    isLimited: workspaceLimits.length > 0,
    chosenWorkspaceId: toStringOrEmpty(step.params[CHOSEN_WORKSPACE_PARAMETER]),
    email,
    unreadNoticeCount,
  });
  sendPage(response, { title: `Connect ${step.client.clientName}`, body });
}

async function signIn(request: Request, response: Response, web: WebContext): Promise<void> {
  const step = await findStep(request, response, web);
  const form = response.locals["form"] as URLSearchParams;
  const email = form.get("email") ?? "";
  const password = form.get("password") ?? "";
  // After sign-in, the browser returns to this step.
  const refusal = await signInByPassword(request, response, { email, password, nextPath: step.path }, web);
  if (!refusal) return;
  if (refusal.status === 401) await recordFailedSignIn({ email }, response, web.deps);
  sendSignIn(response, step, { email, refusal });
}

function sendSignIn(
  response: Response,
  { path, client }: Step,
  { email, refusal }: { email: string; refusal?: SignInProblem },
): void {
  const problem = refusal && { problem: refusal.problem };
  const body = signInPage({
    action: `${path}/sign-in`,
    clientName: client.clientName,
    nextPath: path,
    email,
    ...problem,
  });
  sendPage(response, { title: "Sign in", body, status: refusal?.status ?? 200 });
}

/** Ends a session of another account, so that no session carries another person's grant. */
async function resolveNextAddress(
  request: Request,
  response: Response,
  { step, accountId }: { step: Step; accountId: string },
  web: WebContext,
): Promise<string> {
  if (step.accountId !== undefined && step.accountId !== accountId) {
    await endOAuthSession(request, response, web);
    return buildAuthorizeUrl({
      ...step.params,
      prompt: toStringOrEmpty(step.params["prompt"])
        .replace(/\blogin\b/, "")
        .trim(),
    });
  }
  const provider = await web.authorizationServer();
  return provider.interactionResult(request, response, { login: { accountId } }, { mergeWithLastSubmission: false });
}

async function saveConsent(request: Request, response: Response, web: WebContext): Promise<void> {
  const provider = await web.authorizationServer();
  const step = await findStep(request, response, web);
  const visitor = await findVisitor(request, web);
  const form = response.locals["form"] as URLSearchParams;
  const ticked = parseScopes(form.getAll("scope").join(" "));
  const asked = [...parseScopes(toStringOrEmpty(step.params["scope"]))];
  if (step.prompt !== "consent" || !visitor || visitor.userId !== step.accountId) {
    const unticked = asked.filter((scope) => !ticked.has(scope)).join(" ");
    const chosen = {
      [DECLINED_SCOPES_PARAMETER]: unticked,
      [CHOSEN_WORKSPACE_PARAMETER]: form.get("workspace") ?? "",
    };
    sendRedirectPage(response, buildAuthorizeUrl({ ...step.params, ...chosen }));
    return;
  }
  if (form.get("decision") !== "allow") {
    const refusal = { error: "access_denied", error_description: "The person denied access." };
    sendRedirectPage(response, await provider.interactionResult(request, response, refusal), step.client.clientName);
    return;
  }
  const scopes = asked.filter((scope) => scope === "read" || ticked.has(scope));
  const requested = listWorkspaceLimits(web.config.mcpUrl, step.params["resource"]);
  const limits = [...form.getAll("workspace").filter(Boolean), ...requested];
  const [workspaceId = null] = limits;
  if (workspaceId !== null && (await listWorkspaceChoices(visitor, limits, web)).length === 0) {
    response.redirect(303, step.path);
    return;
  }
  const result = { consent: { grantId: await insertGrant(step, visitor, { scopes, workspaceId }, web) } };
  const to = await provider.interactionResult(request, response, result, { mergeWithLastSubmission: true });
  sendRedirectPage(response, to, step.client.clientName);
}

/** One grant per consent: revoking it never signs out another installation of the client. */
async function insertGrant(
  { params, client }: Step,
  { userId: accountId, proof }: Visitor,
  { scopes, workspaceId }: { scopes: Scope[]; workspaceId: string | null },
  { authorizationServer, deps }: WebContext,
): Promise<string> {
  const provider = await authorizationServer();
  const grant = new provider.Grant({ accountId, clientId: String(params["client_id"]) });
  // Replaces the library's id format, because ids are UUIDs everywhere.
  grant.jti = deps.newId();
  for (const resource of [params["resource"]].flat()) grant.addResourceScope(String(resource), scopes.join(" "));
  // Some clients request the ID token by default; it reveals no more than the access token.
  if (toStringOrEmpty(params["scope"]).split(" ").includes("openid")) grant.addOIDCScope("openid");
  const grantId = await grant.save();
  const { clientName, redirectTo, verified } = client;
  await deps.store.write((db) =>
    recordGrantNote(db, grantId, {
      note: { clientName, redirectTo, verified, scopes },
      proofId: proof.id,
      workspaceId,
    }),
  );
  return grantId;
}

function buildAuthorizeUrl(params: Record<string, unknown>): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(params)) {
    for (const one of [value].flat()) {
      if (typeof one === "string" && one !== "") query.append(key, one);
    }
  }
  return `/oauth/authorize?${query.toString()}`;
}

function sendRedirectPage(response: Response, to: string, client?: string): void {
  sendPage(response, { title: "One moment", body: redirectPage(to, client), redirectTo: to });
}

function toStringOrEmpty(value: unknown): string {
  return typeof value === "string" ? value : "";
}
