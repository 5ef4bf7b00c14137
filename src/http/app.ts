import type { RequestListener } from "node:http";
import compression from "compression";
import express, { type NextFunction, type Request, type RequestHandler, type Response } from "express";
import type { Logger } from "pino";
import type { SigningKeys } from "../../auth/keys/signing-keys.ts";
import type { AnyEndpoint } from "../../tools/endpoint.ts";
import type { Config } from "../config/config.ts";
import { AppError } from "../../core/shared/errors.ts";
import { CRAWLER_PAGE } from "../outside/crawler/user-agent.ts";
import type { ReadinessReport } from "../process/readiness.ts";
import { beginRequest, checkHost, limitRequests } from "./begin-request.ts";
import type { Deps } from "../call/deps.ts";
import type { DeadlineWatch } from "./deadlines.ts";
import { createExportedFilesRouter } from "./exported-files.ts";
import { createJwksRouter } from "./jwks.ts";
import { respondError } from "./respond.ts";
import { createRestHandler } from "./rest/router.ts";
import { createDocsRouter } from "./reference/docs-router.ts";
import { sendPage } from "./pages/page.ts";
import { renderErrorPage } from "./pages/message.ts";

/** Compresses only public responses: compression would reveal secrets in pages (BREACH). */
const COMPRESSED_PATHS = ["/openapi.json", "/docs", "/assets", CRAWLER_PAGE];

export function createApp(options: {
  config: Config;
  deps: Deps;
  signingKeys: SigningKeys;
  log: Logger;
  mcpHandler: RequestHandler | undefined;
  partHandlers: RequestHandler[];
  deadlineWatch: DeadlineWatch;
  checkReadiness: () => Promise<ReadinessReport>;
}): RequestListener {
  const { config, deps, log } = options;
  const serves = (part: Config["SERVE"][number]) => config.SERVE.includes(part);
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  // Trusts only the nearest proxy, so that an attacker cannot choose the rate-limited address.
  app.set("trust proxy", config.TRUST_PROXY ? 1 : false);
  app.set("query parser", false);

  app.use(beginRequest(options), checkHost(config));
  // Precedes the rate limits: an operator's probes all come from one address.
  app.get("/healthz", (_request, response) => void response.json({ status: "ok" }));
  app.get("/readyz", async (_request, response) => {
    const report = await options.checkReadiness();
    response
      .set("cache-control", "no-store")
      .status(report.status === "ready" ? 200 : 503)
      .json(report);
  });
  app.use(limitRequests(deps.limits));
  if (options.mcpHandler) app.use(options.mcpHandler);
  app.use(createRestHandler(deps, (endpoint) => serves(choosePart(endpoint))));
  app.use(COMPRESSED_PATHS, compression());
  if (serves("core") || serves("web")) app.use(createDocsRouter(config));
  app.use(createJwksRouter(options.signingKeys), ...options.partHandlers);
  if (serves("core")) app.use(createExportedFilesRouter(deps));
  if (serves("web")) app.get("/{*rest}", sendNotFoundPage);
  app.use(() => {
    throw new AppError("NOT_FOUND", "Not found. GET /openapi.json lists the endpoints; /docs shows them.");
  });
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) => {
    respondError(error, { request, response, log });
  });
  return (request, response) => {
    // Express skips all middleware for a target that it cannot parse, such as `http://[::1/`.
    const originalUrl = request.url ?? "";
    app(Object.assign(request, { originalUrl, url: originalUrl.startsWith("/") ? originalUrl : "/" }), response);
  };
}

/** Browsers get HTML; clients that accept JSON or anything get JSON. */
function sendNotFoundPage(request: Request, response: Response, next: NextFunction): void {
  if (request.accepts(["json", "html"]) !== "html") return next();
  const body = renderErrorPage("Not found", "There is no page at this address.");
  sendPage(response, { status: 404, title: "Not found", body });
}

function choosePart(endpoint: AnyEndpoint): "core" | "search" {
  return endpoint.path.startsWith("/api/v1/") ? "search" : "core";
}
