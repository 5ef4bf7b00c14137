import type { ServerResponse } from "node:http";
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  ProtocolErrorCode,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type JSONRPCResponse,
  type ProtocolError,
  type Transport,
} from "@modelcontextprotocol/server";
import type { PendingCalls } from "./pending-calls.ts";
import { respondText } from "../respond.ts";

/** One request of a client and everything that the server sends about it. */
export interface ExchangeOptions {
  request: JSONRPCRequest;
  response: ServerResponse;
  /** The protocol revision that the request's envelope claims; null for a client of the 2025 era. */
  revision: string | null;
  accepts: { json: boolean; stream: boolean };
  pending: PendingCalls;
  /** Whose call this is; only they can answer what it asks, or cancel it. */
  owner: string;
  /** What the client names the call with when it cancels it. */
  callKey: string;
  /** Told when the answer becomes a stream, with how to end it; gives what to call when it has ended. */
  streaming: (end: () => void) => () => void;
  /** Takes the serialised result, for answers that are the same every time. */
  keep?: (resultText: string) => void;
}

export interface Exchange extends Transport {
  /** Hands the request to the server that is connected. */
  serve(): void;
}

const KEEP_ALIVE_MS = 15_000;

/**
 * The SDK's transport over exactly one HTTP response, straight on node's own objects: one JSON body, or a stream of
 * events from the moment that something is sent before the result. Errors found before a handler ran have the HTTP
 * status that the protocol asks for; those of a handler travel in the body (2026-07-28, basic/transports).
 */
export function openExchange(options: ExchangeOptions): Exchange {
  const { request, response, revision, accepts, pending, owner } = options;
  const forget: (() => void)[] = [];
  let dispatching = false;
  let streaming = false;
  let over = false;

  const exchange: Exchange = {
    async start() {},
    serve() {
      response.once("close", onClose);
      const classification = revision === null ? {} : { classification: { era: "modern" as const, revision } };
      dispatching = true;
      exchange.onmessage?.(request, classification);
      dispatching = false;
    },
    async send(message, sending) {
      if (over) return;
      if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) {
        if (message.id === request.id) finish(message);
      } else if (sending?.relatedRequestId === request.id) relay(message);
    },
    async close() {
      if (over) return;
      over = true;
      for (const undo of forget) undo();
      response.off("close", onClose);
      if (!response.writableEnded) response.end();
      exchange.onclose?.();
    },
  };
  return exchange;

  function onClose(): void {
    void exchange.close();
  }

  function finish(message: JSONRPCResponse): void {
    let text: string;
    if ("result" in message) {
      const resultText = JSON.stringify(message.result);
      options.keep?.(resultText);
      text = resultMessage(request.id, resultText);
    } else text = JSON.stringify(message);
    if (streaming || !accepts.json) {
      stream();
      response.write(event(text));
      void exchange.close();
      return;
    }
    // Nothing of the server's is open after the one answer; telling it of the end would cost an error with its stack.
    over = true;
    response.off("close", onClose);
    sendJson(response, "error" in message ? statusOf(message.error.code) : 200, text);
  }

  /** A notification or a question on the way to the result. */
  function relay(message: JSONRPCMessage): void {
    if (!accepts.stream) {
      if (isJSONRPCNotification(message)) return;
      throw new Error("The client cannot be asked: it accepts no event stream.");
    }
    stream();
    response.write(event(JSON.stringify(isJSONRPCRequest(message) ? asked(message) : message)));
  }

  /** A question goes out under an id of this process, because every server counts its own from zero. */
  function asked(question: JSONRPCRequest): JSONRPCRequest {
    const { id, forget: undo } = pending.ask(owner, (answer) => exchange.onmessage?.({ ...answer, id: question.id }));
    forget.push(undo);
    return { ...question, id };
  }

  function stream(): void {
    if (streaming) return;
    forget.push(options.streaming(onClose));
    streaming = true;
    response.writeHead(200, {
      "content-type": "text/event-stream",
      "cache-control": "no-store, no-transform",
      "x-accel-buffering": "no",
    });
    const timer = setInterval(() => response.write(": keep-alive\n\n"), KEEP_ALIVE_MS);
    forget.push(() => clearInterval(timer));
    forget.push(pending.open(owner, options.callKey, onClose));
  }

  function statusOf(code: number): number {
    if (revision === null || (!dispatching && code !== MISSING_CAPABILITY)) return 200;
    return STATUS_OF_ERROR.get(code) ?? 200;
  }
}

const MISSING_CAPABILITY: number = ProtocolErrorCode.MissingRequiredClientCapability;

const STATUS_OF_ERROR: ReadonlyMap<number, number> = new Map<number, number>([
  [ProtocolErrorCode.InvalidRequest, 400],
  [ProtocolErrorCode.MethodNotFound, 404],
  [ProtocolErrorCode.UnsupportedProtocolVersion, 400],
  [MISSING_CAPABILITY, 400],
]);

/** The text of a JSON-RPC answer around a result that is text already. */
export function resultMessage(id: string | number, resultText: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${resultText}}`;
}

/** The text of a JSON-RPC answer to what is refused. */
export function errorMessage(id: string | number, { code, message, data }: ProtocolError): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code, message, data } });
}

export function sendJson(response: ServerResponse, status: number, text: string): void {
  respondText(response, status, text, "application/json");
}

function event(text: string): string {
  return `event: message\ndata: ${text}\n\n`;
}
