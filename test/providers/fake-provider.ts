import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** A provider's response to one request. */
export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  /** Text as it is; anything else as JSON. */
  body?: unknown;
  delayMs?: number;
  /** Breaks the connection off in the middle of the body. */
  isCutOff?: boolean;
  /** Sends the body again and again. */
  isEndless?: boolean;
  /** Takes the request, and never answers. */
  hangs?: boolean;
}

export interface SentRequest {
  method: string;
  /** Path and query. */
  path: string;
  headers: IncomingMessage["headers"];
  /** Sent as JSON. */
  body: unknown;
}

/**
 * A provider server on loopback. `reply` is called per request with `nth` from 1; a list is
 * replayed in order, its last entry repeated.
 */
export async function startFakeProvider(reply: ((sent: SentRequest, nth: number) => Reply) | readonly Reply[]) {
  const sent: SentRequest[] = [];
  const replyTo =
    typeof reply === "function" ? reply : (_: SentRequest, nth: number) => reply[nth - 1] ?? reply.at(-1) ?? {};

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const { method = "", url: path = "", headers } = request;
    sent.push({ method, path, headers, body: text === "" ? undefined : (JSON.parse(text) as unknown) });
    const { status = 200, body, hangs, ...rest } = replyTo(sent.at(-1) as SentRequest, sent.length);
    if (hangs) return;
    if (rest.delayMs !== undefined) await sleep(rest.delayMs);
    const said = typeof body === "string" ? body : JSON.stringify(body ?? {});
    const length = rest.isCutOff ? { "content-length": String(said.length + 100) } : {};
    response.writeHead(status, { "content-type": "application/json", ...length, ...rest.headers });
    if (rest.isCutOff) {
      response.write(said, () => response.destroy());
    } else if (rest.isEndless) {
      const pour = () => {
        while (!response.destroyed && response.write(said));
      };
      response.on("drain", pour);
      pour();
    } else response.end(said);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}
