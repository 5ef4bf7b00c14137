import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** Response to one request; `nth` counts the requests of this prompt, from 1. */
interface Reply {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
  delayMs?: number;
  /** Breaks the connection instead of answering. */
  hangUp?: boolean;
}
export type Replies = (prompt: string, nth: number, body: object) => Reply;

/** A Responses API server on loopback that counts its requests. */
export async function startAssistant(
  replies: Replies = (prompt) => ({ body: responseBody(`Acme is fine for ${prompt}.`) }),
) {
  const asked = new Map<string, number>();
  const requests: { path: string; headers: IncomingMessage["headers"]; body: Record<string, unknown> }[] = [];
  let open = 0;
  let mostOpen = 0;
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
    requests.push({ path: request.url ?? "", headers: request.headers, body });
    const prompt = String(body["input"]);
    const nth = (asked.get(prompt) ?? 0) + 1;
    asked.set(prompt, nth);
    const reply = replies(prompt, nth, body);
    if (reply.delayMs !== undefined) await sleep(reply.delayMs);
    if (reply.hangUp) response.destroy();
    else {
      const text = typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body ?? { error: {} });
      response.writeHead(reply.status ?? 200, { "content-type": "application/json", ...reply.headers }).end(text);
    }
  }
  const server = createServer((request, response) => {
    open += 1;
    mostOpen = Math.max(mostOpen, open);
    response.once("close", () => (open -= 1));
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    asked,
    requests,
    mostOpen: () => mostOpen,
    env: { OPENAI_API_KEY: "sk-test", OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`, OPENAI_MODEL: "test-model" },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}

/** A Responses body with one message, shaped like real ones. */
export function responseBody(text: string, annotations: object[] = [], usage = { input_tokens: 10, output_tokens: 5 }) {
  return {
    id: "resp_1",
    object: "response",
    status: "completed",
    model: "test-model-2026-11-01",
    output: [
      { id: "ws_1", type: "web_search_call", status: "completed", action: { type: "search", query: "x" } },
      {
        id: "msg_1",
        type: "message",
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text, annotations }],
      },
    ],
    usage,
  };
}
