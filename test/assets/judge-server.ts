import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** One request as received by the model. */
export interface JudgeRequest {
  path: string;
  headers: IncomingMessage["headers"];
  body: {
    model: string;
    messages: { role: string; content: string | { type: string; text?: string; image_url?: { url: string } }[] }[];
  };
}

interface Reply {
  status?: number;
  headers?: Record<string, string>;
  /** Content of the message; an object becomes JSON. */
  content?: unknown;
  delayMs?: number;
}

/** A chat completions server on loopback that records its requests. */
export async function startJudgeServer(reply: (asked: JudgeRequest, nth: number) => Reply) {
  const requests: JudgeRequest[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
      const body = JSON.parse(Buffer.concat(chunks).toString()) as JudgeRequest["body"];
      const asked = { path: request.url ?? "", headers: request.headers, body };
      requests.push(asked);
      const { status = 200, headers = {}, content, delayMs = 0 } = reply(asked, requests.length);
      await sleep(delayMs);
      const text = typeof content === "string" ? content : JSON.stringify(content);
      const message = { role: "assistant", content: text };
      const completion = {
        id: "chatcmpl-1",
        object: "chat.completion",
        model: body.model,
        choices: [{ index: 0, message, finish_reason: "stop" }],
        usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
      };
      const answer = status === 200 ? completion : { error: { message: "refused" } };
      response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(answer));
    })().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  return {
    requests,
    baseUrl,
    env: {
      EVALUATION_MODEL_BASE_URL: baseUrl,
      EVALUATION_MODEL: "judge-1",
      EVALUATION_MODEL_API_KEY: "sk-judge",
      COLLECT_BACKOFF_SECONDS: "0.01",
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}

/** A valid response. */
export function judgeAnswer(quotes: string[], attributes: Record<string, string[]> = {}, score = 70) {
  const mark = (quoted: string[]) => ({ score, explanation: "It says so.", quotes: quoted });
  const named = Object.entries(attributes).map(([attribute, quoted]) => ({ attribute, ...mark(quoted) }));
  return { overall: mark(quotes), attributes: named };
}
