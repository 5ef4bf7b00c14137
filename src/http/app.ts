import type { RequestListener } from "node:http";
import express, { type NextFunction, type Request, type Response, type Router } from "express";
import type { Logger } from "pino";
import type { SigningKeys } from "../../auth/keys/signing-keys.ts";
import type { AnyEndpoint } from "../../tools/endpoint.ts";
import type { Config } from "../config.ts";
import { AppError } from "../../core/errors.ts";
import type { Report } from "../readiness.ts";
import { createListener, requestIdOf, type DirectHandler } from "./listener.ts";
import type { Deps } from "../call/invoke.ts";
import type { DeadlineWatch } from "./deadlines.ts";
import { exportedFilesRouter } from "./exported-files.ts";
import { jwksRouter } from "./jwks.ts";
import { respondError } from "./respond.ts";
import { openRest } from "./rest/router.ts";
import { docsRouter } from "./web/docs.ts";
import { sendPage } from "./web/page.ts";
import { errorPage } from "./web/pages/message.ts";

/** The HTTP interface of one process. */
export function createApp(options: {
  config: Config;
  deps: Deps;
  keys: SigningKeys;
  log: Logger;
  routers: Router[];
  direct: DirectHandler[];
  deadlines: DeadlineWatch;
  readiness: () => Promise<Report>;
}): RequestListener {
  const { config, deps, log } = options;
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  // Trusts only the nearest proxy. Trusting more would let a caller choose the address that rate limits count by.
  app.set("trust proxy", config.TRUST_PROXY ? 1 : false);
  app.set("query parser", false);

  app.use((_request: Request, response: Response, next: NextFunction) => {
    response.locals["requestId"] = requestIdOf(response);
    next();
  });

  app.get("/healthz", (_request, response) => void response.json({ status: "ok" }));
  app.get("/readyz", async (_request, response) => {
    const report = await options.readiness();
    response
      .set("cache-control", "no-store")
      .status(report.status === "ready" ? 200 : 503)
      .json(report);
  });
  if (config.SERVE.includes("core") || config.SERVE.includes("web")) app.use(docsRouter(config));
  app.use(jwksRouter(options.keys));
  for (const router of options.routers) app.use(router);
  if (config.SERVE.includes("core")) app.use(exportedFilesRouter(deps));
  if (config.SERVE.includes("web")) app.get("/{*rest}", notFoundPage);
  app.use(() => {
    throw new AppError("NOT_FOUND", "Not found. GET /openapi.json lists the endpoints; /docs shows them.");
  });
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) => {
    const requestId = response.locals["requestId"] as string;
    respondError(error, { request, response, requestId, path: request.path, log });
  });
  const rest = openRest({ deps, log }, (endpoint) => config.SERVE.includes(part(endpoint)));
  return createListener({
    config,
    log,
    limits: deps.limits,
    deadlines: options.deadlines,
    direct: [...options.direct, rest],
    app,
  });
}

/** An unknown address in a browser. Programs, which accept JSON or anything, get JSON. */
function notFoundPage(request: Request, response: Response, next: NextFunction): void {
  if (request.accepts(["json", "html"]) !== "html") return next();
  const body = errorPage("Not found", "There is no page at this address.");
  sendPage(response, { status: 404, title: "Not found", body });
}

function part(endpoint: AnyEndpoint): "core" | "search" {
  return endpoint.path.startsWith("/api/v1/") ? "search" : "core";
}
