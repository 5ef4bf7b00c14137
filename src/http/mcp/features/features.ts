import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError, type Server } from "@modelcontextprotocol/server";
import { z } from "zod";
import { AppError } from "../../../../core/errors.ts";
import { errorBody } from "../../error-body.ts";
import { AWAIT_COLLECT } from "./await-collect.ts";
import { endpointCaller } from "./call-endpoint.ts";
import { complete } from "./completion.ts";
import type { ServerFeatures, Serving, McpContext } from "../mcp-context.ts";
import { PROMPTS, renderPrompt } from "./prompts.ts";
import { isOpenPage, OPEN_PAGES, readResource, TEMPLATES } from "./resources.ts";

/** What the product has besides its tools: prompts, resources, and the completion of their arguments. */
export const PRODUCT_FEATURES: ServerFeatures = {
  capabilities: { prompts: {}, resources: {}, completions: {} },
  tools: [AWAIT_COLLECT],
  install(server, { mcp, serving }) {
    installPrompts(server, mcp, serving);
    installResources(server, mcp, serving);
  },
};

// The pages change with a release only; an analysis is its reader's own and changes with every collect.
const PAGE_CACHE = { ttlMs: 300_000, cacheScope: "public" } as const;
const ANALYSIS_CACHE = { ttlMs: 0, cacheScope: "private" } as const;

function installPrompts(server: Server, mcp: McpContext, serving: Serving): void {
  server.setRequestHandler("prompts/list", () => ({ prompts: PROMPTS.map(({ listed }) => listed) }));
  server.setRequestHandler("prompts/get", async ({ params }) => {
    const prompt = PROMPTS.find(({ listed }) => listed.name === params.name);
    if (!prompt) throw wrong("Unknown prompt. prompts/list names the prompts.");
    const text = await renderPrompt(prompt, params.arguments ?? {}, endpointCaller(mcp, serving)).catch(
      (error: unknown) => {
        throw refusal(error, { mcp, serving });
      },
    );
    return {
      description: prompt.listed.description ?? "",
      messages: [{ role: "user", content: { type: "text", text } }],
    };
  });
  server.setRequestHandler("completion/complete", async ({ params: { ref, argument, context } }) => {
    const known =
      ref.type === "ref/prompt"
        ? PROMPTS.some(({ listed }) => listed.name === ref.name)
        : TEMPLATES.some(({ uriTemplate }) => uriTemplate === ref.uri);
    if (!known) throw wrong("Unknown prompt or resource template.");
    const completion = await complete(argument, context?.arguments ?? {}, endpointCaller(mcp, serving)).catch(
      (error: unknown) => {
        throw refusal(error, { mcp, serving });
      },
    );
    return { completion };
  });
}

function installResources(server: Server, mcp: McpContext, serving: Serving): void {
  server.setRequestHandler("resources/list", () => ({ resources: OPEN_PAGES.map(({ listed }) => listed) }));
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [...TEMPLATES] }));
  server.setRequestHandler("resources/read", async ({ params: { uri } }) => {
    const text = await readResource(uri, () => endpointCaller(mcp, serving)).catch((error: unknown) => {
      throw error instanceof AppError && error.code === "NOT_FOUND"
        ? new ResourceNotFoundError(uri)
        : refusal(error, { mcp, serving });
    });
    if (text === undefined) throw new ResourceNotFoundError(uri);
    return {
      contents: [{ uri, mimeType: "text/markdown", text }],
      ...(isOpenPage(uri) ? PAGE_CACHE : ANALYSIS_CACHE),
    };
  });
}

function wrong(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

/** An error of an endpoint in the protocol's words: what the person can mend is a wrong parameter, the rest is ours. */
function refusal(error: unknown, { mcp, serving }: { mcp: McpContext; serving: Serving }): ProtocolError {
  if (error instanceof z.ZodError) {
    return wrong(`Correct these arguments: ${error.issues.map(({ path }) => path.join(".")).join(", ")}.`);
  }
  const { requestId } = serving.call;
  const { status, message } = errorBody(error, requestId);
  if (status < 500) return wrong(message);
  mcp.log.error({ err: error, requestId }, "prompt or resource failed");
  return new ProtocolError(ProtocolErrorCode.InternalError, `${message} Request ${requestId}.`);
}
