import {
  acceptedContent,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type GetPromptResult,
  type InputRequiredResult,
  type Server,
  type ServerContext,
  type ServerEventBus,
} from "@modelcontextprotocol/server";
import type { ServerFeatures } from "../../src/http/mcp/mcp-context.ts";
import { conformanceTools, IMAGE } from "./tools.ts";

/** Tools, prompts and resources that the conformance suite calls by name. */
export function conformanceFeatures(events: ServerEventBus): ServerFeatures {
  return {
    capabilities: () => ({
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      logging: {},
      completions: {},
    }),
    tools: conformanceTools(events),
    install(server) {
      installPrompts(server);
      installResources(server);
      server.setRequestHandler("completion/complete", () => ({
        completion: { values: [], total: 0, hasMore: false },
      }));
    },
  };
}

type Given = Record<string, string>;
type Rendered = GetPromptResult | InputRequiredResult;

const says = (...content: GetPromptResult["messages"][number]["content"][]): GetPromptResult => ({
  messages: content.map((one) => ({ role: "user", content: one })),
});
const words = (text: string) => ({ type: "text" as const, text });

const PROMPTS: Record<string, { arguments: string[]; render: (given: Given, context: ServerContext) => Rendered }> = {
  test_simple_prompt: { arguments: [], render: () => says(words("This is a simple prompt for testing.")) },
  test_prompt_with_arguments: {
    arguments: ["arg1", "arg2"],
    render: ({ arg1, arg2 }) => says(words(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  },
  test_prompt_with_embedded_resource: {
    arguments: ["resourceUri"],
    render: ({ resourceUri = "" }) =>
      says(
        { type: "resource", resource: { uri: resourceUri, mimeType: "text/plain", text: "Embedded content." } },
        words("Please process the embedded resource above."),
      ),
  },
  test_prompt_with_image: {
    arguments: [],
    render: () => says({ type: "image", data: IMAGE, mimeType: "image/png" }, words("Please analyze the image above.")),
  },
  test_input_required_result_prompt: {
    arguments: [],
    render: (_given, { mcpReq }) => {
      const context = acceptedContent(mcpReq.inputResponses, "user_context")?.["context"];
      if (typeof context === "string") return says(words(`Use the following context: ${context}`));
      const properties = { context: { type: "string" as const } };
      const requestedSchema = { type: "object" as const, properties, required: ["context"] };
      const question = inputRequired.elicit({ message: "What context should the prompt use?", requestedSchema });
      return inputRequired({ inputRequests: { user_context: question } });
    },
  },
};

function installPrompts(server: Server): void {
  server.setRequestHandler("prompts/list", () => ({
    prompts: Object.entries(PROMPTS).map(([name, prompt]) => ({
      name,
      description: `Conformance fixture ${name}.`,
      arguments: prompt.arguments.map((argument) => ({ name: argument, description: argument, required: true })),
    })),
  }));
  server.setRequestHandler("prompts/get", ({ params }, context) => {
    const prompt = PROMPTS[params.name];
    if (!prompt) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no such prompt.");
    return prompt.render(params.arguments ?? {}, context);
  });
}

const STATIC = [
  { uri: "test://static-text", mimeType: "text/plain", text: "This is the content of the static text resource." },
  { uri: "test://static-binary", mimeType: "image/png", blob: IMAGE },
  { uri: "test://watched-resource", mimeType: "text/plain", text: "Watched resource content" },
];
const TEMPLATE = /^test:\/\/template\/([^/]+)\/data$/;

function installResources(server: Server): void {
  server.setRequestHandler("resources/list", () => ({
    resources: STATIC.map(({ uri, mimeType }) => ({ uri, mimeType, name: uri.slice("test://".length) })),
  }));
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: [{ name: "template", uriTemplate: "test://template/{id}/data", mimeType: "application/json" }],
  }));
  server.setRequestHandler("resources/read", ({ params: { uri } }) => {
    const known = STATIC.find((resource) => resource.uri === uri);
    if (known) return { contents: [known] };
    const id = TEMPLATE.exec(uri)?.[1];
    if (id === undefined) throw new ResourceNotFoundError(uri);
    const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
    return { contents: [{ uri, mimeType: "application/json", text }] };
  });
  server.setRequestHandler("resources/subscribe", () => ({}));
  server.setRequestHandler("resources/unsubscribe", () => ({}));
}
