import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { AppError } from "../../core/errors.ts";

/** Largest body of a request without files. */
export const BODY_LIMIT_BYTES = 1024 * 1024;

/** The text of a request's body. PAYLOAD_TOO_LARGE; UNSUPPORTED_MEDIA_TYPE; VALIDATION_FAILED if it is not UTF-8. */
export async function readText(request: IncomingMessage, limitBytes: number): Promise<string> {
  const { "content-encoding": encoding, "content-length": length } = request.headers;
  if (encoding !== undefined && encoding !== "identity") {
    throw new AppError("UNSUPPORTED_MEDIA_TYPE", "Send the body without Content-Encoding.");
  }
  if (Number(length) > limitBytes) throw tooLarge(limitBytes);
  const bytes = await readBytes(request, limitBytes);
  if (!isUtf8(bytes)) throw new AppError("VALIDATION_FAILED", "The body is not valid UTF-8.");
  return bytes.toString("utf8");
}

/** Uses listeners, because an iterator costs more than the rest of a small request. */
function readBytes(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > limitBytes) reject(tooLarge(limitBytes));
      else chunks.push(chunk);
    });
    request.once("end", () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    request.once("error", reject);
  });
}

export function tooLarge(limitBytes: number): AppError {
  return new AppError(
    "PAYLOAD_TOO_LARGE",
    `The body is larger than ${limitBytes / 1024 / 1024} MB. Send a smaller one.`,
  );
}
