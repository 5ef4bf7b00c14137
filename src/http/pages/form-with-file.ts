import { AppError } from "../../../core/shared/errors.ts";
import { decodeText } from "../../outside/text-encoding.ts";
import type { Inbound } from "../body.ts";
import { expectUpload } from "../deadlines.ts";
import { readParts } from "../multipart.ts";

/** Max bytes of a form with a file; a file of 5,000 rows has half of this. */
const MAX_FORM_BYTES = 2 * 1024 * 1024;
/** Name suffix of a file field; the rest is the name of the text field it fills. */
const FILE_SUFFIX = "_file";
/** Field that names the text fields whose file was too large; all other fields are as sent. */
export const TOO_LARGE_FIELD = "too_large_file";

/** A file in `keywords_file` replaces `keywords`. Reads UTF-8, UTF-16 and Windows-1252. */
export async function readFormWithFile(inbound: Inbound): Promise<URLSearchParams> {
  const { request, hold } = inbound;
  const form = new URLSearchParams();
  const files: [field: string, text: string][] = [];
  let typed = 0;
  expectUpload(request);
  await readParts(inbound, {
    limits: { fieldSize: MAX_FORM_BYTES + 1, fileSize: MAX_FORM_BYTES + 1, files: 1 },
    brokenMessage: "The form did not arrive whole. Submit it again.",
    onField(name: string | undefined, value) {
      const bytes = Buffer.byteLength(value);
      typed += bytes;
      if (typed > MAX_FORM_BYTES) {
        throw new AppError("PAYLOAD_TOO_LARGE", "The text is larger than 2 MB. Go back and shorten it.");
      }
      hold.reserve(bytes);
      if (name) form.append(name, value);
    },
    async onFile({ name, bytes, isTruncated }) {
      const field = name.slice(0, -FILE_SUFFIX.length);
      const chunks: Uint8Array[] = [];
      for await (const chunk of bytes) {
        hold.reserve(chunk.length);
        chunks.push(chunk);
      }
      if (isTruncated()) form.append(TOO_LARGE_FIELD, field);
      else files.push([field, decodeText(Buffer.concat(chunks))]);
    },
  });
  for (const [field, text] of files) if (text.trim() !== "") form.set(field, text);
  return form;
}
