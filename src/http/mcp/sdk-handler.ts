import type { IncomingMessage, ServerResponse } from "node:http";
import { createMcpHandler, type AuthInfo } from "@modelcontextprotocol/server";
import { toNodeHandler, type NodeIncomingMessageLike } from "@modelcontextprotocol/node";
import { MODERN_REVISION, type Serving, type McpContext } from "./mcp-context.ts";
import { serverFor } from "./sdk-server.ts";

/** The SDK's own handler, for what is rare (batches, subscriptions) and for telling a client what it did wrong. */
export interface SdkHandler {
  handle(request: IncomingMessage, response: ServerResponse, serving: Serving, body: unknown): Promise<void>;
  close(): Promise<void>;
}

export function openSdkHandler(mcp: McpContext): SdkHandler {
  // The handler passes this object through to the factory untouched, so it can stand for the exchange.
  const servings = new WeakMap<AuthInfo, Serving>();
  const handler = createMcpHandler(
    ({ authInfo, era }) => {
      const serving = authInfo && servings.get(authInfo);
      if (!serving) throw new Error("An exchange reached the SDK without what it is about.");
      return serverFor(mcp, serving, era === "modern" ? MODERN_REVISION : null);
    },
    { legacy: "stateless", bus: mcp.events, onerror: (error) => mcp.log.debug({ err: error }, "tool exchange") },
  );
  const node = toNodeHandler(handler);
  return {
    handle(request, response, serving, body) {
      const auth: AuthInfo = { token: "", clientId: serving.call.caller?.clientId ?? "", scopes: [] };
      servings.set(auth, serving);
      // Node's own class has every member that the adapter's narrower shape names.
      const inbound = Object.assign(request, { auth }) as unknown as NodeIncomingMessageLike;
      return node(inbound, response, body);
    },
    close: () => handler.close(),
  };
}
