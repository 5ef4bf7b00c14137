import type { ServerResponse } from "node:http";
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type JSONRPCResponse,
  type ProtocolError,
  type Transport,
} from "@modelcontextprotocol/server";
import type { RegisterStream } from "./open-streams.ts";
import type { PendingCalls } from "./pending-calls.ts";
import { respondText } from "../respond.ts";

/** One request of a 2025-era client with all messages the server sends for it. */
export interface ExchangeOptions {
  request: JSONRPCRequest;
  response: ServerResponse;
  acceptedTypes: { acceptsJson: boolean; acceptsStream: boolean };
  pending: PendingCalls;
  /** Account and client of the call; others can neither answer nor cancel it. */
  owner: string;
  callKey: string;
  registerStream: RegisterStream;
}

export interface ExchangeTransport extends Transport {
  serveRequest(): void;
}

const KEEP_ALIVE_MS = 15_000;

/**
 * SDK transport over one HTTP response to a 2025-era client. Responds with one JSON body, or with
 * an event stream if a message such as a form precedes the result.
 */
export function openExchange(options: ExchangeOptions): ExchangeTransport {
  const { request, response, acceptedTypes, pending, owner } = options;
  const forget: (() => void)[] = [];
  let streaming = false;
  let over = false;

  const exchange: ExchangeTransport = {
    async start() {},
    serveRequest() {
      response.once("close", onClose);
      exchange.onmessage?.(request);
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
    const text = JSON.stringify(message);
    if (streaming || !acceptedTypes.acceptsJson) {
      stream();
      response.write(formatEvent(text));
      void exchange.close();
      return;
    }
    // The server has nothing open after its only response; a close event would log an error.
    over = true;
    response.off("close", onClose);
    sendJson(response, 200, text);
  }

  function relay(message: JSONRPCMessage): void {
    if (!acceptedTypes.acceptsStream) {
      if (isJSONRPCNotification(message)) return;
      throw new Error("The person cannot be asked: the client accepts no event stream.");
    }
    stream();
    response.write(formatEvent(JSON.stringify(isJSONRPCRequest(message) ? asked(message) : message)));
  }

  /** Questions get an id of this process, because each server counts from zero. */
  function asked(question: JSONRPCRequest): JSONRPCRequest {
    const { id, unregisterQuestion: undo } = pending.ask(owner, (answer) =>
      exchange.onmessage?.({ ...answer, id: question.id }),
    );
    forget.push(undo);
    return { ...question, id };
  }

  function stream(): void {
    if (streaming) return;
    forget.push(options.registerStream(onClose));
    streaming = true;
    response.writeHead(200, {
      "content-type": "text/event-stream",
      "cache-control": "no-store, no-transform",
      "x-accel-buffering": "no",
    });
    const timer = setInterval(() => response.write(": keep-alive\n\n"), KEEP_ALIVE_MS);
    forget.push(() => clearInterval(timer));
    forget.push(pending.registerCall(owner, options.callKey, onClose));
  }
}

export function formatErrorResponse(id: string | number, { code, message, data }: ProtocolError): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code, message, data } });
}

export function sendJson(response: ServerResponse, status: number, text: string): void {
  respondText(response, status, text, "application/json");
}

function formatEvent(text: string): string {
  return `event: message\ndata: ${text}\n\n`;
}
