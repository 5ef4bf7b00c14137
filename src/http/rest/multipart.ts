import type { Readable } from "node:stream";
import busboy from "busboy";
import { BODY_LIMIT_BYTES, brokenOff, inviteBody, tooLarge, type Inbound } from "../body.ts";
import { expectUpload } from "../deadlines.ts";
import type { StoredFile } from "../../../core/assets.ts";
import { AppError, invalidInput } from "../../../core/errors.ts";
import { MAX_FORM_PAIRS } from "../../../core/request-bounds.ts";
import { tooManyPairs } from "../form-pairs.ts";

/** What a multipart body says: its form fields, and its file where the endpoint takes one. */
export interface Multipart<Stored = StoredFile> {
  pairs: [string, string][];
  file: Stored | undefined;
}

/** Reads a multipart body. The file goes where it is kept as it comes in, never into memory as a whole. */
export async function readMultipart<Stored = StoredFile>(
  inbound: Inbound,
  fileField: string | undefined,
  upload: { receive(bytes: AsyncIterable<Uint8Array>, fileName: string): Promise<Stored> } | undefined,
): Promise<Multipart<Stored>> {
  const { request, hold } = inbound;
  const pairs: [string, string][] = [];
  if (upload) expectUpload(request);
  inviteBody(inbound);
  let [fieldBytes, file, incoming] = [0, undefined as Promise<Stored> | undefined, undefined as Readable | undefined];
  await new Promise<void>((resolve, reject) => {
    const refuse = (error: unknown) => {
      request.unpipe();
      // The rest of the body is read and dropped, so that the client gets the answer.
      request.resume();
      incoming?.destroy();
      reject(error instanceof Error ? error : broken(error));
    };
    const keep = (name: string, value: string) => {
      try {
        hold.take(name.length + value.length);
        pairs.push([name, value]);
      } catch (error) {
        refuse(error);
      }
    };
    let parser: busboy.Busboy;
    try {
      parser = busboy({
        headers: request.headers,
        defParamCharset: "utf8",
        limits: { fieldSize: BODY_LIMIT_BYTES, fields: MAX_FORM_PAIRS, files: 2 },
      });
    } catch (error) {
      refuse(broken(error));
      return;
    }
    // A part may come without a name, whatever the parser's types say; what a listener throws ends the process.
    parser.on("field", (name: string | undefined, value, info) => {
      if (!name) {
        refuse(new AppError("VALIDATION_FAILED", "Every part of a multipart body needs a name."));
        return;
      }
      fieldBytes += name.length + value.length;
      if (info.valueTruncated || info.nameTruncated || fieldBytes > BODY_LIMIT_BYTES)
        refuse(tooLarge(BODY_LIMIT_BYTES));
      else keep(name, value);
    });
    parser.on("file", (name, bytes, info) => {
      // Without a listener an early end would stop the process.
      bytes.on("error", () => undefined);
      if (!upload || name !== fileField) {
        const message = fileField === undefined ? "takes no files" : "takes one file, in the field that is documented";
        refuse(new AppError("UNSUPPORTED_MEDIA_TYPE", `This endpoint ${message}.`));
      } else if (file) refuse(invalidInput([{ path: name, message: "is given twice" }]));
      else {
        incoming = bytes;
        file = upload.receive(partOf(bytes), info.filename ?? "");
        file.catch(refuse);
      }
    });
    parser.on("fieldsLimit", () => refuse(tooManyPairs()));
    parser.on("error", (error) => refuse(broken(error)));
    parser.on("close", resolve);
    request.once("error", (cause) => refuse(brokenOff(cause)));
    request.pipe(parser);
  });
  return { pairs, file: await file };
}

function broken(error: unknown): AppError {
  return new AppError("VALIDATION_FAILED", "The multipart body is broken.", { cause: error });
}

/** The bytes of a part. That they end too early is a fault of the body; any other is one of where they go. */
async function* partOf(bytes: Readable): AsyncIterable<Uint8Array> {
  try {
    yield* bytes as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw broken(error);
  }
}
