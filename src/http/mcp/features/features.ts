import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError, type Server } from "@modelcontextprotocol/server";
import { z } from "zod";
import { AppError } from "../../../../core/errors.ts";
import { errorBody } from "../../error-body.ts";
import { askingFor } from "./call-endpoint.ts";
import { complete } from "./completion.ts";
import type { Offer, Serving, ToolHost } from "../mcp-context.ts";
import { PROMPTS, renderPrompt } from "./prompts.ts";
import { isOpenPage, OPEN_PAGES, readResource, TEMPLATES } from "./resources.ts";

/** What the product offers besides its tools: tasks to pick, pages to read, and the completion of their ids. */
export const PRODUCT_OFFER: Offer = {
  capabilities: { prompts: {}, resources: {}, completions: {} },
  tools: [],
  install(server, { host, serving }) {
    installPrompts(server, host, serving);
    installResources(server, host, serving);
  },
};

// The pages change with a release only; an analysis is its reader's own and changes with every collect.
const PAGE_CACHE = { ttlMs: 300_000, cacheScope: "public" } as const;
const ANALYSIS_CACHE = { ttlMs: 0, cacheScope: "private" } as const;

function installPrompts(server: Server, host: ToolHost, serving: Serving): void {
  server.setRequestHandler("prompts/list", () => ({ prompts: PROMPTS.map(({ listed }) => listed) }));
  server.setRequestHandler("prompts/get", async ({ params }) => {
    const prompt = PROMPTS.find(({ listed }) => listed.name === params.name);
    if (!prompt) throw wrong("There is no such prompt. prompts/list names what there is.");
    const text = await renderPrompt(prompt, params.arguments ?? {}, askingFor(host, serving)).catch(
      (error: unknown) => {
        throw refusal(error, { host, serving });
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
    if (!known) throw wrong("There is nothing of that name to complete.");
    const completion = await complete(argument, context?.arguments ?? {}, askingFor(host, serving)).catch(
      (error: unknown) => {
        throw refusal(error, { host, serving });
      },
    );
    return { completion };
  });
}

function installResources(server: Server, host: ToolHost, serving: Serving): void {
  server.setRequestHandler("resources/list", () => ({ resources: OPEN_PAGES.map(({ listed }) => listed) }));
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [...TEMPLATES] }));
  server.setRequestHandler("resources/read", async ({ params: { uri } }) => {
    const text = await readResource(uri, () => askingFor(host, serving)).catch((error: unknown) => {
      throw error instanceof AppError && error.code === "NOT_FOUND"
        ? new ResourceNotFoundError(uri)
        : refusal(error, { host, serving });
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
function refusal(error: unknown, { host, serving }: { host: ToolHost; serving: Serving }): ProtocolError {
  if (error instanceof z.ZodError) {
    return wrong(`Correct these arguments: ${error.issues.map(({ path }) => path.join(".")).join(", ")}.`);
  }
  const { requestId } = serving.call;
  const { status, message } = errorBody(error, requestId);
  if (status < 500) return wrong(message);
  host.log.error({ err: error, requestId }, "prompt or resource failed");
  return new ProtocolError(ProtocolErrorCode.InternalError, `${message} Request ${requestId}.`);
}
