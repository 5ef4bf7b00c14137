import { pipeline } from "node:stream/promises";
import { createMcpHandler, type AuthInfo } from "@modelcontextprotocol/server";
import { toWebRequest } from "@modelcontextprotocol/node";
import { respondText } from "../respond.ts";
import type { Admitted } from "./admission.ts";
import type { Serving, McpContext } from "./mcp-context.ts";
import type { Watch } from "./open-streams.ts";
import { serverFor } from "./sdk-server.ts";

/** The SDK's own handler: 2026-07-28, batches of 2025, and errors of the protocol. */
export interface SdkHandler {
  /** Calls `watch` when the response becomes a stream. */
  handle(admitted: Admitted, watch: () => Promise<Watch>): Promise<void>;
  close(): Promise<void>;
}

export function openSdkHandler(mcp: McpContext): SdkHandler {
  // The handler passes this object through to the factory untouched, so it can stand for the exchange.
  const servings = new WeakMap<AuthInfo, Serving>();
  const handler = createMcpHandler(
    ({ authInfo, era }) => {
      const serving = authInfo && servings.get(authInfo);
      if (!serving) throw new Error("An exchange reached the SDK without what it is about.");
      return serverFor(mcp, serving, era);
    },
    { legacy: "stateless", bus: mcp.events, onerror: (error) => mcp.log.debug({ err: error }, "tool exchange") },
  );
  return {
    async handle({ request, response, serving, body }, watch) {
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
