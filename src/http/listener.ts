import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Logger } from "pino";
import { v7 as uuidv7 } from "uuid";
import type { Config } from "../config.ts";
import { AppError } from "../../core/errors.ts";
import { errorBody } from "./error-body.ts";
import { errorMessage, PATH as SCIM_PATH } from "./scim/messages.ts";
import type { Limits } from "../limits/open-limits.ts";

/** Something that answers some paths on node's own objects, because passing through Express costs more than it does. */
export interface DirectDoor {
  serves(path: string): boolean;
  handle(request: IncomingMessage, response: ServerResponse, requestId: string): Promise<void>;
}

/** What tells an operator's machines how the process is; they all ask from one address. */
const PROBES = new Set(["/healthz", "/readyz"]);

/**
 * What every request passes first, whichever door it is for: its id, its log line, whether its Host is ours, and whether
 * its address asked too often.
 */
export function front(options: {
  config: Config;
  log: Logger;
  limits: Limits;
  direct: readonly DirectDoor[];
  app: RequestListener;
}): RequestListener {
  const { log, direct, app, limits } = options;
  const hosts = allowedHosts(options.config);
  return (request, response) => {
    const requestId = acceptableRequestId(request.headers["x-request-id"]) ?? uuidv7();
    response.setHeader("x-request-id", requestId);
    response.setHeader("x-content-type-options", "nosniff");
    const path = pathOf(request.url ?? "/");
    const startedAt = performance.now();
    response.on("finish", () => {
      const ms = Math.round(performance.now() - startedAt);
      log.info({ requestId, method: request.method, path, status: response.statusCode, ms }, "request");
    });
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
    const door = direct.find((one) => one.serves(path));
    if (door) await door.handle(request, response, requestId);
    else app(request, response);
  }
}

/** The id that `front` gave a request. */
export function requestIdOf(response: ServerResponse): string {
  return String(response.getHeader("x-request-id"));
}

const WRONG_HOST = new AppError(
  "NOT_FOUND",
  "This Host is not served here. Use the address that the service printed, or set ALLOWED_HOSTS.",
);

function refuse(response: ServerResponse, error: AppError, asked: { requestId: string; path: string }): void {
  const { status, ...body } = errorBody(error, asked.requestId);
  const isScim = asked.path.startsWith(`${SCIM_PATH}/`);
  const type = isScim ? "application/scim+json" : "application/json; charset=utf-8";
  if (error.retryAfterSeconds !== undefined) response.setHeader("retry-after", String(error.retryAfterSeconds));
  response.writeHead(status, { "content-type": type, "cache-control": "no-store" });
  response.end(JSON.stringify(isScim ? errorMessage(error) : body));
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

function acceptableRequestId(given: string | string[] | undefined): string | undefined {
  return typeof given === "string" && /^[\w-]{8,64}$/.test(given) ? given : undefined;
}

function pathOf(url: string): string {
  const at = url.indexOf("?");
  return at === -1 ? url : url.slice(0, at);
}
