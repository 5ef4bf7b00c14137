import {
  createRequestStateCodec,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  SUPPORTED_PROTOCOL_VERSIONS,
  type JSONRPCMessage,
  type Transport,
  createMcpHandler,
  type AuthInfo,
} from "@modelcontextprotocol/server";
import { callTool } from "./tools/call-tool.ts";
import { MODERN_REVISION, type ProtocolEra, type Serving, type McpContext } from "./mcp-context.ts";
import { pipeline } from "node:stream/promises";
import { toWebRequest } from "@modelcontextprotocol/node";
import { respondText } from "../respond.ts";
import type { Admitted } from "./admission.ts";
import type { RegisterStream } from "./open-streams.ts";

/** Replaces the SDK's error texts, which list the issues of an invalid message as JSON. */
class PlainErrorServer extends Server {
  override connect(transport: Transport): Promise<void> {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => send(rewordError(message), options);
    return super.connect(transport);
  }
}

function rewordError(message: JSONRPCMessage): JSONRPCMessage {
  if (!("error" in message) || !message.error.message.includes("[\n  {")) return message;
  // The first part of a path is a name of the protocol; deeper parts can be input.
  const paths = message.error.message.matchAll(/"path": \[\s*"params"(?:,\s*"(\w+)")?/g);
  const names = [...new Set([...paths].map(([, name = "params"]) => name))].slice(0, MAX_NAMED_PATHS);
  const faults = names.length === 0 ? "" : ` Correct: ${names.join(", ")}.`;
  const text = `The parameters of this method are not valid.${faults}`;
  return { ...message, error: { code: ProtocolErrorCode.InvalidParams, message: text } };
}

const MAX_NAMED_PATHS = 10;

// Listings change only with a release and are equal for all callers.
const LIST_CACHE = { ttlMs: 300_000, cacheScope: "public" } as const;
const CACHED_METHODS = [
  "tools/list",
  "prompts/list",
  "resources/list",
  "resources/templates/list",
  "server/discover",
] as const;
const SUPPORTED_VERSIONS = [...SUPPORTED_PROTOCOL_VERSIONS, MODERN_REVISION];
/** Lifetime of signed state in seconds, equal to the validity of a price. */
const STATE_LIFETIME_SECONDS = 15 * 60;

/** Creates a server for one exchange; cheap, since tools are looked up in a shared table. */
export function serverFor(mcp: McpContext, serving: Serving, era: ProtocolEra): Server {
  const { features } = mcp;
  const bound = `${serving.call.caller?.userId ?? ""} ${serving.call.caller?.clientId ?? ""}`;
  // Signs the state a client carries between two rounds; valid only for the same person and client.
  const stateCodec = createRequestStateCodec({
    key: mcp.requestStateKey,
    ttlSeconds: STATE_LIFETIME_SECONDS,
    bind: () => bound,
  });
  const server = new PlainErrorServer(mcp.serverInfo, {
    capabilities: { tools: {}, ...features.capabilities(era) },
    instructions: mcp.instructions,
    supportedProtocolVersions: SUPPORTED_VERSIONS,
    cacheHints: Object.fromEntries(CACHED_METHODS.map((method) => [method, LIST_CACHE])),
    requestState: { verify: (state, context) => stateCodec.verify(state, context) },
  });
  server.setRequestHandler("tools/list", () => ({ tools: serving.toolView.listedTools }));
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const tool = serving.toolView.toolByName.get(params.name);
    if (tool) return callTool(mcp, tool, params.arguments ?? {}, { serving, context, stateCodec });
    const found = features.tools.find(({ listed }) => listed.name === params.name);
    if (found && serving.toolView.extraTools.includes(found))
      return found.runTool(params.arguments ?? {}, context, stateCodec, { mcp, serving });
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Unknown tool. tools/list names the tools.");
  });
  features.install(server, { mcp, serving, stateCodec });
  return server;
}

/** The SDK's handler: revision 2026-07-28, 2025 batches, and protocol errors. */
export interface SdkHandler {
  handleRequest(admitted: Admitted, watch: () => Promise<RegisterStream>): Promise<void>;
  close(): Promise<void>;
}

export function openSdkHandler(mcp: McpContext): SdkHandler {
  // The handler passes this object unchanged to the factory, so it identifies the exchange.
  const servings = new WeakMap<AuthInfo, Serving>();
  const handler = createMcpHandler(
    ({ authInfo, era }) => {
      const serving = authInfo && servings.get(authInfo);
      if (!serving) throw new Error("An exchange reached the SDK without its context.");
      return serverFor(mcp, serving, era);
    },
    {
      legacy: "stateless",
      bus: mcp.events,
      onerror: (error) => mcp.log.debug({ err: error }, "tool transport failed"),
    },
  );
  return {
    async handleRequest({ request, response, serving, body }, watch) {
      const authInfo: AuthInfo = { token: "", clientId: serving.call.caller?.clientId ?? "", scopes: [] };
      servings.set(authInfo, serving);
      const stop = new AbortController();
      if (response.destroyed) stop.abort();
      else response.once("close", () => stop.abort());
      const inbound = await toWebRequest(request, body, { signal: stop.signal });
      const answer = await handler.fetch(inbound, { authInfo, ...(body !== undefined && { parsedBody: body }) });
      const type = answer.headers.get("content-type");
      if (!answer.body) return void response.writeHead(answer.status).end();
      if (type !== "text/event-stream") return respondText(response, answer.status, await answer.text(), type ?? "");
      let forget: (() => void) | undefined;
      try {
        forget = (await watch())(() => stop.abort());
        response.writeHead(answer.status, Object.fromEntries(answer.headers));
        await pipeline(answer.body, response);
      } catch (error) {
        if (!response.destroyed) throw error;
      } finally {
        stop.abort();
        forget?.();
      }
    },
    close: () => handler.close(),
  };
}
