import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";
import { FIND_TOOLS_NAME } from "../../src/http/mcp/tools/essentials.ts";
import { readText } from "./read-text.ts";
import type { ToolAnswer } from "../../test/support/tool-client.ts";

// Replaces an assistant's language model: calls the given tools, one per turn, and returns their
// results as the assistant reports them. Streams Responses and chat completions.

const Tool = z.looseObject({
  name: z.string().optional(),
  type: z.string().optional(),
  namespace: z.string().optional(),
});
const Request = z.looseObject({
  model: z.string().optional(),
  /** Input of a request to the Responses API. */
  input: z
    .array(
      z.looseObject({ type: z.string().optional(), call_id: z.string().optional(), output: z.unknown().optional() }),
    )
    .default([]),
  /** Messages of a chat completion request. */
  messages: z
    .array(z.looseObject({ role: z.string(), tool_call_id: z.string().optional(), content: z.unknown().optional() }))
    .default([]),
  tools: z
    .array(
      Tool.extend({
        tools: z.array(Tool).optional(),
        function: z.looseObject({ name: z.string() }).optional(),
      }),
    )
    .default([]),
});
type Request = z.output<typeof Request>;

/** A tool call waiting to be sent or answered. */
interface PendingCall {
  id: string;
  name: string;
  given: Record<string, unknown>;
  settle: (answer: ToolAnswer) => void;
}

export interface ScriptedModel {
  /** Base address including /v1. */
  address: string;
  /** Has the assistant call a tool; returns the result as shown to the model. */
  call(name: string, given: Record<string, unknown>): Promise<ToolAnswer>;
  /** Answers every later request with a final message. */
  finish(): void;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function openScriptedModel(): Promise<ScriptedModel> {
  let [calls, isFinished] = [0, false];
  /** The next call, the call in flight, and requests waiting for a call. */
  let next: PendingCall | undefined;
  let called: PendingCall | undefined;
  const waiting: ((wanted: PendingCall | undefined) => void)[] = [];

  async function turn(request: Request): Promise<PendingCall | undefined> {
    const shown = called && answerTo(called.id, request);
    if (shown !== undefined) called?.settle(parseShownAnswer(shown));
    called = next ?? (isFinished ? undefined : await new Promise((resolve) => waiting.push(resolve)));
    next = undefined;
    return called;
  }

  function want(wanted: PendingCall): void {
    const resolve = waiting.shift();
    if (resolve) resolve(wanted);
    else next = wanted;
  }

  function finish(): void {
    isFinished = true;
    for (const resolve of waiting.splice(0)) resolve(undefined);
  }

  const server = createServer((request, response) => {
    answer(request, response, turn).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}/v1`,
    call: (name, given) => new Promise((settle) => want({ id: `call_${++calls}`, name, given, settle })),
    finish,
    async [Symbol.asyncDispose]() {
      finish();
      server.closeAllConnections();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  turn: (request: Request) => Promise<PendingCall | undefined>,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const path = request.url ?? "";
  if (request.method !== "POST" || !/\/(responses|chat\/completions)$/.test(path)) {
    response.setHeader("content-type", "application/json").end(JSON.stringify({ data: [], models: [] }));
    return;
  }
  const asked = Request.parse(JSON.parse(Buffer.concat(chunks).toString()));
  // A request without tools is auxiliary, such as for a title.
  const wanted = asked.tools.length === 0 ? undefined : await turn(asked);
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end(path.endsWith("/responses") ? responses(asked, wanted) : completion(asked, wanted));
}

/** The assistant's name for one of our tools; for one that it does not offer, by analogy. */
function named(name: string, { tools }: Request): { name: string; namespace?: string } {
  const offered = findOffered(name, tools);
  if (offered) return offered;
  const similar = findOffered(FIND_TOOLS_NAME, tools);
  if (similar) return { ...similar, name: similar.name.replace(FIND_TOOLS_NAME, name) };
  const known = tools.flatMap((tool) => [
    tool.function?.name ?? tool.name,
    ...(tool.tools ?? []).map((one) => one.name),
  ]);
  throw new Error(`The assistant does not offer ${name} to its model: ${known.join(", ")}`);
}

function findOffered(name: string, tools: Request["tools"]): { name: string; namespace?: string } | undefined {
  for (const tool of tools) {
    const inner = tool.tools?.find((one) => one.name?.endsWith(name));
    if (inner?.name !== undefined && tool.name !== undefined) return { name: inner.name, namespace: tool.name };
    const own = tool.function?.name ?? tool.name;
    if (own?.endsWith(name)) return { name: own };
  }
  return undefined;
}

const DONE = "That is done.";

/** Events of one Responses stream. */
function responses(asked: Request, wanted: PendingCall | undefined): string {
  const item = wanted
    ? {
        type: "function_call",
        id: `fc_${wanted.id}`,
        call_id: wanted.id,
        ...named(wanted.name, asked),
        arguments: JSON.stringify(wanted.given),
      }
    : { type: "message", id: "msg_1", role: "assistant", content: [{ type: "output_text", text: DONE }] };
  const usage = {
    input_tokens: 1,
    input_tokens_details: null,
    output_tokens: 1,
    output_tokens_details: null,
    total_tokens: 2,
  };
  const events = [
    { type: "response.created", response: { id: "resp_1" } },
    { type: "response.output_item.done", output_index: 0, item },
    { type: "response.completed", response: { id: "resp_1", output: [item], usage } },
  ];
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
}

/** Chunks of one chat completion. */
function completion(asked: Request, wanted: PendingCall | undefined): string {
  const call = wanted && {
    index: 0,
    id: wanted.id,
    type: "function",
    function: { name: named(wanted.name, asked).name, arguments: JSON.stringify(wanted.given) },
  };
  const delta = call ? { role: "assistant", tool_calls: [call] } : { role: "assistant", content: DONE };
  const common = { id: "chat_1", object: "chat.completion.chunk", created: 1, model: asked.model ?? "scripted" };
  const chunks = [
    { ...common, choices: [{ index: 0, delta, finish_reason: null }] },
    { ...common, choices: [{ index: 0, delta: {}, finish_reason: call ? "tool_calls" : "stop" }] },
  ];
  return `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("")}data: [DONE]\n\n`;
}

function answerTo(callId: string, { input, messages }: Request): unknown {
  const output = input.find((item) => item.type?.endsWith("_output") && item.call_id === callId)?.output;
  return output ?? messages.find((message) => message.tool_call_id === callId)?.content;
}

/** A tool result as shown to a model: structured content if passed on, otherwise text. */
function parseShownAnswer(shown: unknown): ToolAnswer {
  const parts = Parts.safeParse(shown);
  const text = parts.success ? parts.data.map((part) => part.text).join("\n") : String(shown);
  const structured = jsonIn(text);
  const isError = structured?.["retryable"] !== undefined;
  return { text, isError, structured: structured ?? readText(text) };
}

const Parts = z.array(z.looseObject({ text: z.string() }));

function jsonIn(text: string): Record<string, unknown> | undefined {
  try {
    // Some assistants prepend a line or two.
    return z.record(z.string(), z.unknown()).parse(JSON.parse(text.slice(Math.max(0, text.indexOf("{")))));
  } catch {
    return undefined;
  }
}
