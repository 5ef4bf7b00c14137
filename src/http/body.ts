import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import rawBody from "raw-body";
import { AppError } from "../../core/shared/errors.ts";
import { JsonTooLarge, MOST_NESTED, NestedTooDeep, parseJson } from "../../core/shared/json.ts";
import { JSON_BODY_BOUNDS } from "../../core/shared/request-bounds.ts";
import type { BodyHold } from "../limits/body-budget.ts";
import { expectBody, expectUpload } from "./deadlines.ts";

/** Largest body of a request without files. */
export const BODY_LIMIT_BYTES = 1024 * 1024;
/** Largest body of a caller who has not signed in: keys, codes and passwords are short. */
export const OPEN_BODY_LIMIT_BYTES = 64 * 1024;

/** A request whose body may be read: its caller is known, and may do what it asks for. */
export interface Inbound {
  request: IncomingMessage;
  response: ServerResponse;
  /** Counts what is held of the body. */
  hold: BodyHold;
}

export interface BodyText {
  text: string;
  /** SHA-256 of its bytes, base64url. */
  sha256: string;
}

/**
 * The text of a request's body. PAYLOAD_TOO_LARGE; UNSUPPORTED_MEDIA_TYPE; VALIDATION_FAILED if it is not UTF-8 or the
 * client broke it off; REQUEST_TIMEOUT if it comes too slowly; UNAVAILABLE while too much is held of others.
 */
export async function readText(inbound: Inbound, limitBytes: number): Promise<BodyText> {
  refuseEncoding(inbound);
  if (Number(inbound.request.headers["content-length"]) > limitBytes) throw tooLarge(limitBytes);
  inviteBody(inbound);
  const { bytes, sha256 } = await readBytes(inbound, limitBytes);
  if (bytes.length > LARGE_BYTES) await turnOfLargeBody();
  if (!isUtf8(bytes)) throw new AppError("VALIDATION_FAILED", "The body is not valid UTF-8.");
  return { text: bytes.toString("utf8"), sha256 };
}

function refuseEncoding({ request }: Pick<Inbound, "request">): void {
  const { "content-encoding": encoding } = request.headers;
  if (encoding === undefined || encoding === "identity") return;
  throw new AppError("UNSUPPORTED_MEDIA_TYPE", "Send the body without Content-Encoding.");
}

/**
 * The bytes of a body that is not held in memory, as they come. `admit` is told the length that was announced, before the
 * client is invited to send it. UNSUPPORTED_MEDIA_TYPE; VALIDATION_FAILED if the client broke it off.
 */
export async function* streamBody(
  inbound: Pick<Inbound, "request" | "response">,
  admit: (bytes: number) => Promise<void>,
): AsyncGenerator<Uint8Array> {
  const { request } = inbound;
  refuseEncoding(inbound);
  await admit(Number(request.headers["content-length"] ?? 0));
  expectUpload(request);
  inviteBody(inbound);
  try {
    // A refusal in the middle must still be answered, so the connection stays open.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) yield chunk as Uint8Array;
  } catch (cause) {
    throw brokenOff(cause);
  }
}

/** A body that takes milliseconds to decode and parse. */
const LARGE_BYTES = 64 * 1024;
let lastLargeBody: Promise<void> = Promise.resolve();

/** One large body in a turn of the event loop, however many came at once, so that what is small is answered between them. */
function turnOfLargeBody(): Promise<void> {
  lastLargeBody = lastLargeBody.then(() => nextTurn());
  return lastLargeBody;
}

/** Tells a client that waits for it to send its body (RFC 9110 section 10.1.1). Who is refused before never sends it. */
export function inviteBody({ request, response }: Pick<Inbound, "request" | "response">): void {
  if (request.headers.expect?.toLowerCase() === "100-continue") response.writeContinue();
  expectBody(request);
}

async function readBytes({ request, hold }: Inbound, limitBytes: number): Promise<{ bytes: Buffer; sha256: string }> {
  const sum = createHash("sha256");
  const count = (chunk: Buffer) => {
    try {
      hold.take(chunk.length);
    } catch (error) {
      request.emit("error", error);
    }
    sum.update(chunk);
  };
  request.on("data", count);
  try {
    const bytes = await rawBody(request, { limit: limitBytes });
    return { bytes, sha256: sum.digest("base64url") };
  } catch (cause) {
    // The rest is read and dropped, so that the client gets the answer.
    request.off("data", count).resume();
    throw isTooLarge(cause) ? tooLarge(limitBytes) : brokenOff(cause);
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && "type" in error && error.type === "entity.too.large";
}

/** The value of a JSON body. VALIDATION_FAILED for invalid JSON, and for JSON beyond the bounds. */
export function jsonBody(text: string): unknown {
  try {
    return parseJson(text, JSON_BODY_BOUNDS);
  } catch (error) {
    if (error instanceof JsonTooLarge) throw new AppError("VALIDATION_FAILED", error.message, { cause: error });
    const message =
      error instanceof NestedTooDeep
        ? `The body is nested deeper than ${MOST_NESTED} levels.`
        : "The body is not valid JSON.";
    throw new AppError("VALIDATION_FAILED", message, { cause: error });
  }
}

/** The error of a body that did not arrive whole: the client disconnected or was too slow. */
export function brokenOff(cause: unknown): AppError {
  if (cause instanceof AppError) return cause;
  return new AppError("VALIDATION_FAILED", "The body ended before it was complete.", { cause });
}

export function tooLarge(limitBytes: number): AppError {
  return new AppError(
    "PAYLOAD_TOO_LARGE",
    `The body is larger than ${limitBytes / 1024 / 1024} MB. Send a smaller one.`,
  );
}
