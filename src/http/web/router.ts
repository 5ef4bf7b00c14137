import { fileURLToPath } from "node:url";
import express, { Router, type NextFunction, type Request, type RequestHandler, type Response } from "express";
import { isOauthError } from "../../../auth/oauth/authorization-server.ts";
import { AppError } from "../../../core/shared/errors.ts";
import { errorBody } from "../error-body.ts";
import { countFailures } from "../pages/failures.ts";
import { redirectToPublicAddress, readForm, requireSameOrigin } from "../pages/form.ts";
import { sendPage } from "../pages/page.ts";
import { renderErrorPage } from "../pages/message.ts";
import { createOauthRouter } from "../sign-in/oauth-router.ts";
import { SAML_RESPONSE_PATH_PATTERN } from "../sign-in/saml-routes.ts";
import { WEB_ROUTES } from "./route-table.ts";
import { findVisitor, type WebContext } from "../pages/visit.ts";

const ASSETS_FOLDER = fileURLToPath(import.meta.resolve("#root/src/http/pages/assets"));
const SECRET_LINK_PATTERN = /^\/(setup|invitations|set-password|sso)\b/;

export function createWebRouter(context: Omit<WebContext, "sections">): Router {
  const sections = WEB_ROUTES.flatMap(({ path, section }) => (section ? [{ ...section, path }] : []));
  const web = { ...context, sections };
  const router = Router();
  // Answers browsers that request an icon for pages without one.
  router.get("/favicon.ico", (_request, response) =>
    response.sendFile("favicon.ico", { root: ASSETS_FOLDER, maxAge: "1d" }),
  );
  router.use("/assets", express.static(ASSETS_FOLDER, { index: false, maxAge: "1h", fallthrough: true }));
  router.get("/oauth/authorize", redirectToPublicAddress(web.config.baseUrl));
  const pages = Router();
  pages.all(
    [...new Set(WEB_ROUTES.map(({ path }) => path))],
    redirectToPublicAddress(web.config.baseUrl),
    requireSameOrigin(web.config.baseUrl, SAML_RESPONSE_PATH_PATTERN),
  );
  for (const { method, path, handler, readsBody } of WEB_ROUTES) {
    const guards = [
      ...(SECRET_LINK_PATTERN.test(path) ? [countFailures(web)] : []),
      ...(method === "post" && !readsBody ? [createFormReader(web)] : []),
    ];
    pages[method](path, guards, (request: Request, response: Response) => handler(request, response, web));
  }
  pages.use((error: unknown, request: Request, response: Response, next: NextFunction) => {
    if (response.headersSent) return next(error);
    sendError(error, { request, response, web });
  });
  router.use(pages);
  return router.use(createOauthRouter(web));
}

function createFormReader(web: WebContext): RequestHandler {
  return async (request, response, next) => {
    const visitor = await findVisitor(request, web);
    response.locals["form"] = await readForm({ request, response }, visitor?.userId, web.deps.limits);
    next();
  };
}

const TITLES_BY_STATUS: Record<number, string> = { 404: "Not found", 429: "Too many attempts" };

function sendError(
  thrown: unknown,
  { request, response, web }: { request: Request; response: Response; web: WebContext },
) {
  const error = isOauthError(thrown) ? SIGN_IN_ENDED : thrown;
  const requestId = response.locals["requestId"] as string;
  const { status, message } = errorBody(error, requestId);
  // Overload with a Retry-After is no fault, so no stack is logged.
  const isBusy = error instanceof AppError && error.retryAfterSeconds !== undefined;
  if (isBusy) web.log.debug({ requestId, path: request.path, code: error.code }, "page request rejected");
  else if (status >= 500) web.log.error({ err: error, requestId, path: request.path }, "page failed");
  if (isBusy) response.set("retry-after", String(error.retryAfterSeconds));
  const title = status >= 500 ? "Something went wrong" : (TITLES_BY_STATUS[status] ?? "That did not work");
  const shown = status >= 500 ? `${message} Request ${requestId}.` : message;
  sendPage(response, { status, title, body: renderErrorPage(title, shown) });
}

const SIGN_IN_ENDED = new AppError(
  "CONFLICT",
  "This sign-in has ended, or was started in another browser. Go back to your assistant and connect again.",
);
