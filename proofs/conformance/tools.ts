import { setTimeout as sleep } from "node:timers/promises";
import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
  type InputRequests,
  type RequestStateCodec,
  type ServerContext,
  type ServerEventBus,
} from "@modelcontextprotocol/server";
import type { ToolAnswer, ExtraTool, Fields } from "../../src/http/mcp/mcp-context.ts";
import { DEFAULTS_FORM, ENUMS_FORM, SCHEMA_2020_12 } from "./forms.ts";

// Tools that the protocol's conformance suite calls by name, to exercise the server's stack. They
// are not in proofs/interop, because that package has its own SDK, and these must use the
// product's.

export const IMAGE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
const AUDIO = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=";

type Run = (given: Fields, context: ServerContext, codec: RequestStateCodec) => ToolAnswer | Promise<ToolAnswer>;

const text = (words: string): ToolAnswer => ({ content: [{ type: "text", text: words }] });
const askFor = (message: string, field: string) =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: "object", properties: { [field]: { type: "string" } }, required: [field] },
  });
const confirm = inputRequired.elicit({
  message: "Please confirm",
  requestedSchema: { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] },
});
const askModel = (question: string) =>
  inputRequired.createMessage({
    messages: [{ role: "user", content: { type: "text", text: question } }],
    maxTokens: 100,
  });

/** The client's reply to a question, whatever its shape. */
function response(context: ServerContext, key: string): Fields | undefined {
  const given = context.mcpReq.inputResponses?.[key];
  return typeof given === "object" && given !== null ? { ...given } : undefined;
}

function accepted(context: ServerContext, key: string, field: string): string | undefined {
  const value = acceptedContent(context.mcpReq.inputResponses, key)?.[field];
  return typeof value === "string" ? value : undefined;
}

async function logged(_given: Fields, { mcpReq }: ServerContext): Promise<ToolAnswer> {
  for (const data of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
    await mcpReq.notify({ method: "notifications/message", params: { level: "info", data } });
    await sleep(50);
  }
  return text("Tool with logging executed successfully");
}

async function progressed(_given: Fields, { mcpReq }: ServerContext): Promise<ToolAnswer> {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return text("no-progress-token");
  for (const progress of [0, 50, 100]) {
    const message = `Completed step ${progress} of 100`;
    await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, total: 100, message } });
    await sleep(50);
  }
  return text(String(progressToken));
}

/** Asks a 2025-era client on the open response, and returns the reply. */
function elicited(message: string, requestedSchema: object): Run {
  return async (given, { mcpReq }) => {
    const params = { message: typeof given["message"] === "string" ? given["message"] : message, requestedSchema };
    const answer = await mcpReq.send({ method: "elicitation/create", params });
    return text(`User response: action=${answer.action}, content=${JSON.stringify(answer.content ?? {})}`);
  };
}

async function sampled(given: Fields, { mcpReq }: ServerContext): Promise<ToolAnswer> {
  const messages = [{ role: "user", content: { type: "text", text: given["prompt"] } }];
  const answer = await mcpReq.send({ method: "sampling/createMessage", params: { messages, maxTokens: 100 } });
  const content = Array.isArray(answer.content) ? answer.content[0] : answer.content;
  return text(`LLM response: ${content?.type === "text" ? content.text : "No response"}`);
}

/** Asks each kind of question that the client declared support for. */
function capable(_given: Fields, context: ServerContext): ToolAnswer {
  if (context.mcpReq.inputResponses !== undefined) return text("Capability-aware input requests fulfilled");
  const envelope: Fields | undefined = context.mcpReq.envelope;
  const declared = (envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? {}) as Fields;
  const inputRequests: InputRequests = {
    ...(declared["elicitation"] ? { user_name: askFor("What is your name?", "name") } : {}),
    ...(declared["sampling"] ? { greeting: askModel("Generate a short greeting") } : {}),
    ...(declared["roots"] ? { client_roots: inputRequired.listRoots() } : {}),
  };
  if (Object.keys(inputRequests).length === 0) return text("No declared capability supports an input request");
  return inputRequired({ inputRequests });
}

/** Two rounds; only the signed state records which one it is. */
async function rounds(_given: Fields, context: ServerContext, codec: RequestStateCodec): Promise<ToolAnswer> {
  const state = context.mcpReq.requestState<{ round?: number; name?: string }>();
  if (state?.round === undefined) {
    const requestState = await codec.mint({ round: 1 }, context);
    return inputRequired({ inputRequests: { step1: askFor("Step 1: What is your name?", "name") }, requestState });
  }
  if (state.round === 1) {
    const name = accepted(context, "step1", "name") ?? "unknown";
    const requestState = await codec.mint({ round: 2, name }, context);
    return inputRequired({ inputRequests: { step2: askFor("Step 2: What is your color?", "color") }, requestState });
  }
  return text(`Multi-round complete: ${state.name} likes ${accepted(context, "step2", "color") ?? "unknown"}`);
}

async function manyInputs(_given: Fields, context: ServerContext, codec: RequestStateCodec): Promise<ToolAnswer> {
  const name = accepted(context, "user_name", "name");
  const greeting = response(context, "greeting");
  const roots = response(context, "client_roots")?.["roots"];
  if (name !== undefined && greeting && Array.isArray(roots)) return text(`Hello ${name}, ${roots.length} root(s)`);
  const inputRequests = {
    user_name: askFor("What is your name?", "name"),
    greeting: askModel("Generate a greeting"),
    client_roots: inputRequired.listRoots(),
  };
  return inputRequired({ inputRequests, requestState: await codec.mint({ many: true }, context) });
}

async function stateful(_given: Fields, context: ServerContext, codec: RequestStateCodec): Promise<ToolAnswer> {
  if (acceptedContent(context.mcpReq.inputResponses, "confirm") === undefined) {
    return inputRequired({ inputRequests: { confirm }, requestState: await codec.mint({ confirm: true }, context) });
  }
  if (context.mcpReq.requestState() === undefined) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "requestState is missing");
  }
  return text("state-ok, integrity-ok: requestState verified and confirmation received");
}

const RUNS: Record<string, Run> = {
  test_simple_text: () => text("This is a simple text response for testing."),
  test_image_content: () => ({ content: [{ type: "image", data: IMAGE, mimeType: "image/png" }] }),
  test_audio_content: () => ({ content: [{ type: "audio", data: AUDIO, mimeType: "audio/wav" }] }),
  test_embedded_resource: () => ({
    content: [embedded("test://embedded-resource", "text/plain", "Embedded content.")],
  }),
  test_multiple_content_types: () => ({
    content: [
      { type: "text", text: "Multiple content types test:" },
      { type: "image", data: IMAGE, mimeType: "image/png" },
      embedded("test://mixed-content-resource", "application/json", JSON.stringify({ test: "data", value: 123 })),
    ],
  }),
  test_tool_with_logging: logged,
  test_tool_with_progress: progressed,
  test_error_handling: () => ({
    isError: true,
    content: [{ type: "text", text: "This tool intentionally returns an error for testing" }],
  }),
  test_sampling: sampled,
  test_elicitation: elicited("", {
    type: "object",
    properties: { response: { type: "string", description: "User's response" } },
    required: ["response"],
  }),
  test_elicitation_sep1034_defaults: elicited("Please review the form fields with defaults", DEFAULTS_FORM),
  test_elicitation_sep1330_enums: elicited("Please select options from the enum fields", ENUMS_FORM),
  test_missing_capability: (_given, context) =>
    response(context, "llm_answer")
      ? text("sampling round-trip complete")
      : inputRequired({ inputRequests: { llm_answer: askModel("Reply with the single word: pong") } }),
  test_streaming_elicitation: () => text("result frames only"),
  test_logging_tool: async (_given, { mcpReq }) => {
    await mcpReq.log("info", "delivered only where the request asks for it");
    return text("Logging evaluated");
  },
  test_input_required_result_elicitation: (_given, context) => {
    const name = accepted(context, "user_name", "name");
    if (name !== undefined) return text(`Hello, ${name}!`);
    return inputRequired({ inputRequests: { user_name: askFor("What is your name?", "name") } });
  },
  test_input_required_result_sampling: (_given, context) => {
    const answer = response(context, "capital_question");
    if (answer) return text(`Sampling response: ${JSON.stringify(answer["content"])}`);
    return inputRequired({ inputRequests: { capital_question: askModel("What is the capital of France?") } });
  },
  test_input_required_result_list_roots: (_given, context) => {
    const roots = response(context, "client_roots")?.["roots"];
    if (Array.isArray(roots)) return text(`Client exposed ${roots.length} root(s): ${JSON.stringify(roots)}`);
    return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  },
  test_input_required_result_request_state: stateful,
  test_input_required_result_multiple_inputs: manyInputs,
  test_input_required_result_multi_round: rounds,
  test_input_required_result_tampered_state: stateful,
  test_input_required_result_capabilities: capable,
  json_schema_2020_12_tool: (given) => text(`JSON Schema 2020-12 tool called with: ${JSON.stringify(given)}`),
};

const INPUTS: Record<string, Fields> = {
  test_sampling: { type: "object", properties: { prompt: { type: "string" } } },
  test_elicitation: { type: "object", properties: { message: { type: "string" } } },
  json_schema_2020_12_tool: SCHEMA_2020_12,
};

/**
 * The tools, including two that notify listeners of `subscriptions/listen` about a changed list.
 */
export function conformanceTools(events: ServerEventBus): ExtraTool[] {
  const changes: Record<string, Run> = {
    test_trigger_tool_change: () => {
      events.publish({ kind: "tools_list_changed" });
      return text("tools_list_changed published");
    },
    test_trigger_prompt_change: () => {
      events.publish({ kind: "prompts_list_changed" });
      return text("prompts_list_changed published");
    },
  };
  return Object.entries({ ...RUNS, ...changes }).map(([name, run]) => ({
    listed: {
      name,
      description: `Conformance fixture ${name}.`,
      // Hand-written schemas with an object at the root, like every tool's.
      inputSchema: (INPUTS[name] ?? { type: "object", properties: {} }) as ExtraTool["listed"]["inputSchema"],
    },
    runTool: async (given, context, codec) => run(given, context, codec),
  }));
}

function embedded(uri: string, mimeType: string, words: string) {
  return { type: "resource" as const, resource: { uri, mimeType, text: words } };
}
