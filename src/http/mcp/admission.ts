import type { IncomingMessage, ServerResponse } from "node:http";
import type { Caller } from "../../../auth/caller.ts";
import { AppError } from "../../../core/errors.ts";
import type { Call } from "../../call/invoke.ts";
import { recordUnread } from "../../call/record-call.ts";
import { bearerToken } from "../bearer.ts";
import { BODY_LIMIT_BYTES } from "../body.ts";
import { goneSignal } from "../gone-signal.ts";
import { narrowing, OPEN_BODY_LIMIT_BYTES, readBody, takesLinks } from "./inbound.ts";
import type { McpContext, Serving } from "./mcp-context.ts";
import { needsSignIn, type ProtectedResource } from "./protected-resources.ts";
import { toolViews } from "./tools/tool-table.ts";

/** A request that was let in. */
export interface Admitted {
  request: IncomingMessage;
  response: ServerResponse;
  serving: Serving;
  body: unknown;
}

/** Where a request came in, and under which id it is answered. */
interface Arrival {
  resource: ProtectedResource;
  query: string;
  requestId: string;
}

/**
 * Lets requests in: who calls, what they sent, which tools they see, and whether they call too often. UNAUTHENTICATED where the
 * message needs a sign-in.
 */
export function openAdmission(
  mcp: McpContext,
): (request: IncomingMessage, response: ServerResponse, arrival: Arrival) => Promise<Admitted> {
  const views = toolViews(mcp.table, mcp.features.tools);
  return admit;

  async function admit(
    request: IncomingMessage,
    response: ServerResponse,
    { resource, query, requestId }: Arrival,
  ): Promise<Admitted> {
    const caller = await callerOf(request);
    if (!caller && resource.eager) throw notSignedIn();
    const body = request.method === "POST" ? await bodyOf(request, response, { caller, requestId }) : undefined;
    if (!caller && body !== undefined && needsSignIn(body)) throw notSignedIn();
    // After the challenge: a client that puts its token into the address is told where it belongs.
    const view = views(narrowing(request, query));
    const refusal = caller && (await limitOf(caller, response, body));
    const call = { caller, requestId, gone: () => goneSignal(response) };
    return {
      request,
      response,
      body,
      serving: { call, view, refusal, takesLinks: takesLinks(request), sessionShowsForms: false },
    };
  }

  /** The message of a request. Without a token it is short, or needs one. */
  async function bodyOf(
    request: IncomingMessage,
    response: ServerResponse,
    { caller, requestId }: Call,
  ): Promise<unknown> {
    const { limits } = mcp.deps;
    const holder = caller ? { account: caller.userId } : { address: limits.addressOf(request) };
    const hold = limits.bodies.open(holder, response);
    const inbound = { request, response, hold };
    try {
      return await readBody(inbound, caller ? BODY_LIMIT_BYTES : OPEN_BODY_LIMIT_BYTES);
    } catch (error) {
      if (caller) recordUnread({ caller, requestId }, mcp.deps, error);
      else if (error instanceof AppError && error.code === "PAYLOAD_TOO_LARGE") throw notSignedIn();
      throw error;
    }
  }

  /** Every message of a batch counts. Too many tool calls are told by their tools, too many of anything else here. */
  async function limitOf(caller: Caller, response: ServerResponse, body: unknown): Promise<AppError | undefined> {
    const messages = Array.isArray(body) ? body.length : 1;
    const refusal = await mcp.deps.limits.requests.ofCaller(caller, response, messages);
    if (!refusal) return undefined;
    if (!isToolCall(body)) throw refusal;
    response.setHeader("retry-after", String(refusal.retryAfterSeconds));
    return refusal;
  }

  async function callerOf(request: IncomingMessage): Promise<Caller | undefined> {
    const token = bearerToken(request);
    if (token === undefined) return undefined;
    return mcp.deps.toolTokens.verify(mcp.deps.store, token, mcp.deps.now());
  }
}

function isToolCall(body: unknown): boolean {
  return typeof body === "object" && body !== null && "method" in body && body.method === "tools/call";
}

function notSignedIn(): AppError {
  return new AppError("UNAUTHENTICATED", "Sign in first.");
}
