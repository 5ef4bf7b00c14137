import type { Readable } from "node:stream";
import busboy from "busboy";
import { AppError } from "../../core/shared/errors.ts";
import { MAX_FORM_PAIRS } from "../../core/shared/request-bounds.ts";
import { toIncompleteBodyError, inviteBody, type Inbound, tooManyPairs } from "./body.ts";

type FieldHandler = (name: string, value: string, info: busboy.FieldInfo) => void;

/** `isTruncated` is valid after the last byte. */
interface FilePart {
  name: string;
  fileName: string;
  bytes: AsyncIterable<Uint8Array>;
  isTruncated: () => boolean;
}

/** Errors of `onField` or `onFile` reject the body. `limits` must bound all except fields. */
export async function readParts(
  inbound: Inbound,
  {
    onField,
    onFile,
    limits,
    brokenMessage,
  }: {
    onField: FieldHandler;
    onFile: (part: FilePart) => Promise<unknown>;
    limits: busboy.Limits;
    brokenMessage: string;
  },
): Promise<void> {
  const { request } = inbound;
  inviteBody(inbound);
  const files: Promise<unknown>[] = [];
  let incoming: Readable | undefined;
  await new Promise<void>((resolve, reject) => {
    const refuse = (error: Error) => {
      request.unpipe().resume();
      incoming?.destroy();
      reject(error);
    };
    const refuseBroken = (cause: unknown) => refuse(new AppError("VALIDATION_FAILED", brokenMessage, { cause }));
    let parser: busboy.Busboy;
    try {
      const all = { fields: MAX_FORM_PAIRS, ...limits };
      parser = busboy({ headers: request.headers, defParamCharset: "utf8", limits: all });
    } catch (cause) {
      return refuseBroken(cause);
    }
    parser.on("field", (...part) => {
      try {
        onField(...part);
      } catch (error) {
        // An uncaught error of a listener would crash the process.
        refuse(error as Error);
      }
    });
    parser.on("file", (name, stream: Readable & { truncated?: boolean }, info) => {
      incoming = stream;
      // Without a listener, a premature end would crash the process.
      stream.on("error", () => undefined);
      const bytes = readBytes(stream, brokenMessage);
      const taken = onFile({
        name,
        fileName: info.filename ?? "",
        bytes,
        isTruncated: () => stream.truncated === true,
      });
      taken.catch(refuse);
      files.push(taken);
    });
    parser.on("fieldsLimit", () => refuse(tooManyPairs()));
    parser.on("error", refuseBroken);
    parser.on("close", resolve);
    request.once("error", (cause) => refuse(toIncompleteBodyError(cause)));
    request.pipe(parser);
  });
  await Promise.all(files);
}

/** A premature end is an error of the body. */
async function* readBytes(stream: Readable, broken: string): AsyncGenerator<Uint8Array> {
  try {
    yield* stream as AsyncIterable<Uint8Array>;
  } catch (cause) {
    throw new AppError("VALIDATION_FAILED", broken, { cause });
  }
}
