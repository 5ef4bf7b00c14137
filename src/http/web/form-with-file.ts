import type { Readable } from "node:stream";
import busboy from "busboy";
import { AppError } from "../../../core/errors.ts";
import { decodeText } from "../../text-encoding.ts";
import { brokenOff, inviteBody, type Inbound } from "../body.ts";

/** A file of 5,000 rows has half of this. */
const LIMIT_BYTES = 2 * 1024 * 1024;
/** What the name of a field with a file ends with; before that is the name of the text field that it fills. */
const FILE = "_file";

/**
 * The fields of a submitted form that takes a text file: `keywords_file` stands for `keywords`, if a file was chosen. Its text is read in
 * UTF-8, UTF-16 or, where it is neither, Windows-1252, as spreadsheets write it. PAYLOAD_TOO_LARGE; VALIDATION_FAILED for a broken body.
 */
export async function readFormWithFile(inbound: Inbound): Promise<URLSearchParams> {
  const { request } = inbound;
  const form = new URLSearchParams();
  const files: [field: string, text: string][] = [];
  inviteBody(inbound);
  await new Promise<void>((resolve, reject) => {
    const refuse = (error: Error) => {
      request.unpipe();
      // What is still on its way is read and forgotten, so that the answer arrives.
      request.resume();
      reject(error);
    };
    const taken = takerOf(inbound, refuse);
    let parser: busboy.Busboy;
    try {
      const limits = { fieldSize: LIMIT_BYTES + 1, fields: 1000, files: 1 };
      parser = busboy({ headers: request.headers, defParamCharset: "utf8", limits });
    } catch (cause) {
      return refuse(broken(cause));
    }
    parser.on("field", (name: string | undefined, value) => {
      if (taken(Buffer.byteLength(value)) && name) form.append(name, value);
    });
    parser.on("file", (name, bytes: Readable) => {
      const chunks: Buffer[] = [];
      bytes.on("data", (chunk: Buffer) => taken(chunk.length) && chunks.push(chunk));
      bytes.on("error", (cause) => refuse(broken(cause)));
      bytes.on("end", () => files.push([name.slice(0, -FILE.length), decodeText(Buffer.concat(chunks))]));
    });
    parser.on("error", (cause) => refuse(broken(cause)));
    parser.on("close", resolve);
    request.once("error", (cause) => refuse(brokenOff(cause)));
    request.pipe(parser);
  });
  for (const [field, text] of files) if (text.trim() !== "") form.set(field, text);
  return form;
}

/** Counts what came in; gives false, and refuses the body, once that is too much. */
function takerOf({ hold }: Inbound, refuse: (error: Error) => void) {
  let size = 0;
  return (bytes: number): boolean => {
    size += bytes;
    try {
      hold.take(bytes);
      if (size <= LIMIT_BYTES) return true;
      refuse(new AppError("PAYLOAD_TOO_LARGE", "The file or text is larger than 2 MB. Send a smaller one."));
    } catch (error) {
      refuse(error as Error);
    }
    return false;
  };
}

function broken(cause: unknown): AppError {
  return new AppError("VALIDATION_FAILED", "The form did not arrive whole. Submit it again.", { cause });
}
