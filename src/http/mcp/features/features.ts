import { ResourceNotFoundError, type Server } from "@modelcontextprotocol/server";
import { AWAIT_COLLECT } from "./await-collect.ts";
import { endpointCaller } from "./call-endpoint.ts";
import { complete } from "./completion.ts";
import { FIND_TOOLS } from "./find-tools.ts";
import { toProtocolError, toResourceError, invalidParams } from "./feature-errors.ts";
import type { ServerFeatures, Serving, McpContext } from "../mcp-context.ts";
import { MCP_PROMPTS, renderPrompt } from "./prompts.ts";
import { isOpenPage, OPEN_PAGES, readResource, TEMPLATES } from "./resources.ts";

import { installSkills, SKILL_CAPABILITIES } from "./skills.ts";

export const MCP_FEATURES: ServerFeatures = {
  // 2025-era subscriptions need session streams, and sessions hold no state.
  capabilities: (era) => ({
    prompts: {},
    resources: era === "modern" ? { subscribe: true } : {},
    completions: {},
    ...SKILL_CAPABILITIES,
  }),
  tools: [AWAIT_COLLECT, FIND_TOOLS],
  install(server, { mcp, serving }) {
    installPrompts(server, mcp, serving);
    installResources(server, mcp, serving);
    installSkills(server, PAGE_CACHE);
  },
};

// Documentation changes only with a release; an analysis is private and changes with each collect.
const PAGE_CACHE = { ttlMs: 300_000, cacheScope: "public" } as const;
const ANALYSIS_CACHE = { ttlMs: 0, cacheScope: "private" } as const;

function installPrompts(server: Server, mcp: McpContext, serving: Serving): void {
  server.setRequestHandler("prompts/list", () => ({ prompts: MCP_PROMPTS.map(({ listing }) => listing) }));
  server.setRequestHandler("prompts/get", async ({ params }) => {
    const prompt = MCP_PROMPTS.find(({ listing }) => listing.name === params.name);
    if (!prompt) throw invalidParams("Unknown prompt. prompts/list names the prompts.");
    const text = await renderPrompt(prompt, params.arguments ?? {}, endpointCaller(mcp, serving)).catch(
      (error: unknown) => {
        throw toProtocolError(error, { mcp, serving });
      },
    );
    return {
      description: prompt.listing.description ?? "",
      messages: [{ role: "user", content: { type: "text", text } }],
    };
  });
  server.setRequestHandler("completion/complete", async ({ params: { ref, argument, context } }) => {
    const known =
      ref.type === "ref/prompt"
        ? MCP_PROMPTS.some(({ listing }) => listing.name === ref.name)
        : TEMPLATES.some(({ uriTemplate }) => uriTemplate === ref.uri);
    if (!known) throw invalidParams("Unknown prompt or resource template.");
    const completion = await complete(argument, context?.arguments ?? {}, endpointCaller(mcp, serving)).catch(
      (error: unknown) => {
        throw toProtocolError(error, { mcp, serving });
      },
    );
    return { completion };
  });
}

function installResources(server: Server, mcp: McpContext, serving: Serving): void {
  server.setRequestHandler("resources/list", () => ({ resources: OPEN_PAGES.map(({ listing }) => listing) }));
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [...TEMPLATES] }));
  server.setRequestHandler("resources/read", async ({ params: { uri } }) => {
    const page = await readResource(uri, () => endpointCaller(mcp, serving), mcp.deps).catch((error: unknown) => {
      throw toResourceError(uri, error, { mcp, serving });
    });
    if (page === undefined) throw new ResourceNotFoundError(uri);
    return {
      contents: [{ uri, ...(typeof page === "string" ? { mimeType: "text/markdown", text: page } : page) }],
      ...(isOpenPage(uri) ? PAGE_CACHE : ANALYSIS_CACHE),
    };
  });
}
