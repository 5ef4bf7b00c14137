import type { IncomingMessage, ServerOptions, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { AppError } from "../../core/shared/errors.ts";

export interface Deadlines {
  /** From the connection, or the first byte of its next request, to the end of the headers. */
  headersMs: number;
  /** Body without a file: max total time and max idle time. */
  body: { totalMs: number; idleMs: number };
  /** Body with a file or lines: max idle time, and min average rate after a grace period. */
  upload: { idleMs: number; graceMs: number; minBytesPerSecond: number };
  /** Max time without the client reading any response bytes. */
  responseIdleMs: number;
  /** Check interval. Short, so that few slow connections are cut at once. */
  checkMs: number;
}

export const REQUEST_DEADLINES: Deadlines = {
  headersMs: 10_000,
  body: { totalMs: 20_000, idleMs: 5000 },
  // One megabit per second: a gigabyte arrives within 2.3 hours.
  upload: { idleMs: 20_000, graceMs: 30_000, minBytesPerSecond: 128 * 1024 },
  responseIdleMs: 60_000,
  checkMs: 250,
};

export interface DeadlineWatch {
  watchRequest(request: IncomingMessage, response: ServerResponse): void;
  close(): void;
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  /** A separate reference, because a destroyed request loses its socket. */
  socket: Socket;
  bytesBefore: number;
  bytesRead: number;
  waitedMs: number;
  idleMs: number;
  isUpload: boolean;
  /** False while the client waits for `100 Continue`. */
  isInvited: boolean;
  isExpired: boolean;
}

const exchangeByRequest = new WeakMap<IncomingMessage, Exchange>();

export function expectUpload(request: IncomingMessage): void {
  const exchange = exchangeByRequest.get(request);
  if (exchange) exchange.isUpload = true;
}

export function expectBody(request: IncomingMessage): void {
  const exchange = exchangeByRequest.get(request);
  if (exchange) exchange.isInvited = true;
}

/** Node.js times headers from the first byte, so header deadline and keep-alive are independent. */
export function buildConnectionOptions(keepAliveSeconds: number, deadlines: Deadlines): ServerOptions {
  return {
    keepAliveTimeout: keepAliveSeconds * 1000,
    headersTimeout: deadlines.headersMs,
    // Disabled: bodies have deadlines by kind.
    requestTimeout: 0,
    connectionsCheckingInterval: deadlines.checkMs,
  };
}

/** Checks all open requests once per interval, so that received bytes cost nothing. */
export function openDeadlineWatch(deadlines: Deadlines): DeadlineWatch {
  const open = new Set<Exchange>();
  const { checkMs } = deadlines;

  const late = new Set<Exchange>();

  const timer = setInterval(() => {
    const isExpiring = late.size > 0;
    for (const exchange of open) {
      if (hasEnded(exchange)) open.delete(exchange);
      else if (!exchange.request.complete && isLate(exchange, deadlines)) late.add(exchange);
    }
    if (!isExpiring) void expireLate();
  }, checkMs).unref();

  /** Expires one request per event loop iteration, because each writes an audit row. */
  async function expireLate(): Promise<void> {
    for (const exchange of late) {
      late.delete(exchange);
      if (!hasEnded(exchange) && !exchange.request.complete) expire(exchange);
      await nextTurn();
    }
  }

  return {
    watchRequest(request, response) {
      const { socket } = request;
      const { bytesRead } = socket;
      const exchange: Exchange = {
        request,
        response,
        socket,
        bytesBefore: bytesRead,
        bytesRead,
        waitedMs: 0,
        idleMs: 0,
        isUpload: false,
        isInvited: request.headers.expect?.toLowerCase() !== "100-continue",
        isExpired: false,
      };
      open.add(exchange);
      exchangeByRequest.set(request, exchange);
      response.setTimeout(deadlines.responseIdleMs, () => void (socket.writableLength > 0 && socket.destroy()));
      response.once("close", () => {
        if (hasEnded(exchange)) open.delete(exchange);
        // The rest of a rejected upload has the deadlines of an ordinary body.
        else Object.assign(exchange, { isUpload: false, waitedMs: 0, idleMs: 0 });
      });
    },
    close: () => clearInterval(timer),
  };
}

function hasEnded({ request, response, socket }: Exchange): boolean {
  return socket.destroyed || (response.closed && request.complete);
}

function isLate(exchange: Exchange, { body, upload, checkMs }: Deadlines): boolean {
  const { request, response, isUpload } = exchange;
  const { bytesRead } = exchange.socket;
  const isIdle = bytesRead === exchange.bytesRead;
  exchange.bytesRead = bytesRead;
  // A client that sends without an invitation no longer waits for one.
  if (!isIdle) exchange.isInvited = true;
  // A full buffer waits for the service, not for the client.
  const waitsForClient = exchange.isInvited && request.readableLength < request.readableHighWaterMark;
  if (!waitsForClient && !response.closed) return false;
  exchange.waitedMs += checkMs;
  exchange.idleMs = isIdle ? exchange.idleMs + checkMs : 0;
  if (!isUpload) return exchange.idleMs >= body.idleMs || exchange.waitedMs >= body.totalMs;
  const minBytes = ((exchange.waitedMs - upload.graceMs) / 1000) * upload.minBytesPerSecond;
  return exchange.idleMs >= upload.idleMs || bytesRead - exchange.bytesBefore < minBytes;
}

/** Makes the body reader respond 408; cuts the connection if that is impossible. */
function expire(exchange: Exchange): void {
  const { request, response, socket } = exchange;
  const canAnswer = !exchange.isExpired && !response.headersSent && request.listenerCount("error") > 0;
  if (!canAnswer) {
    socket.destroy();
    return;
  }
  exchange.isExpired = true;
  Object.assign(exchange, { waitedMs: 0, idleMs: 0 });
  response.setHeader("connection", "close");
  request.emit("error", createTooSlowError());
}

function createTooSlowError(): AppError {
  return new AppError(
    "REQUEST_TIMEOUT",
    "The body did not arrive in time. Send the request again, over a faster connection if it is large.",
  );
}
