import { BODY_LIMIT_BYTES, brokenUtf8, tooLarge, type Inbound } from "../body.ts";
import { expectUpload } from "../deadlines.ts";
import type { StoredFile } from "../../../core/assets/assets.ts";
import { AppError, invalidInput } from "../../../core/shared/errors.ts";
import { readParts } from "../multipart.ts";

export interface MultipartForm<Stored = StoredFile> {
  pairs: [string, string][];
  file: Stored | undefined;
}

/** Streams the file to storage, so that it is never in memory as a whole. */
export async function readMultipart<Stored = StoredFile>(
  inbound: Inbound,
  fileField: string | undefined,
  upload: { receive(bytes: AsyncIterable<Uint8Array>, fileName: string): Promise<Stored> } | undefined,
): Promise<MultipartForm<Stored>> {
  const pairs: [string, string][] = [];
  let fieldBytes = 0;
  let stored: Promise<Stored> | undefined;
  if (upload) expectUpload(inbound.request);
  await readParts(inbound, {
    limits: { fieldSize: BODY_LIMIT_BYTES, files: 2 },
    brokenMessage: "The multipart body is broken.",
    // A part may lack a name, despite the parser's types.
    onField(name: string | undefined, value, info) {
      if (!name) throw new AppError("VALIDATION_FAILED", "Every part of a multipart body needs a name.");
      const bytes = name.length + value.length;
      fieldBytes += bytes;
      if (info.valueTruncated || info.nameTruncated || fieldBytes > BODY_LIMIT_BYTES) throw tooLarge(BODY_LIMIT_BYTES);
      // The parser replaces invalid UTF-8.
      if (value.includes("\uFFFD")) throw brokenUtf8();
      inbound.hold.reserve(bytes);
      pairs.push([name, value]);
    },
    async onFile({ name, fileName, bytes }) {
      if (!upload || name !== fileField) {
        const message = fileField === undefined ? "takes no files" : "takes one file, in the field that is documented";
        throw new AppError("UNSUPPORTED_MEDIA_TYPE", `This endpoint ${message}.`);
      }
      if (stored) throw invalidInput([{ path: name, message: "is given twice" }]);
      stored = upload.receive(bytes, fileName);
      await stored;
    },
  });
  return { pairs, file: await stored };
}
