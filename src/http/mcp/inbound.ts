import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import {
  classifyInboundRequest,
  isJsonContentType,
  SUPPORTED_PROTOCOL_VERSIONS,
  type InboundClassificationOutcome,
} from "@modelcontextprotocol/server";
import { parseJsonBody, readText, type Inbound, parseQuery } from "../body.ts";
import { AppError } from "../../../core/shared/errors.ts";
import { formatInteger } from "../../../core/shared/format-count.ts";
import {
  MAX_BATCH_MESSAGES,
  MAX_PROTOCOL_NAME_CHARACTERS,
  MAX_PROTOCOL_VALUES,
} from "../../../core/shared/request-bounds.ts";
import { isFields } from "./tools/shown-fields.ts";
import type { ToolRestrictions } from "./tools/tool-table.ts";

// Properties of an HTTP request besides its message.

/** Sessions only record that a 2025-era client can show forms. */
const FORMS_SESSION = "forms-";

export function newFormsSession(): string {
  return FORMS_SESSION + randomUUID();
}

export function getSession(request: IncomingMessage): string | null {
  const session = request.headers["mcp-session-id"];
  if (session === undefined) return null;
  if (typeof session === "string" && session.startsWith(FORMS_SESSION)) return session;
  throw new AppError("NOT_FOUND", "Unknown session. Initialize again.");
}

export function supportsVersion({ headers }: IncomingMessage): boolean {
  const version = headers["mcp-protocol-version"];
  return version === undefined || (typeof version === "string" && SUPPORTED_PROTOCOL_VERSIONS.includes(version));
}

/**
 * True from revision 2025-06-18 on, which introduced both the version header and links in results;
 * earlier clients reject such results.
 */
export function supportsLinks({ headers }: IncomingMessage): boolean {
  const version = headers["mcp-protocol-version"];
  return typeof version === "string" && version >= FIRST_REVISION_WITH_LINKS;
}

const FIRST_REVISION_WITH_LINKS = "2025-06-18";

export function parseAcceptedTypes({
  headers,
}: IncomingMessage): { acceptsJson: boolean; acceptsStream: boolean } | null {
  const accept = headers.accept ?? "";
  const acceptsJson = accept.includes("application/json") || accept.includes("*/*");
  const acceptsStream = accept.includes("text/event-stream") || accept.includes("*/*");
  return acceptsJson || acceptsStream ? { acceptsJson, acceptsStream } : null;
}

/** True for a browser navigation, which gets a page. Event stream clients do not. */
export function isBrowser({ method, headers }: IncomingMessage): boolean {
  const accept = headers.accept ?? "";
  return method === "GET" && accept.includes("text/html") && !accept.includes("text/event-stream");
}

export async function readBody(inbound: Inbound, limitBytes: number): Promise<unknown> {
  if (!isJsonContentType(inbound.request.headers["content-type"] ?? null)) {
    throw new AppError("UNSUPPORTED_MEDIA_TYPE", "Send JSON, with Content-Type: application/json.");
  }
  const { text } = await readText(inbound, limitBytes);
  const body = parseJsonBody(text);
  rejectLarge(body);
  return Array.isArray(body) ? body.map(removeNullParameters) : removeNullParameters(body);
}

/** Clients send null for parameters that they leave out; the protocol's schemas reject it. */
function removeNullParameters(message: unknown): unknown {
  if (!isFields(message) || !("params" in message)) return message;
  const { params } = message;
  if (params !== null && !isFields(params)) return message;
  return { ...message, params: Object.fromEntries(Object.entries(params ?? {}).filter(([, value]) => value !== null)) };
}

function rejectLarge(body: unknown): void {
  const messages = Array.isArray(body) ? body : [body];
  if (messages.length > MAX_BATCH_MESSAGES) {
    throw new AppError("VALIDATION_FAILED", `A batch can have at most ${MAX_BATCH_MESSAGES} messages.`);
  }
  if (
    messages
      .flatMap(listEchoedValues)
      .some((name) => typeof name === "string" && name.length > MAX_PROTOCOL_NAME_CHARACTERS)
  ) {
    const maxLength = formatInteger(MAX_PROTOCOL_NAME_CHARACTERS);
    throw new AppError(
      "VALIDATION_FAILED",
      `A method, an id, a name and a uri can have at most ${maxLength} characters.`,
    );
  }
  const values = messages.reduce((sum: number, message) => sum + countValues(removeArguments(message)), 0);
  if (values <= MAX_PROTOCOL_VALUES) return;
  throw new AppError(
    "VALIDATION_FAILED",
    `A request can have at most ${formatInteger(MAX_PROTOCOL_VALUES)} values besides the arguments of a tool.`,
  );
}

/** Values repeated in errors: method, id, and the requested tool, prompt or resource. */
function listEchoedValues(message: unknown): unknown[] {
  if (!isFields(message)) return [];
  const params = isFields(message["params"]) ? message["params"] : {};
  const ref = isFields(params["ref"]) ? params["ref"] : {};
  return [message["method"], message["id"], params["name"], params["uri"], ref["name"], ref["uri"]];
}

function removeArguments(message: unknown): unknown {
  if (!isFields(message) || message["method"] !== "tools/call" || !isFields(message["params"])) return message;
  const { arguments: _, ...params } = message["params"];
  return { ...message, params };
}

function countValues(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce((sum: number, one) => sum + countValues(one), 1);
}

const FALSE_VALUES = new Set(["0", "false", "f", "no", "n", "off"]);

/**
 * Parses `?toolsets=` and `?readonly=` or their headers. Fails closed: writes are excluded unless
 * clearly wanted, and unknown names are rejected.
 */
export function parseToolRestrictions({ headers, url }: IncomingMessage): ToolRestrictions {
  const { "x-mcp-toolsets": toolsetsHeader, "x-mcp-readonly": readonlyHeader } = headers;
  const query = parseQuery(url);
  if ([...query.keys()].some((name) => name !== "toolsets" && name !== "readonly")) {
    throw new AppError(
      "VALIDATION_FAILED",
      "This address accepts only the query parameters toolsets and readonly. Remove all others.",
      {
        fields: [{ path: "query", message: "unknown name" }],
      },
    );
  }
  const toolsets = query.has("toolsets") ? query.getAll("toolsets") : [toolsetsHeader ?? []].flat();
  const readonly = [...query.getAll("readonly"), ...[readonlyHeader ?? []].flat()];
  return {
    toolsets: toolsets.length === 0 ? null : toolsets.join(","),
    isReadOnly: readonly.some((value) => !FALSE_VALUES.has(value.trim().toLowerCase())),
  };
}

export function classify(request: IncomingMessage, body: unknown): InboundClassificationOutcome {
  const { "mcp-protocol-version": version, "mcp-method": method, "mcp-name": name } = request.headers;
  return classifyInboundRequest({
    httpMethod: request.method ?? "",
    ...(typeof version === "string" ? { protocolVersionHeader: version } : {}),
    ...(typeof method === "string" ? { mcpMethodHeader: method } : {}),
    ...(typeof name === "string" ? { mcpNameHeader: name } : {}),
    body,
  });
}

const EXPOSED_HEADERS =
  "WWW-Authenticate, Mcp-Session-Id, MCP-Protocol-Version, X-Request-Id, Retry-After, RateLimit, RateLimit-Policy";

export interface OriginPolicy {
  /** False for foreign origins (2026-07-28, basic/transports: Origin must be checked). */
  admitOrigin(request: IncomingMessage, response: ServerResponse): boolean;
  preflight(request: IncomingMessage, response: ServerResponse): void;
}

/**
 * Allows own addresses, configured origins (`*` for any), and loopback origins on a loopback
 * service.
 */
export function openOrigins(origins: readonly string[], configured: readonly string[]): OriginPolicy {
  const allowed = new Set([...origins.map((address) => new URL(address).origin), ...configured]);
  const isLoopbackService = origins.some((address) => isLoopback(new URL(address).hostname));
  return {
    admitOrigin(request, response) {
      const { origin } = request.headers;
      if (origin === undefined) return true;
      if (!allowed.has(origin) && !allowed.has("*") && !(isLoopbackService && isLoopbackOrigin(origin))) return false;
      response.setHeader("access-control-allow-origin", origin);
      response.setHeader("vary", "Origin");
      response.setHeader("access-control-expose-headers", EXPOSED_HEADERS);
      return true;
    },
    preflight(request, response) {
      response.setHeader("access-control-allow-methods", "POST, GET, DELETE, OPTIONS");
      const wanted = request.headers["access-control-request-headers"];
      if (wanted !== undefined) response.setHeader("access-control-allow-headers", wanted);
      response.setHeader("access-control-max-age", "600");
      response.writeHead(204).end();
    },
  };
}

function isLoopbackOrigin(origin: string): boolean {
  return URL.canParse(origin) && isLoopback(new URL(origin).hostname);
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "127.0.0.1" || hostname === "[::1]";
}
