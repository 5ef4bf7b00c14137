import express, { type Express, type NextFunction, type Request, type Response } from "express";
import type { Logger } from "pino";
import { v7 as uuidv7 } from "uuid";
import type { AnyEndpoint } from "../tools/endpoint.ts";
import type { Config } from "./config.ts";
import { AppError } from "./core/errors.ts";
import { errorBody } from "./error-body.ts";
import type { Deps } from "./invoke.ts";
import { openApiDocument } from "./rest/openapi.ts";
import { restRouter } from "./rest/router.ts";

/** Something that answers requests of its own: the tool server, sign-in, the console. */
export type Door = (app: Express) => void;

/** The whole HTTP surface of one process. */
export function createApp(options: {
  config: Config;
  deps: Deps;
  log: Logger;
  doors: Door[];
  ready: () => boolean;
}): Express {
  const { config, deps, log } = options;
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("trust proxy", config.TRUST_PROXY);
  app.set("query parser", false);
  const hosts = allowedHosts(config);

  app.use((request: Request, response: Response, next: NextFunction) => {
    const requestId = acceptableRequestId(request.get("x-request-id")) ?? uuidv7();
    response.locals["requestId"] = requestId;
    response.set({ "x-request-id": requestId, "x-content-type-options": "nosniff" });
    const startedAt = performance.now();
    response.on("finish", () => {
      const { method, path } = request;
      log.info(
        { requestId, method, path, status: response.statusCode, ms: Math.round(performance.now() - startedAt) },
        "request",
      );
    });
    if (!hosts.has((request.headers.host ?? "").toLowerCase())) {
      throw new AppError(
        "NOT_FOUND",
        "This Host is not served here. Use the address that the service printed, or set ALLOWED_HOSTS.",
      );
    }
    next();
  });

  app.get("/healthz", (_request, response) => void response.json({ status: "ok" }));
  app.get("/readyz", (_request, response) => {
    const ready = options.ready();
    response.status(ready ? 200 : 503).json({ status: ready ? "ready" : "starting or stopping" });
  });
  if (config.SERVE.includes("core")) {
    app.get("/openapi.json", (_request, response) => void response.json(openApiDocument(config)));
  }
  for (const door of options.doors) door(app);
  app.use(restRouter(deps, (endpoint) => config.SERVE.includes(part(endpoint))));
  app.use(() => {
    throw new AppError("NOT_FOUND", "There is nothing at this address. GET /openapi.json lists what there is.");
  });
  app.use((error: unknown, request: Request, response: Response, next: NextFunction) => {
    const { status, ...body } = errorBody(httpFault(error), response.locals["requestId"] as string);
    if (status >= 500) log.error({ err: error, requestId: body.request_id, path: request.path }, "request failed");
    else log.debug({ err: error, requestId: body.request_id }, "request refused");
    if (response.headersSent) return next(error);
    if (status === 401) response.set("www-authenticate", wwwAuthenticate(request));
    if (status === 413) response.set("connection", "close");
    response.set("cache-control", "no-store").status(status).json(body);
  });
  return app;
}

function part(endpoint: AnyEndpoint): "core" | "search" {
  return endpoint.path.startsWith("/api/v1/") ? "search" : "core";
}

/** Metadata addresses follow the Host header, so only hosts that were configured are answered. */
function allowedHosts(config: Config): Set<string> {
  const own = [config.baseUrl, config.searchBaseUrl, config.mcpUrl].map((address) => new URL(address));
  const hosts = own.flatMap((url) => {
    const loopback = ["localhost", "127.0.0.1", "[::1]"];
    return loopback.includes(url.hostname)
      ? loopback.map((name) => (url.port ? `${name}:${url.port}` : name))
      : [url.host];
  });
  return new Set([...hosts, ...(config.ALLOWED_HOSTS ?? [])]);
}

/** RFC 6750 section 3: no error code where no credentials were sent. */
function wwwAuthenticate(request: Request): string {
  return request.headers.authorization === undefined ? "Bearer" : 'Bearer error="invalid_token"';
}

function acceptableRequestId(given: string | undefined): string | undefined {
  return given !== undefined && /^[\w-]{8,64}$/.test(given) ? given : undefined;
}

/** Express's own refusals, such as a path that is not valid percent-encoding, in our words. */
function httpFault(error: unknown): unknown {
  if (error instanceof URIError)
    return new AppError("VALIDATION_FAILED", "The address is not valid percent-encoding.", { cause: error });
  return error;
}
