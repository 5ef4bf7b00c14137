import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Logger } from "pino";
import { v7 as uuidv7 } from "uuid";
import type { Config } from "../config.ts";
import { AppError } from "../../core/errors.ts";
import type { DeadlineWatch } from "./deadlines.ts";
import { errorBody } from "./error-body.ts";
import { hasTooManyPairs, tooManyPairs } from "./form-pairs.ts";
import { errorMessage, PATH as SCIM_PATH } from "./scim/messages.ts";
import type { Limits } from "../limits/open-limits.ts";
import { respondJson } from "./respond.ts";
import { routineLevel } from "../routine-level.ts";

/** Handles some paths on Node's own request and response, because going through Express would cost more than the work. */
export interface DirectHandler {
  /** What answers this method and path; undefined where others do. */
  at(method: string, path: string): Handle | undefined;
}

export type Handle = (request: IncomingMessage, response: ServerResponse, requestId: string) => Promise<void>;

/** Health checks are not rate-limited: an operator's probes all come from one address. */
const PROBES = new Set(["/healthz", "/readyz"]);

/** A year, for this host alone: what runs on hosts below it is not ours to decide (RFC 6797). */
const STRICT_TRANSPORT = "max-age=31536000";

/** For what is no page, should a browser show it as one. Pages have a policy of their own. */
const NO_DOCUMENT = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'";

/**
 * The listener that every request passes first: it starts the deadlines, sets the request id, writes the log line, checks
 * the Host and applies the rate limit of the client address.
 */
export function createListener(options: {
  config: Config;
  log: Logger;
  limits: Limits;
  deadlines: DeadlineWatch;
  direct: readonly DirectHandler[];
  app: RequestListener;
}): RequestListener {
  const { log, direct, app, limits, deadlines } = options;
  const level = routineLevel();
  const hosts = allowedHosts(options.config);
  const isHttps = options.config.baseUrl.startsWith("https:");
  return (request, response) => {
    deadlines.watch(request, response);
    const requestId = acceptableRequestId(request.headers["x-request-id"]) ?? uuidv7();
    response.setHeader("x-request-id", requestId);
    response.setHeader("x-content-type-options", "nosniff");
    response.setHeader("content-security-policy", NO_DOCUMENT);
    if (isHttps) response.setHeader("strict-transport-security", STRICT_TRANSPORT);
    const path = pathOf(request.url ?? "/");
    const startedAt = performance.now();
    response.on("finish", () => {
      const ms = Math.round(performance.now() - startedAt);
      log[level]({ requestId, method: request.method, path, status: response.statusCode, ms }, "request");
    });
    if (!path.startsWith("/")) return refuse(response, WRONG_TARGET, { requestId, path: "/" });
    if (!hosts.has((request.headers.host ?? "").toLowerCase())) {
      return refuse(response, WRONG_HOST, { requestId, path });
    }
    pass(request, response, { path, requestId }).catch((error: unknown) => {
      log.error({ err: error, requestId, path }, "request failed");
      response.destroy();
    });
  };

  async function pass(
    request: IncomingMessage,
    response: ServerResponse,
    { path, requestId }: { path: string; requestId: string },
  ): Promise<void> {
    const refusal = PROBES.has(path) ? undefined : await limits.requests.ofAddress(limits.addressOf(request), response);
    if (refusal) return refuse(response, refusal, { requestId, path });
    if (hasTooManyPairs(request.url ?? "")) return refuse(response, tooManyPairs(), { requestId, path });
    for (const handler of direct) {
      const handle = handler.at(request.method ?? "", path);
      if (handle) return handle(request, response, requestId);
    }
    app(request, response);
  }
}

/** The id that the listener gave a request. */
export function requestIdOf(response: ServerResponse): string {
  return String(response.getHeader("x-request-id"));
}

const WRONG_HOST = new AppError(
  "NOT_FOUND",
  "This Host is not served here. Use the address that the service printed, or set ALLOWED_HOSTS.",
);

/** RFC 9112 section 3.2: only the origin form names what is served here. The others name a host of the caller's choice. */
const WRONG_TARGET = new AppError("VALIDATION_FAILED", "The request line must name a path, such as /v1/auth/me.");

function refuse(response: ServerResponse, error: AppError, asked: { requestId: string; path: string }): void {
  const { status, ...body } = errorBody(error, asked.requestId);
  const isScim = asked.path.startsWith(`${SCIM_PATH}/`);
  if (error.retryAfterSeconds !== undefined) response.setHeader("retry-after", String(error.retryAfterSeconds));
  respondJson(response, status, isScim ? errorMessage(error) : body, isScim ? "application/scim+json" : undefined);
}

/** Metadata URLs follow the Host header, so only configured hosts are served. */
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

function acceptableRequestId(given: string | string[] | undefined): string | undefined {
  return typeof given === "string" && /^[\w-]{8,64}$/.test(given) ? given : undefined;
}

function pathOf(url: string): string {
  const at = url.indexOf("?");
  return at === -1 ? url : url.slice(0, at);
}
