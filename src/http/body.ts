import rawBody from "raw-body";
import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import { AppError } from "../../core/shared/errors.ts";
import { JsonTooLarge, MAX_NESTING, NestingTooDeep, parseJson } from "../../core/shared/json.ts";
import { JSON_BODY_BOUNDS, MAX_FORM_PAIRS } from "../../core/shared/request-bounds.ts";
import type { BodyReservation } from "../limits/open-limits.ts";
import { expectBody, expectUpload } from "./deadlines.ts";
import { formatInteger } from "../../core/shared/format-count.ts";

export const BODY_LIMIT_BYTES = 1024 * 1024;
/** Max body of an unauthenticated caller: keys, codes and passwords are short. */
export const OPEN_BODY_LIMIT_BYTES = 64 * 1024;

export interface Inbound {
  request: IncomingMessage;
  response: ServerResponse;
  hold: BodyReservation;
}

export interface BodyText {
  text: string;
  /** SHA-256 of the raw bytes, base64url. */
  sha256: string;
}

/**
 * PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE; VALIDATION_FAILED for invalid UTF-8 or an aborted
 * body; REQUEST_TIMEOUT for a slow client; UNAVAILABLE above the memory budget.
 */
export async function readText(inbound: Inbound, limitBytes: number): Promise<BodyText> {
  rejectEncoding(inbound);
  if (Number(inbound.request.headers["content-length"]) > limitBytes) throw tooLarge(limitBytes);
  inviteBody(inbound);
  const { bytes, sha256 } = await readBytes(inbound, limitBytes);
  if (bytes.length > LARGE_BYTES) await waitForLargeBodySlot();
  if (!isUtf8(bytes)) throw new AppError("VALIDATION_FAILED", "The body is not valid UTF-8.");
  return { text: bytes.toString("utf8"), sha256 };
}

function rejectEncoding({ request }: Pick<Inbound, "request">): void {
  const { "content-encoding": encoding } = request.headers;
  if (encoding === undefined || encoding === "identity") return;
  throw new AppError("UNSUPPORTED_MEDIA_TYPE", "Send the body without Content-Encoding.");
}

/** Calls `admit` with the announced length before inviting the client to send. */
export async function* streamBody(
  inbound: Pick<Inbound, "request" | "response">,
  admit: (bytes: number) => Promise<void>,
): AsyncGenerator<Uint8Array> {
  const { request } = inbound;
  rejectEncoding(inbound);
  await admit(Number(request.headers["content-length"] ?? 0));
  expectUpload(request);
  inviteBody(inbound);
  try {
    // An early rejection still needs a response, so the connection stays open.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) yield chunk as Uint8Array;
  } catch (cause) {
    throw toIncompleteBodyError(cause);
  }
}

/** Size above which a body takes milliseconds to decode and parse. */
const LARGE_BYTES = 64 * 1024;
let lastLargeBody: Promise<void> = Promise.resolve();

/** Admits one large body per event loop iteration, so that small requests run in between. */
function waitForLargeBodySlot(): Promise<void> {
  lastLargeBody = lastLargeBody.then(() => nextTurn());
  return lastLargeBody;
}

/** Sends `100 Continue` (RFC 9110 section 10.1.1). A rejected client never sends its body. */
export function inviteBody({ request, response }: Pick<Inbound, "request" | "response">): void {
  if (request.headers.expect?.toLowerCase() === "100-continue") response.writeContinue();
  expectBody(request);
}

async function readBytes({ request, hold }: Inbound, limitBytes: number): Promise<{ bytes: Buffer; sha256: string }> {
  const sum = createHash("sha256");
  const takeChunk = (chunk: Buffer) => {
    try {
      hold.reserve(chunk.length);
    } catch (error) {
      request.emit("error", error);
    }
    sum.update(chunk);
  };
  request.on("data", takeChunk);
  try {
    const bytes = await rawBody(request, { limit: limitBytes });
    return { bytes, sha256: sum.digest("base64url") };
  } catch (cause) {
    // Drains the rest of the body, so that the client receives the response.
    request.off("data", takeChunk).resume();
    throw isTooLarge(cause) ? tooLarge(limitBytes) : toIncompleteBodyError(cause);
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && "type" in error && error.type === "entity.too.large";
}

export function parseJsonBody(text: string): unknown {
  try {
    return parseJson(text, JSON_BODY_BOUNDS);
  } catch (error) {
    if (error instanceof JsonTooLarge) throw new AppError("VALIDATION_FAILED", error.message, { cause: error });
    const message =
      error instanceof NestingTooDeep
        ? `The body is nested deeper than ${MAX_NESTING} levels.`
        : "The body is not valid JSON.";
    throw new AppError("VALIDATION_FAILED", message, { cause: error });
  }
}

export function toIncompleteBodyError(cause: unknown): AppError {
  if (cause instanceof AppError) return cause;
  return new AppError("VALIDATION_FAILED", "The body ended before it was complete.", { cause });
}

export function tooLarge(limitBytes: number): AppError {
  return new AppError(
    "PAYLOAD_TOO_LARGE",
    `The body is larger than ${limitBytes / 1024 / 1024} MB. Send a smaller one.`,
  );
}

/** VALIDATION_FAILED for too many pairs, before any decoding, and for invalid UTF-8. */
export function parseFormPairs(text: string): URLSearchParams {
  if (hasTooManyPairs(text)) throw tooManyPairs();
  try {
    // URLSearchParams replaces invalid UTF-8, and takes a lone `%` for itself.
    decodeURIComponent(text.replaceAll(/%(?![\da-f]{2})/gi, "%25"));
  } catch (cause) {
    throw brokenUtf8(cause);
  }
  return new URLSearchParams(text);
}

export function brokenUtf8(cause?: unknown): AppError {
  return new AppError("VALIDATION_FAILED", "A form or query string is not valid UTF-8.", { cause });
}

export function hasTooManyPairs(text: string): boolean {
  // N pairs need at least N characters.
  if (text.length < MAX_FORM_PAIRS) return false;
  let pairs = 1;
  for (let at = text.indexOf("&"); at !== -1; at = text.indexOf("&", at + 1)) {
    if (++pairs > MAX_FORM_PAIRS) return true;
  }
  return false;
}

export function tooManyPairs(): AppError {
  return new AppError(
    "VALIDATION_FAILED",
    `A form or query string can have at most ${formatInteger(MAX_FORM_PAIRS)} fields.`,
  );
}

/** Express's query parser is disabled, because REST parses queries by schema. */
export function parseQuery(url?: string): URLSearchParams {
  return new URLSearchParams(getQueryText(url));
}

export function getQueryText(url = ""): string {
  const at = url.indexOf("?");
  return at === -1 ? "" : url.slice(at + 1);
}
