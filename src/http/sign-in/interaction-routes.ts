import type { Request, Response } from "express";
import { noteGrant } from "../../../db/identity/oauth-records.ts";
import { UNTICKED } from "../../../auth/oauth/authorization-server.ts";
import { scopesIn } from "../../../auth/oauth/access-tokens.ts";
import type { Visitor } from "../../../auth/people/web-sessions.ts";
import type { Scope } from "../../../core/identity/roles.ts";
import { instantOf, type Instant } from "../../../core/shared/time.ts";
import { shownClient, type ShownClient } from "./client.ts";
import { consentPage } from "./pages/consent-page.ts";
import { redirectPage } from "../pages/message.ts";
import { signInPage } from "./pages/sign-in-page.ts";
import { sendPage } from "../pages/page.ts";
import { get, post, type Route } from "../pages/routes.ts";
import { signInByPassword, type SignInRefusal } from "./password-sign-in.ts";
import { recordRefusedSignIn } from "./sign-in-events.ts";
import { endOAuthSession, endVisit, visitorOf, type Web } from "../pages/visit.ts";

const PATH = "/oauth/interaction/:uid";

export const interactionRoutes: readonly Route[] = [
  get(PATH, showStep),
  post(`${PATH}/sign-in`, signIn),
  post(`${PATH}/consent`, decide),
  post(`${PATH}/switch`, async (request, response, web) => {
    const { params } = await stepOf(request, response, web);
    await endVisit(request, response, web);
    goOn(response, authorizeAgain(params));
  }),
];

interface Step {
  path: string;
  prompt: string;
  /** True if the person must sign in again although this browser is signed in. */
  afresh: boolean;
  askedAt: Instant;
  params: Record<string, unknown>;
  accountId: string | undefined;
  client: ShownClient;
}

async function stepOf(request: Request, response: Response, web: Web): Promise<Step> {
  const provider = await web.authorizationServer();
  const { uid, prompt, params, session, iat } = await provider.interactionDetails(request, response);
  const client = await provider.Client.find(String(params["client_id"]));
  return {
    path: `/oauth/interaction/${uid}`,
    prompt: prompt.name,
    afresh: prompt.reasons.some((reason) => reason === "login_prompt" || reason === "max_age"),
    askedAt: instantOf(iat * 1000),
    params,
    accountId: session?.accountId,
    client: shownClient(client?.clientName, String(params["client_id"]), String(params["redirect_uri"])),
  };
}

async function showStep(request: Request, response: Response, web: Web): Promise<void> {
  const step = await stepOf(request, response, web);
  const visitor = await visitorOf(request, web);
  if (step.prompt === "login") {
    // A sign-in after the request counts as signing in again.
    if (!visitor || (step.afresh && visitor.signedInAt < step.askedAt)) {
      const email = text(step.params["login_hint"]);
      sendSignIn(response, step, { email });
      return;
    }
    response.redirect(303, await signedIn(request, response, { step, accountId: visitor.userId }, web));
    return;
  }
  if (!visitor || visitor.userId !== step.accountId) {
    response.redirect(303, authorizeAgain(step.params));
    return;
  }
  const scopes = [...scopesIn(text(step.params["scope"]))];
  const unticked = scopesIn(text(step.params[UNTICKED]));
  const { email, unreadNotices } = visitor;
  const body = consentPage({ action: step.path, client: step.client, scopes, unticked, email, unreadNotices });
  sendPage(response, { title: `Connect ${step.client.clientName}`, body });
}

async function signIn(request: Request, response: Response, web: Web): Promise<void> {
  const step = await stepOf(request, response, web);
  const form = response.locals["form"] as URLSearchParams;
  const email = form.get("email") ?? "";
  const password = form.get("password") ?? "";
  // After sign-in, the browser returns to this step.
  const refusal = await signInByPassword(request, response, { email, password, next: step.path }, web);
  if (!refusal) return;
  if (refusal.status === 401) await recordRefusedSignIn({ email }, response, web.deps);
  sendSignIn(response, step, { email, refusal });
}

function sendSignIn(
  response: Response,
  { path, client }: Step,
  { email, refusal }: { email: string; refusal?: SignInRefusal },
): void {
  const problem = refusal && { problem: refusal.problem };
  const body = signInPage({ action: `${path}/sign-in`, client: client.clientName, next: path, email, ...problem });
  sendPage(response, { title: "Sign in", body, status: refusal?.status ?? 200 });
}

/**
 * Returns the URL to continue at. A session of another account ends and the request restarts, so
 * that one person's session never carries another's grant.
 */
async function signedIn(
  request: Request,
  response: Response,
  { step, accountId }: { step: Step; accountId: string },
  web: Web,
): Promise<string> {
  if (step.accountId !== undefined && step.accountId !== accountId) {
    await endOAuthSession(request, response, web);
    return authorizeAgain({
      ...step.params,
      prompt: text(step.params["prompt"])
        .replace(/\blogin\b/, "")
        .trim(),
    });
  }
  const provider = await web.authorizationServer();
  return provider.interactionResult(request, response, { login: { accountId } }, { mergeWithLastSubmission: false });
}

async function decide(request: Request, response: Response, web: Web): Promise<void> {
  const provider = await web.authorizationServer();
  const step = await stepOf(request, response, web);
  const visitor = await visitorOf(request, web);
  const form = response.locals["form"] as URLSearchParams;
  const ticked = scopesIn(form.getAll("scope").join(" "));
  const asked = [...scopesIn(text(step.params["scope"]))];
  if (step.prompt !== "consent" || !visitor || visitor.userId !== step.accountId) {
    const unticked = asked.filter((scope) => !ticked.has(scope)).join(" ");
    goOn(response, authorizeAgain({ ...step.params, [UNTICKED]: unticked }));
    return;
  }
  if (form.get("decision") !== "allow") {
    const refusal = { error: "access_denied", error_description: "The person denied access." };
    goOn(response, await provider.interactionResult(request, response, refusal), step.client.clientName);
    return;
  }
  const scopes = asked.filter((scope) => scope === "read" || ticked.has(scope));
  const grantId = await insertGrant(step, visitor, scopes, web);
  const result = { consent: { grantId } };
  const to = await provider.interactionResult(request, response, result, { mergeWithLastSubmission: true });
  goOn(response, to, step.client.clientName);
}

/**
 * Creates a grant per consent, so that revoking it never signs out another installation of the
 * client.
 */
async function insertGrant(
  { params, client }: Step,
  { userId: accountId, proof }: Visitor,
  scopes: Scope[],
  { authorizationServer, deps }: Web,
): Promise<string> {
  const provider = await authorizationServer();
  const grant = new provider.Grant({ accountId, clientId: String(params["client_id"]) });
  // Replaces the library's id format, because ids are UUIDs everywhere.
  grant.jti = deps.newId();
  for (const resource of [params["resource"]].flat()) grant.addResourceScope(String(resource), scopes.join(" "));
  // Some clients request an ID token by default; it reveals no more than the access token.
  if (text(params["scope"]).split(" ").includes("openid")) grant.addOIDCScope("openid");
  const grantId = await grant.save();
  const { clientName, redirectTo, verified } = client;
  await deps.store.write((db) =>
    noteGrant(db, grantId, { note: { clientName, redirectTo, verified, scopes }, proofId: proof.id }),
  );
  return grantId;
}

function authorizeAgain(params: Record<string, unknown>): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(params)) {
    for (const one of [value].flat()) {
      if (typeof one === "string" && one !== "") query.append(key, one);
    }
  }
  return `/oauth/authorize?${query.toString()}`;
}

function goOn(response: Response, to: string, client?: string): void {
  sendPage(response, { title: "One moment", body: redirectPage(to, client), redirectTo: to });
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
