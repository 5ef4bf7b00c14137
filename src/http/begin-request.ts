import type { RequestHandler } from "express";
import type { Logger } from "pino";
import { v7 as uuidv7 } from "uuid";
import type { Config } from "../config/config.ts";
import { AppError } from "../../core/shared/errors.ts";
import type { DeadlineWatch } from "./deadlines.ts";
import { hasTooManyPairs, tooManyPairs } from "./body.ts";
import type { Limits } from "../limits/open-limits.ts";
import { getRoutineLogLevel } from "../process/routine-level.ts";

/** One year (RFC 6797), for this host only, because subdomains may belong to others. */
const STRICT_TRANSPORT = "max-age=31536000";

/** Restricts non-page responses that a browser might render. Pages set a separate policy. */
const NO_DOCUMENT_POLICY = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'";

export function beginRequest(options: { config: Config; log: Logger; deadlineWatch: DeadlineWatch }): RequestHandler {
  const { config, log, deadlineWatch } = options;
  const level = getRoutineLogLevel();
  const isHttps = config.baseUrl.startsWith("https:");
  return (request, response, next) => {
    deadlineWatch.watchRequest(request, response);
    const header = request.get("x-request-id") ?? "";
    const requestId = /^[\w-]{8,64}$/.test(header) ? header : uuidv7();
    response.locals["requestId"] = requestId;
    response.setHeader("x-request-id", requestId);
    response.setHeader("x-content-type-options", "nosniff");
    response.setHeader("content-security-policy", NO_DOCUMENT_POLICY);
    if (isHttps) response.setHeader("strict-transport-security", STRICT_TRANSPORT);
    const { method, path } = request;
    const startedAt = performance.now();
    response.on("finish", () => {
      const ms = Math.round(performance.now() - startedAt);
      log[level]({ requestId, method, path, status: response.statusCode, ms }, "request");
    });
    next();
  };
}

/** Metadata URLs follow the Host header, so only configured hosts are served. */
export function checkHost(config: Config): RequestHandler {
  const hosts = listAllowedHosts(config);
  return (request, _response, next) => {
    // Accepts only the origin form (RFC 9112 section 3.2), so that a caller cannot choose a host.
    if (!request.originalUrl.startsWith("/")) {
      throw new AppError("VALIDATION_FAILED", "The request line must name a path, such as /v1/auth/me.");
    }
    if (!hosts.has((request.headers.host ?? "").toLowerCase())) {
      throw new AppError(
        "NOT_FOUND",
        "This Host is not served here. Use the address that the service printed, or set ALLOWED_HOSTS.",
      );
    }
    next();
  };
}

export function limitRequests(limits: Limits): RequestHandler {
  return async (request, response, next) => {
    const refusal = await limits.requests.countByAddress(limits.addressOf(request), response);
    if (refusal) throw refusal;
    if (hasTooManyPairs(request.url)) throw tooManyPairs();
    next();
  };
}

function listAllowedHosts(config: Config): Set<string> {
  const own = [config.baseUrl, config.searchBaseUrl, config.mcpUrl].map((address) => new URL(address));
  const hosts = own.flatMap((url) => {
    const loopback = ["localhost", "127.0.0.1", "[::1]"];
    return loopback.includes(url.hostname)
      ? loopback.map((name) => (url.port ? `${name}:${url.port}` : name))
      : [url.host];
  });
  return new Set([...hosts, ...(config.ALLOWED_HOSTS ?? [])]);
}
