import type { IncomingMessage, ServerResponse } from "node:http";
import type { Request, Response } from "express";
import type { Caller, VerifiedToken } from "../../../auth/caller.ts";
import { AppError } from "../../../core/shared/errors.ts";
import type { Scope } from "../../../core/identity/roles.ts";
import { getScope } from "../../../tools/endpoint.ts";
import { recordUnreadRequest } from "../../call/audit.ts";
import type { Call } from "../../call/deps.ts";
import { readBearerToken } from "../../../auth/oauth/access-tokens.ts";
import { BODY_LIMIT_BYTES, OPEN_BODY_LIMIT_BYTES } from "../body.ts";
import { createDisconnectSignal } from "../disconnect-signal.ts";
import { parseToolRestrictions, readBody, supportsLinks } from "./inbound.ts";
import type { Fields, McpContext, Serving } from "./mcp-context.ts";
import { needsSignIn, type ProtectedResource } from "./protected-resources.ts";
import { admitToolCall } from "./tools/call-tool.ts";
import { isFields } from "./tools/shown-fields.ts";
import { createToolViewFactory, type ToolView } from "./tools/tool-table.ts";

export interface Admitted {
  request: Request;
  response: Response;
  serving: Serving;
  body: unknown;
}

/**
 * Admits requests: authenticates the caller, reads the body, selects the visible tools and applies
 * rate limits. Throws UNAUTHENTICATED if the message needs a sign-in.
 */
export function openAdmission(
  mcp: McpContext,
): (request: Request, response: Response, resource: ProtectedResource) => Promise<Admitted> {
  const views = createToolViewFactory(mcp.toolTable, mcp.features.tools);
  return admit;

  async function admit(request: Request, response: Response, resource: ProtectedResource): Promise<Admitted> {
    const requestId = response.locals["requestId"] as string;
    const proven = await authenticate(request);
    if (!proven && resource.alwaysRequiresSignIn) throw notSignedIn();
    const body = request.method === "POST" ? await bodyOf(request, response, { proven, requestId }) : undefined;
    if (!proven && body !== undefined && needsSignIn(body)) throw notSignedIn();
    const caller = proven && (await mcp.deps.store.read((db) => proven.loadCaller(db)));
    if (resource.workspaceId !== null && caller?.reach?.workspaceId !== resource.workspaceId) throw notSignedIn();
    // After the sign-in challenge, so that a client with its token in the address learns where it
    // belongs.
    const toolView = views(parseToolRestrictions(request));
    const callError = caller && (await checkLimit(caller, response, body));
    const call = { caller, requestId, disconnectSignal: () => createDisconnectSignal(response) };
    if (caller && !callError) {
      const missing = await denyMissingScopes(body, toolView, { ...call, caller });
      if (missing.length > 0) {
        response.setHeader("www-authenticate", resource.challenge.missingScopes(missing));
        throw new AppError("FORBIDDEN", `This requires the scope ${missing.join(" ")}. Connect again and allow it.`);
      }
    }
    return {
      request,
      response,
      body,
      serving: { call, toolView, callError, supportsLinks: supportsLinks(request), sessionSupportsForms: false },
    };
  }

  /**
   * Scopes that the called tools need and the token lacks. Checked before any message of a batch
   * runs, because the client repeats the whole request with more scopes.
   */
  async function denyMissingScopes(
    body: unknown,
    { toolByName }: ToolView,
    call: Call & { caller: Caller },
  ): Promise<Scope[]> {
    const missing = new Set<Scope>();
    for (const message of [body].flat().filter(isToolCall)) {
      const params = isFields(message["params"]) ? message["params"] : {};
      const tool = toolByName.get(String(params["name"]));
      if (!tool || call.caller.scopes.has(getScope(tool.endpoint))) continue;
      missing.add(getScope(tool.endpoint));
      const given = isFields(params["arguments"]) ? params["arguments"] : {};
      await admitToolCall(mcp, tool, given, call).catch(() => undefined);
    }
    return [...missing];
  }

  async function bodyOf(
    request: IncomingMessage,
    response: ServerResponse,
    { proven, requestId }: { proven: VerifiedToken | undefined; requestId: string },
  ): Promise<unknown> {
    const { limits, store } = mcp.deps;
    const holder = proven ? { account: proven.userId } : { address: limits.addressOf(request) };
    const hold = limits.bodies.open(holder, response);
    const inbound = { request, response, hold };
    try {
      return await readBody(inbound, proven ? BODY_LIMIT_BYTES : OPEN_BODY_LIMIT_BYTES);
    } catch (error) {
      const caller = proven && (await store.read((db) => proven.loadCaller(db)));
      if (caller) recordUnreadRequest({ caller, requestId }, mcp.deps, error);
      else if (error instanceof AppError && error.code === "PAYLOAD_TOO_LARGE") throw notSignedIn();
      throw error;
    }
  }

  /**
   * Counts each message of a batch. Excess tool calls are reported as tool results, all others
   * thrown.
   */
  async function checkLimit(caller: Caller, response: ServerResponse, body: unknown): Promise<AppError | undefined> {
    const messages = Array.isArray(body) ? body.length : 1;
    const refusal = await mcp.deps.limits.requests.countByCaller(caller, response, messages);
    if (!refusal) return undefined;
    if (!isToolCall(body)) throw refusal;
    response.setHeader("retry-after", String(refusal.retryAfterSeconds));
    return refusal;
  }

  async function authenticate(request: IncomingMessage): Promise<VerifiedToken | undefined> {
    const token = readBearerToken(request);
    return token === undefined ? undefined : mcp.deps.toolTokens.verify(token, mcp.deps.now());
  }
}

function isToolCall(body: unknown): body is Fields {
  return isFields(body) && body["method"] === "tools/call";
}

function notSignedIn(): AppError {
  return new AppError("UNAUTHENTICATED", "Sign in first.");
}
