import type { Readable } from "node:stream";
import busboy from "busboy";
import { AppError } from "../../../core/errors.ts";
import { MAX_FORM_PAIRS } from "../../../core/request-bounds.ts";
import { decodeText } from "../../text-encoding.ts";
import { tooManyPairs } from "../form-pairs.ts";
import { brokenOff, inviteBody, type Inbound } from "../body.ts";
import { expectUpload } from "../deadlines.ts";

/** A file of 5,000 rows has half of this. */
const LIMIT_BYTES = 2 * 1024 * 1024;
/** What the name of a field with a file ends with; before that is the name of the text field that it fills. */
const FILE = "_file";
/** The field that names text fields whose file was larger than that: the rest of the form is as it was sent. */
export const TOO_LARGE = "too_large_file";

/**
 * The fields of a submitted form that takes a text file: `keywords_file` stands for `keywords`, if a file was chosen. Its text is read in
 * UTF-8, UTF-16 or, where it is neither, Windows-1252, as spreadsheets write it. PAYLOAD_TOO_LARGE where what was typed is too long;
 * VALIDATION_FAILED for a broken body.
 */
export async function readFormWithFile(inbound: Inbound): Promise<URLSearchParams> {
  const { request } = inbound;
  const form = new URLSearchParams();
  const files: [field: string, text: string][] = [];
  expectUpload(request);
  inviteBody(inbound);
  await new Promise<void>((resolve, reject) => {
    const refuse = (error: Error) => {
      request.unpipe();
      // What is still on its way is read and forgotten, so that the answer arrives.
      request.resume();
      reject(error);
    };
    const held = holderOf(inbound, refuse);
    let typed = 0;
    let parser: busboy.Busboy;
    try {
      const limits = { fieldSize: LIMIT_BYTES + 1, fileSize: LIMIT_BYTES + 1, fields: MAX_FORM_PAIRS, files: 1 };
      parser = busboy({ headers: request.headers, defParamCharset: "utf8", limits });
    } catch (cause) {
      return refuse(broken(cause));
    }
    parser.on("field", (name: string | undefined, value) => {
      const bytes = Buffer.byteLength(value);
      typed += bytes;
      if (typed > LIMIT_BYTES) return refuse(new AppError("PAYLOAD_TOO_LARGE", TOO_LONG));
      if (held(bytes) && name) form.append(name, value);
    });
    parser.on("file", (name, bytes: Readable) => {
      const field = name.slice(0, -FILE.length);
      let chunks: Buffer[] | undefined = [];
      bytes.on("data", (chunk: Buffer) => held(chunk.length) && chunks?.push(chunk));
      // What is still on its way of it is read and forgotten.
      bytes.on("limit", () => {
        chunks = undefined;
        form.append(TOO_LARGE, field);
      });
      bytes.on("error", (cause) => refuse(broken(cause)));
      bytes.on("end", () => chunks && files.push([field, decodeText(Buffer.concat(chunks))]));
    });
    parser.on("fieldsLimit", () => refuse(tooManyPairs()));
    parser.on("error", (cause) => refuse(broken(cause)));
    parser.on("close", resolve);
    request.once("error", (cause) => refuse(brokenOff(cause)));
    request.pipe(parser);
  });
  for (const [field, text] of files) if (text.trim() !== "") form.set(field, text);
  return form;
}

const TOO_LONG = "The text is larger than 2 MB. Go back and shorten it.";

/** Counts what is held of the body; gives false, and refuses the body, once that is too much beside those of others. */
function holderOf({ hold }: Inbound, refuse: (error: Error) => void) {
  return (bytes: number): boolean => {
    try {
      hold.take(bytes);
      return true;
    } catch (error) {
      refuse(error as Error);
      return false;
    }
  };
}

function broken(cause: unknown): AppError {
  return new AppError("VALIDATION_FAILED", "The form did not arrive whole. Submit it again.", { cause });
}
