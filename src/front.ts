import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Logger } from "pino";
import { v7 as uuidv7 } from "uuid";
import type { Config } from "./config.ts";
import { AppError } from "./core/errors.ts";
import { errorBody } from "./error-body.ts";

/** Something that answers some paths on node's own objects, because passing through Express costs more than it does. */
export interface DirectDoor {
  serves(path: string): boolean;
  handle(request: IncomingMessage, response: ServerResponse, requestId: string): Promise<void>;
}

/** What every request passes first, whichever door it is for: its id, its log line, and whether its Host is ours. */
export function front(options: {
  config: Config;
  log: Logger;
  direct: readonly DirectDoor[];
  app: RequestListener;
}): RequestListener {
  const { log, direct, app } = options;
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
    if (!hosts.has((request.headers.host ?? "").toLowerCase())) return refuseHost(response, requestId);
    const door = direct.find((one) => one.serves(path));
    if (!door) return app(request, response);
    door.handle(request, response, requestId).catch((error: unknown) => {
      log.error({ err: error, requestId, path }, "request failed");
      response.destroy();
    });
  };
}

/** The id that `front` gave a request. */
export function requestIdOf(response: ServerResponse): string {
  return String(response.getHeader("x-request-id"));
}

function refuseHost(response: ServerResponse, requestId: string): void {
  const remedy = "This Host is not served here. Use the address that the service printed, or set ALLOWED_HOSTS.";
  const { status, ...body } = errorBody(new AppError("NOT_FOUND", remedy), requestId);
  response.writeHead(status, { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" });
  response.end(JSON.stringify(body));
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
