import { retryWaitMs } from "./retry-hints.ts";

export type Fetch = typeof globalThis.fetch;

export interface RequestBounds {
  timeoutMs: number;
  limitBytes: number;
}

export interface HttpRequest extends RequestBounds {
  method?: "GET" | "POST" | "PUT";
  headers?: Record<string, string>;
  json?: unknown;
  signal?: AbortSignal;
}

export interface HttpReply {
  status: number;
  headers: Headers;
  text: string;
}

/** `unreachable` includes broken connections; `aborted` means the caller's signal. */
export type HttpFailure =
  | { kind: "timeout" | "unreachable" | "too_large" | "aborted" }
  /** Any status but 2xx, redirects included. */
  | { kind: "status"; status: number; headers: Headers; text: string; retryAfterMs: number | undefined };

const FAILURE_MESSAGES = {
  timeout: "there was no answer in time",
  unreachable: "the address could not be reached, or broke off its answer",
  too_large: "the answer is too large",
  aborted: "the request was given up",
};

/** The message quotes nothing from the response. */
export class HttpError extends Error {
  override name = "HttpError";
  readonly failure: HttpFailure;

  constructor(failure: HttpFailure, options?: ErrorOptions) {
    super(failure.kind === "status" ? `the answer is HTTP ${failure.status}` : FAILURE_MESSAGES[failure.kind], options);
    this.failure = failure;
  }
}

/** Does not follow redirects, which would send the API key elsewhere. */
export async function request(url: string | URL, options: HttpRequest): Promise<HttpReply> {
  const { method = "GET", json, signal = null } = options;
  const headers = {
    accept: "application/json",
    ...(json === undefined ? {} : { "content-type": "application/json" }),
    ...options.headers,
  };
  const body = json === undefined ? null : JSON.stringify(json);
  const response = await boundedFetch(options)(url, { method, headers, body, signal }).catch((error: unknown) => {
    throw toHttpError(error, signal);
  });
  const { status, headers: answered } = response;
  const reply = { status, headers: answered, text: await response.text() };
  if (response.ok) return reply;
  throw new HttpError({ kind: "status", ...reply, retryAfterMs: retryWaitMs(reply, Date.now()) });
}

/** Rejects like `fetch`, with TimeoutError and HttpError. */
export function boundedFetch({
  timeoutMs,
  limitBytes,
  fetch = globalThis.fetch,
}: RequestBounds & { fetch?: Fetch }): Fetch {
  return async (address, init = {}) =>
    withTimeLimit(timeoutMs, init.signal ?? undefined, async (signal) => {
      const response = await fetch(address, { ...init, redirect: "manual", signal });
      const { status, headers } = response;
      return new Response(response.body && (await readBody(response.body, limitBytes)), { status, headers });
    });
}

/** Own timer: Node.js 20 can garbage-collect an AbortSignal.any with a timeout before it fires. */
export async function withTimeLimit<T>(
  timeoutMs: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const limit = new AbortController();
  const onAbort = () => limit.abort(signal?.reason);
  const timer = setTimeout(() => limit.abort(new DOMException("the time limit is over", "TimeoutError")), timeoutMs);
  signal?.addEventListener("abort", onAbort);
  const over = new Promise<never>((_resolve, reject) => {
    // Safe: every abort reason is an Error.
    limit.signal.addEventListener("abort", () => reject(limit.signal.reason as Error));
  });
  try {
    return await Promise.race([work(limit.signal), over]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  }
}

async function readBody(body: AsyncIterable<Uint8Array>, limitBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop closes the connection.
  for await (const chunk of body) {
    size += chunk.length;
    if (size > limitBytes) throw new HttpError({ kind: "too_large" });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function toHttpError(error: unknown, signal: AbortSignal | null): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof Error && error.name === "TimeoutError")
    return new HttpError({ kind: "timeout" }, { cause: error });
  return new HttpError({ kind: signal?.aborted ? "aborted" : "unreachable" }, { cause: error });
}
