import {
  createRequestStateCodec,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  SUPPORTED_PROTOCOL_VERSIONS,
  type JSONRPCMessage,
  type Transport,
} from "@modelcontextprotocol/server";
import { callTool } from "./tools/call-tool.ts";
import { MODERN_REVISION, type Era, type Serving, type McpContext } from "./mcp-context.ts";

class ShortErrorServer extends Server {
  override connect(transport: Transport): Promise<void> {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => send(withShortError(message), options);
    return super.connect(transport);
  }
}

/** The SDK puts every issue of an invalid message into its error, 200 bytes for each value of two. */
const MAX_ERROR_CHARACTERS = 2000;

function withShortError(message: JSONRPCMessage): JSONRPCMessage {
  if (!("error" in message) || message.error.message.length <= MAX_ERROR_CHARACTERS) return message;
  const { code } = message.error;
  return { ...message, error: { code, message: "The parameters of this method are not valid." } };
}

// A list changes with a release only; it is the same for every caller, before sign-in and after.
const LIST_CACHE = { ttlMs: 300_000, cacheScope: "public" } as const;
const CACHED = ["tools/list", "prompts/list", "resources/list", "resources/templates/list", "server/discover"] as const;
const VERSIONS = [...SUPPORTED_PROTOCOL_VERSIONS, MODERN_REVISION];
/** As long as a price holds. */
const STATE_SECONDS = 15 * 60;

/** A server for one exchange. Cheap, because the tools are a table that it only looks into. */
export function serverFor(mcp: McpContext, serving: Serving, era: Era): Server {
  const { features } = mcp;
  const bound = `${serving.call.caller?.userId ?? ""} ${serving.call.caller?.clientId ?? ""}`;
  // Signs what a client carries between two rounds of a call. It opens for the same person and program alone.
  const codec = createRequestStateCodec({ key: mcp.requestStateKey, ttlSeconds: STATE_SECONDS, bind: () => bound });
  const server = new ShortErrorServer(mcp.serverInfo, {
    capabilities: { tools: {}, ...features.capabilities(era) },
    instructions: mcp.instructions,
    supportedProtocolVersions: VERSIONS,
    cacheHints: Object.fromEntries(CACHED.map((method) => [method, LIST_CACHE])),
    requestState: { verify: (state, context) => codec.verify(state, context) },
  });
  server.setRequestHandler("tools/list", () => ({ tools: serving.view.listed }));
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const tool = serving.view.tools.get(params.name);
    if (tool) return callTool(mcp, tool, params.arguments ?? {}, { serving, context, codec });
    const found = features.tools.find(({ listed }) => listed.name === params.name);
    if (found && serving.view.extra.includes(found))
      return found.call(params.arguments ?? {}, context, codec, { mcp, serving });
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Unknown tool. tools/list names the tools.");
  });
  features.install(server, { mcp, serving, codec });
  return server;
}
