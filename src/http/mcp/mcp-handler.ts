import type { IncomingMessage, ServerResponse } from "node:http";
import {
  ProtocolError,
  type JSONRPCNotification,
  type JSONRPCRequest,
  type JSONRPCResponse,
} from "@modelcontextprotocol/server";
import { bearerToken } from "../bearer.ts";
import type { DirectHandler, Handle } from "../listener.ts";
import { AppError } from "../../../core/errors.ts";
import { answerRead } from "./tools/call-tool.ts";
import { declaresForms } from "./tools/confirm.ts";
import { errorMessage, openExchange, resultMessage, sendJson, type ExchangeOptions } from "./exchange.ts";
import { openAdmission, type Admitted } from "./admission.ts";
import { resourcesAt, type ProtectedResource } from "./protected-resources.ts";
import { LISTEN, MODERN_REVISION, type Serving, type McpContext } from "./mcp-context.ts";
import {
  accepted,
  isUsualModern,
  newFormsSession,
  openClassifier,
  sessionOf,
  speaksKnownVersion,
  split,
} from "./inbound.ts";
import { ICON } from "./tools/instructions.ts";
import { isBrowser, sendConnectPage } from "./connect-page.ts";
import { openOrigins } from "./origin.ts";
import { openStreams } from "./open-streams.ts";
import { protocolError } from "./protocol-error.ts";
import { openSdkHandler } from "./sdk-handler.ts";
import { serverFor } from "./sdk-server.ts";
import { openSubscriptions } from "./subscriptions.ts";
import { openPendingCalls } from "./pending-calls.ts";

/** The tool server's addresses, answered on node's own request and response. */
export interface McpHandler extends DirectHandler {
  close(): Promise<void>;
}

/**
 * Handles the requests of assistants. The usual exchange, one well-formed request of either protocol era, is served here;
 * everything else, and whatever breaks the protocol, goes to the SDK's own handler, which answers as the protocol asks.
 */
export function openMcpHandler(mcp: McpContext, mcpUrl: string, allowedOrigins: readonly string[]): McpHandler {
  const resources = new Map(resourcesAt(mcpUrl, mcp.table.scopes).map((resource) => [resource.path, resource]));
  const iconPath = `${new URL(mcpUrl).pathname}/icon.svg`;
  const admit = openAdmission(mcp);
  const origins = openOrigins([mcpUrl, mcp.baseUrl], allowedOrigins);
  const pending = openPendingCalls();
  const streams = openStreams();
  const classified = openClassifier();
  const subscriptions = openSubscriptions(mcp);
  const sdk = openSdkHandler(mcp);

  return {
    at(_method, path) {
      if (path === iconPath) return async (_request, response) => sendIcon(response);
      const resource = resources.get(path);
      return resource && ((...exchanged) => handle(resource, ...exchanged));
    },
    async close() {
      pending.cancelAll();
      streams.close();
      subscriptions.close();
      await sdk.close();
    },
  };

  async function handle(
    resource: ProtectedResource,
    ...[request, response, requestId]: Parameters<Handle>
  ): Promise<void> {
    if (isBrowser(request)) return sendConnectPage(response, { mcpUrl, baseUrl: mcp.baseUrl });
    try {
      if (!origins.admit(request, response)) throw new AppError("FORBIDDEN", "Origin not allowed.");
      if (request.method === "OPTIONS") return origins.preflight(request, response);
      const { query } = split(request.url ?? "");
      const admitted = await admit(request, response, { resource, query, requestId });
      await serve(admitted);
    } catch (error) {
      protocolError(error, { request, response, resource, requestId, log: mcp.log });
    }
  }

  async function serve(admitted: Admitted): Promise<void> {
    const { request, response, body } = admitted;
    const outcome = classified(request, body);
    if (outcome.kind === "modern" && outcome.messageKind === "request" && outcome.message.method === LISTEN) {
      return listen(admitted, outcome.message);
    }
    if (isUsualModern(outcome, request)) {
      return exchange(admitted, { message: outcome.message, revision: MODERN_REVISION, accepts: BOTH });
    }
    if (outcome.kind === "legacy") {
      const session = sessionOf(request);
      // The classifier found a message of this kind in the body.
      if (outcome.reason === "response") return takeAnswer(admitted, body as JSONRPCResponse);
      if (outcome.reason === "notification") return takeNotification(admitted, body as JSONRPCNotification, session);
      const accepts = accepted(request);
      if (
        (outcome.reason === "initialize" || outcome.reason === "no-claim") &&
        accepts &&
        speaksKnownVersion(request)
      ) {
        const message = body as JSONRPCRequest;
        if (outcome.reason === "initialize" && declaresForms(message.params?.["capabilities"])) {
          response.setHeader("mcp-session-id", newFormsSession());
        }
        const serving = { ...admitted.serving, sessionShowsForms: session !== null };
        return exchange({ ...admitted, serving }, { message, revision: null, accepts });
      }
    }
    return handOver(admitted, await watcherOf(request, admitted.serving));
  }

  /** A stream of `subscriptions/listen`. It ends too when its caller may no longer read what it tells of. */
  async function listen(admitted: Admitted, message: JSONRPCRequest): Promise<void> {
    const { request, response, serving } = admitted;
    try {
      const subscription = await subscriptions.begin(message, serving);
      response.once("close", subscription.end);
      await handOver(admitted, await watcherOf(request, serving, subscription.stands));
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      sendJson(response, 200, errorMessage(message.id, error));
    }
  }

  /** To the SDK's own handler. */
  async function handOver(
    { request, response, serving, body }: Admitted,
    watch: (end: () => void) => () => void,
  ): Promise<void> {
    response.once(
      "close",
      watch(() => void response.end()),
    );
    return sdk.handle(request, response, serving, body);
  }

  /**
   * How to watch a request's answer while it is open: what its caller came with has to stand, and what `stands` says. One that
   * came without a token carries public text alone.
   */
  async function watcherOf(
    request: IncomingMessage,
    serving: Serving,
    stands: () => Promise<boolean> = async () => true,
  ): Promise<(end: () => void) => () => void> {
    const { toolTokens, store, now } = mcp.deps;
    const token = bearerToken(request);
    if (token === undefined) return () => () => undefined;
    const grantStands = await toolTokens.grantOf(token, now());
    const accountId = serving.call.caller?.userId ?? "";
    return (end) =>
      streams.open({ accountId, stands: async () => (await grantStands(store, now())) && (await stands()), end });
  }

  async function exchange(
    { request, response, serving, standing }: Admitted,
    { message, revision, accepts }: Pick<ExchangeOptions, "revision" | "accepts"> & { message: JSONRPCRequest },
  ): Promise<void> {
    const { listText } = serving.view;
    const era = revision === null ? "legacy" : "modern";
    const list = message.method === "tools/list" && accepts.json && !("cursor" in (message.params ?? {}));
    const known = list ? listText[era] : undefined;
    if (known !== undefined) return sendJson(response, 200, resultMessage(message.id, known));
    const call = { ...serving.call, standing };
    const read = accepts.json ? answerRead(mcp, message, { ...serving, call }, revision) : null;
    if (read) return sendJson(response, 200, resultMessage(message.id, await read));
    const watch = await watcherOf(request, serving);
    const server = serverFor(mcp, serving, revision);
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK's server is no event target
    server.onerror = (error) => mcp.log.debug({ err: error, requestId: serving.call.requestId }, "tool exchange");
    const open = openExchange({
      request: message,
      response,
      revision,
      accepts,
      pending,
      owner: ownerOf(serving),
      streaming: watch,
      callKey: `${sessionOf(request) ?? serving.call.requestId} ${JSON.stringify(message.id)}`,
      ...(list ? { keep: (text: string) => void (listText[era] = asciiJson(text)) } : {}),
    });
    await server.connect(open);
    open.serve();
  }

  function takeAnswer({ response, serving }: Admitted, answer: JSONRPCResponse): void {
    if (!pending.answer(ownerOf(serving), answer))
      throw new AppError("VALIDATION_FAILED", "No open call waits for this answer.", {
        fields: [{ path: "id", message: "unknown request id" }],
      });
    response.writeHead(202).end();
  }

  function takeNotification(
    { response, serving }: Admitted,
    message: JSONRPCNotification,
    session: string | null,
  ): void {
    const cancelled = message.params?.["requestId"];
    if (message.method === "notifications/cancelled" && session !== null) {
      pending.cancel(ownerOf(serving), `${session} ${JSON.stringify(cancelled)}`);
    }
    response.writeHead(202).end();
  }
}

const BOTH = { json: true, stream: true };

function ownerOf({ call }: Serving): string {
  return `${call.caller?.userId ?? ""} ${call.caller?.clientId ?? ""}`;
}

/**
 * The same JSON in ASCII alone, in a string of one byte a sign, which is sent without encoding it each time: twice as many
 * lists a second. V8 keeps two bytes a sign of what is cut out of a text that needed them, hence the way through a buffer.
 */
function asciiJson(text: string): string {
  const ascii = text.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return Buffer.from(ascii, "latin1").toString("latin1");
}

function sendIcon(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "image/svg+xml", "cache-control": "public, max-age=86400" });
  response.end(ICON);
}
