import type { Request, RequestHandler, Response } from "express";
import {
  ProtocolError,
  type JSONRPCNotification,
  type JSONRPCRequest,
  type JSONRPCResponse,
} from "@modelcontextprotocol/server";
import { readBearerToken } from "../../../auth/oauth/access-tokens.ts";
import { AppError } from "../../../core/shared/errors.ts";
import { declaresForms } from "./tools/confirm.ts";
import { formatErrorResponse, openExchange, sendJson, type ExchangeOptions } from "./exchange.ts";
import { openAdmission, type Admitted } from "./admission.ts";
import { findProtectedResource, type ProtectedResource } from "./protected-resources.ts";
import { LISTEN_METHOD, type Serving, type McpContext } from "./mcp-context.ts";
import {
  parseAcceptedTypes,
  classify,
  isBrowser,
  newFormsSession,
  getSession,
  supportsVersion,
  openOrigins,
} from "./inbound.ts";
import { ICON_SVG } from "./tools/instructions.ts";
import { sendConnectPage } from "./connect-page.ts";
import { openStreams, type RegisterStream } from "./open-streams.ts";
import { sendProtocolError } from "./protocol-error.ts";
import { openSdkHandler, serverFor } from "./sdk-server.ts";
import { openSubscriptions } from "./subscriptions.ts";
import { openPendingCalls } from "./pending-calls.ts";

export interface McpHandler {
  handleRequest: RequestHandler;
  close(): Promise<void>;
}

/**
 * Handles MCP requests. A valid request of a 2025-era client runs in an exchange, which can ask the
 * person; all others go to the SDK's handler.
 */
export function openMcpHandler(mcp: McpContext, mcpUrl: string, allowedOrigins: readonly string[]): McpHandler {
  const { origin } = new URL(mcpUrl);
  const iconPath = `${new URL(mcpUrl).pathname}/icon.svg`;
  const admit = openAdmission(mcp);
  const origins = openOrigins([mcpUrl, mcp.baseUrl], allowedOrigins);
  const pending = openPendingCalls();
  const streams = openStreams();
  const subscriptions = openSubscriptions(mcp);
  const sdk = openSdkHandler(mcp);
  // Opens a second handler, because closing a handler aborts its calls in progress.
  const listenSdk = openSdkHandler(mcp);

  return {
    async handleRequest(request, response, next) {
      if (request.path === iconPath) return sendIcon(response);
      const url = origin + request.path.replace(/\/$/, "");
      const resource = findProtectedResource(mcpUrl, url, mcp.toolTable.scopes);
      return resource ? handle(resource, request, response) : next();
    },
    async close() {
      await listenSdk.close();
      streams.close();
      subscriptions.close();
    },
  };

  async function handle(resource: ProtectedResource, request: Request, response: Response): Promise<void> {
    if (isBrowser(request)) return sendConnectPage(response, { mcpUrl, baseUrl: mcp.baseUrl });
    try {
      if (!origins.admitOrigin(request, response)) throw new AppError("FORBIDDEN", "Origin not allowed.");
      if (request.method === "OPTIONS") return origins.preflight(request, response);
      await serve(await admit(request, response, resource));
    } catch (error) {
      sendProtocolError(error, { request, response, resource, log: mcp.log });
    }
  }

  async function serve(admitted: Admitted): Promise<void> {
    const { request, response, body } = admitted;
    const outcome = classify(request, body);
    if (outcome.kind === "modern" && outcome.messageKind === "request" && outcome.message.method === LISTEN_METHOD) {
      return listen(admitted, outcome.message);
    }
    if (outcome.kind !== "legacy") return sdk.handleRequest(admitted, () => createWatch(admitted));
    const sessionId = getSession(request);
    // Safe: the classifier verified the kind of message.
    if (outcome.reason === "response") return takeAnswer(admitted, body as JSONRPCResponse);
    if (outcome.reason === "notification") return takeNotification(admitted, body as JSONRPCNotification, sessionId);
    const accepts = parseAcceptedTypes(request);
    const isRequest = outcome.reason === "initialize" || outcome.reason === "no-claim";
    if (!isRequest || !accepts || !supportsVersion(request)) {
      return sdk.handleRequest(admitted, () => createWatch(admitted));
    }
    const message = body as JSONRPCRequest;
    if (outcome.reason === "initialize" && declaresForms(message.params?.["capabilities"])) {
      response.setHeader("mcp-session-id", newFormsSession());
    }
    return exchange(admitted, message, { acceptedTypes: accepts, sessionId });
  }

  /**
   * Serves `subscriptions/listen`; the stream ends when the caller loses access to its resources.
   */
  async function listen(admitted: Admitted, message: JSONRPCRequest): Promise<void> {
    try {
      const subscription = await subscriptions.startSubscription(message, admitted.serving);
      admitted.response.once("close", subscription.endSubscription);
      await listenSdk.handleRequest(admitted, () => createWatch(admitted, subscription.isStillAuthorised));
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      sendJson(admitted.response, 200, formatErrorResponse(message.id, error));
    }
  }

  /**
   * Returns a watch that ends the response when the token's grant or `stands` lapses. A response
   * without token has only public content.
   */
  async function createWatch(
    { request, serving }: Admitted,
    stands: () => Promise<boolean> = async () => true,
  ): Promise<RegisterStream> {
    const { toolTokens, store, now } = mcp.deps;
    const token = readBearerToken(request);
    if (token === undefined) return () => () => undefined;
    const isGrantValid = await toolTokens.createGrantCheck(token, now());
    const accountId = serving.call.caller?.userId ?? "";
    return (endStream) =>
      streams.watchStream({
        accountId,
        isStillAuthorised: async () => (await isGrantValid(store, now())) && (await stands()),
        endStream,
      });
  }

  async function exchange(
    admitted: Admitted,
    request: JSONRPCRequest,
    {
      acceptedTypes: accepts,
      sessionId,
    }: { acceptedTypes: ExchangeOptions["acceptedTypes"]; sessionId: string | null },
  ): Promise<void> {
    const serving = { ...admitted.serving, sessionSupportsForms: sessionId !== null };
    const server = serverFor(mcp, serving, "legacy");
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK's server is no event target
    server.onerror = (error) =>
      mcp.log.debug({ err: error, requestId: serving.call.requestId }, "tool transport failed");
    const open = openExchange({
      request,
      response: admitted.response,
      acceptedTypes: accepts,
      pending,
      owner: buildOwnerKey(serving),
      registerStream: await createWatch(admitted),
      callKey: `${sessionId ?? serving.call.requestId} ${JSON.stringify(request.id)}`,
    });
    await server.connect(open);
    open.serveRequest();
  }

  function takeAnswer({ response, serving }: Admitted, answer: JSONRPCResponse): void {
    if (!pending.answer(buildOwnerKey(serving), answer))
      throw new AppError("VALIDATION_FAILED", "No open call waits for this answer.", {
        fields: [{ path: "id", message: "unknown request id" }],
      });
    response.writeHead(202).end();
  }

  function takeNotification({ response, serving }: Admitted, message: JSONRPCNotification, session: string | null) {
    const cancelled = message.params?.["requestId"];
    if (message.method === "notifications/cancelled" && session !== null) {
      pending.cancel(buildOwnerKey(serving), `${session} ${JSON.stringify(cancelled)}`);
    }
    response.writeHead(202).end();
  }
}

function buildOwnerKey({ call }: Serving): string {
  return `${call.caller?.userId ?? ""} ${call.caller?.clientId ?? ""}`;
}

function sendIcon(response: Response): void {
  response.writeHead(200, { "content-type": "image/svg+xml", "cache-control": "public, max-age=86400" });
  response.end(ICON_SVG);
}
