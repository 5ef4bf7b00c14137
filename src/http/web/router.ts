import { fileURLToPath } from "node:url";
import express, { Router, type NextFunction, type Request, type Response } from "express";
import { isOauthError } from "../../../auth/oauth/authorization-server.ts";
import { AppError } from "../../../core/errors.ts";
import { errorBody } from "../error-body.ts";
import { accountRouter } from "./sign-in/account.ts";
import { actionsRouter } from "./console/actions.ts";
import { analysesRouter } from "./console/analyses.ts";
import { apiKeysRouter } from "./console/api-keys.ts";
import { approvalRouter } from "./console/approval.ts";
import { assistantsRouter } from "./console/assistants.ts";
import { auditLogRouter } from "./console/audit-log.ts";
import { auditsRouter } from "./console/audits.ts";
import { domainsRouter } from "./console/domains.ts";
import { evaluationRouter } from "./console/evaluation.ts";
import { briefRouter } from "./console/brief.ts";
import { countFailures } from "./failures.ts";
import { sameOriginOnly, publicAddressOnly, readForm } from "./form.ts";
import { homeRouter } from "./console/home.ts";
import { importFileRouter, importRouter } from "./console/import.ts";
import { interactionRouter } from "./sign-in/interaction.ts";
import { invitationsRouter } from "./sign-in/invitations.ts";
import { membersRouter } from "./console/members.ts";
import { oauthRouter } from "./sign-in/oauth.ts";
import { ownAccountRouter } from "./console/own-account.ts";
import { errorPage } from "./pages/message.ts";
import { platformAccountsRouter } from "./console/platform-accounts.ts";
import { organizationsRouter } from "./console/organizations.ts";
import { sendPage } from "./page.ts";
import { newAnalysisRouter } from "./console/new-analysis/new-analysis.ts";
import { provisioningRouter } from "./console/provisioning.ts";
import { SAML_RESPONSE_PATH, samlRouter } from "./sign-in/saml.ts";
import { secondFactorRouter } from "./console/second-factor.ts";
import { secondFactorSignInRouter } from "./sign-in/second-factor.ts";
import { signInAgainRouter } from "./console/sign-in-again.ts";
import { sourcesRouter } from "./console/sources.ts";
import { ssoSettingsRouter } from "./console/sso-settings.ts";
import { ssoSignInRouter } from "./sign-in/sso-sign-in.ts";
import { ssoRouter } from "./sign-in/sso.ts";
import { answersRouter } from "./console/answers.ts";
import { brandsRouter } from "./console/brands.ts";
import { exportsRouter } from "./console/exports.ts";
import { perceptionRouter } from "./console/perception.ts";
import { promptsRouter } from "./console/prompts.ts";
import { sitesRouter } from "./console/sites.ts";
import { visibilityRouter } from "./console/visibility.ts";
import { visitorOf, type Web } from "./visit.ts";
import { authoringToolRouter } from "./console/authoring-tool.ts";

const ASSETS = fileURLToPath(import.meta.resolve("#root/src/http/web/assets"));
/** Every path that serves a page. */
const PAGES = [
  "/",
  "/sign-in{/*rest}",
  "/sign-out",
  "/signed-out",
  "/setup",
  "/actions{/*rest}",
  "/analyses/*rest",
  "/new/*rest",
  "/settings",
  "/visibility/*rest",
  "/answers/*rest",
  "/brands/*rest",
  "/exports/*rest",
  "/prompts/*rest",
  "/sources/*rest",
  "/perception/*rest",
  "/audits/*rest",
  "/evaluations/*rest",
  "/organizations{/*rest}",
  "/account{/*rest}",
  "/set-password",
  "/platform-accounts/*rest",
  "/invitations/*rest",
  "/favourites/*rest",
  "/sso/*rest",
  "/assistants{/*rest}",
  "/api-keys{/*rest}",
  "/approve/*rest",
  "/writers/*rest",
];
/** Paths that need a secret from a link. */
const SECRET_LINKS = ["/setup", "/invitations/*rest", "/set-password", "/sso/*rest"];
const INTERACTION = "/oauth/interaction/*rest";

/** Sign-in, the authorization server and the console. */
export function webRouter(web: Web): Router {
  const router = Router();
  // Browsers ask for it wherever a page names no icon.
  router.get("/favicon.ico", (_request, response) => response.sendFile("favicon.ico", { root: ASSETS, maxAge: "1d" }));
  router.use("/assets", express.static(ASSETS, { index: false, maxAge: "1h", fallthrough: true }));
  router.get("/oauth/authorize", publicAddressOnly(web.config.baseUrl));
  const pages = Router();
  pages.all(
    [...PAGES, INTERACTION],
    publicAddressOnly(web.config.baseUrl),
    sameOriginOnly(web.config.baseUrl, SAML_RESPONSE_PATH),
  );
  pages.all(SECRET_LINKS, countFailures(web));
  pages.use(importFileRouter(web));
  pages.post([...PAGES, INTERACTION], async (request, response, next) => {
    const visitor = await visitorOf(request, web);
    response.locals["form"] = await readForm({ request, response }, visitor?.userId, web.deps.limits);
    next();
  });
  pages.use(
    interactionRouter(web),
    accountRouter(web),
    secondFactorSignInRouter(web),
    signInAgainRouter(web),
    invitationsRouter(web),
    homeRouter(web),
    apiKeysRouter(web),
    ssoSettingsRouter(web),
    ssoSignInRouter(web),
    ssoRouter(web),
    samlRouter(web),
    assistantsRouter(web),
    ownAccountRouter(web),
    secondFactorRouter(web),
    organizationsRouter(web),
    membersRouter(web),
    sourcesRouter(web),
    auditLogRouter(web),
    domainsRouter(web),
    provisioningRouter(web),
    actionsRouter(web),
    briefRouter(web),
    importRouter(web),
    analysesRouter(web),
    newAnalysisRouter(web),
    visibilityRouter(web),
    answersRouter(web),
    brandsRouter(web),
    exportsRouter(web),
    promptsRouter(web),
    sitesRouter(web),
    perceptionRouter(web),
    auditsRouter(web),
    evaluationRouter(web),
    authoringToolRouter(web),
    platformAccountsRouter(web),
    approvalRouter(web),
  );
  pages.use((error: unknown, request: Request, response: Response, next: NextFunction) => {
    if (response.headersSent) return next(error);
    sendError(error, { request, response, web });
  });
  router.use(pages);
  return router.use(oauthRouter(web));
}

const TITLES: Record<number, string> = { 404: "Not found", 429: "Too many attempts" };

/** An error as a page: what to do, and the request id if it is our fault. */
function sendError(thrown: unknown, { request, response, web }: { request: Request; response: Response; web: Web }) {
  const error = isOauthError(thrown) ? SIGN_IN_ENDED : thrown;
  const requestId = response.locals["requestId"] as string;
  const { status, message } = errorBody(error, requestId);
  // Overload that says when to try again is no fault: no stack in the log.
  const isBusy = error instanceof AppError && error.retryAfterSeconds !== undefined;
  if (isBusy) web.log.debug({ requestId, path: request.path, code: error.code }, "page refused");
  else if (status >= 500) web.log.error({ err: error, requestId, path: request.path }, "page failed");
  if (isBusy) response.set("retry-after", String(error.retryAfterSeconds));
  const title = status >= 500 ? "Something went wrong" : (TITLES[status] ?? "That did not work");
  const shown = status >= 500 ? `${message} Request ${requestId}.` : message;
  sendPage(response, { status, title, body: errorPage(title, shown) });
}

const SIGN_IN_ENDED = new AppError(
  "CONFLICT",
  "This sign-in has ended, or was started in another browser. Go back to your assistant and connect again.",
);
