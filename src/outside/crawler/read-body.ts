import { pipeline as piped, Readable, type Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import * as zlib from "node:zlib";

export interface Body {
  bytes: Buffer;
  /** True where there is more than the limit. */
  isTruncated: boolean;
}

/** A coding that was not asked for, or several over each other. */
export class UnknownCoding extends Error {
  override name = "UnknownCoding";
}

// RFC 9659: a window of 8 MB is the most that the coding zstd may need on the web. Brotli's is 16 MB at most.
const ZSTD_WINDOW_LOG = 23;

/** Node.js has zstd from 22.15 on, which the types of version 20 do not know. */
interface MaybeZstd {
  createZstdDecompress?: (options: { params: Record<number, number> }) => Transform;
  constants: Readonly<Record<string, number | undefined>>;
}
const { createZstdDecompress, constants }: MaybeZstd = zlib;

/** By how much compressing can make content longer. */
const MOST_OVERHEAD_BYTES = 64 * 1024;

type Chunks = AsyncIterable<Buffer>;
type Decoder = Transform | ((chunks: Chunks) => Chunks);

const DECODERS: Readonly<Record<string, (() => Decoder) | undefined>> = {
  gzip: () => zlib.createGunzip(),
  "x-gzip": () => zlib.createGunzip(),
  deflate: () => inflated,
  br: () => zlib.createBrotliDecompress(),
  zstd:
    createZstdDecompress &&
    (() => createZstdDecompress({ params: { [constants["ZSTD_d_windowLogMax"] ?? 100]: ZSTD_WINDOW_LOG } })),
};

/** Value of Accept-Encoding: the codings that `readBody` undoes. */
export const ACCEPTED_CODINGS = createZstdDecompress ? "gzip, deflate, br, zstd" : "gzip, deflate, br";

/**
 * Reads the body of an answer and undoes its content coding, until `limitBytes` came or came out of it: what was read is kept, and
 * the connection ended. Rejects with UnknownCoding, and with the error of the stream or of zlib where the body is broken.
 */
export async function readBody(incoming: Readable, coding: string | undefined, limitBytes: number): Promise<Body> {
  return collect(incoming, decoderOf(coding), limitBytes);
}

/** The content of a gzip file, or what was read itself where it is none. */
export async function unpacked(body: Body, limitBytes: number): Promise<Body> {
  const [first, second] = body.bytes;
  if (first !== 0x1f || second !== 0x8b) return body;
  return collect(Readable.from([body.bytes]), zlib.createGunzip(), limitBytes, body.isTruncated);
}

function decoderOf(coding = ""): Decoder | undefined {
  const codings = coding
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && name !== "identity");
  const [name] = codings;
  if (name === undefined) return undefined;
  const make = codings.length === 1 ? DECODERS[name] : undefined;
  if (!make) throw new UnknownCoding("the coding of the content was not asked for");
  return make();
}

/** Of what is cut already, the end is missing, which is no fault. */
async function collect(
  source: Readable,
  decoder: Decoder | undefined,
  limitBytes: number,
  isCut = false,
): Promise<Body> {
  const parts: Buffer[] = [];
  let isTruncated = isCut;
  let isEmpty = true;

  /** Passes on as many bytes as `most`, and ends there. */
  const limited = async function* (chunks: Chunks, most: number): Chunks {
    let left = most;
    for await (const chunk of chunks) {
      isEmpty = false;
      if (chunk.length > left) {
        isTruncated = true;
        yield chunk.subarray(0, left);
        return;
      }
      left -= chunk.length;
      yield chunk;
    }
  };
  const keep = async (chunks: Chunks) => {
    for await (const chunk of limited(chunks, limitBytes)) parts.push(chunk);
  };
  // What comes is limited besides what comes out: nothing may come out of an endless body.
  const packed = (chunks: Chunks) => limited(chunks, limitBytes + MOST_OVERHEAD_BYTES);
  try {
    await (decoder ? pipeline(source, packed, decoder, keep) : pipeline(source, keep));
  } catch (error) {
    const isNothing = isEmpty && (error as NodeJS.ErrnoException).code === "Z_BUF_ERROR";
    if (!isTruncated && !isNothing) throw error;
  }
  return { bytes: Buffer.concat(parts), isTruncated };
}

/** As browsers take it: in the format of zlib, as RFC 9110 has it, or without its header, as some servers send it. */
async function* inflated(chunks: Chunks): Chunks {
  const rest = chunks[Symbol.asyncIterator]();
  const first = await rest.next();
  if (first.done === true) return;
  const isZlib = ((first.value[0] ?? 0) & 0x0f) === 8;
  const all = async function* () {
    yield first.value;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  };
  yield* piped(Readable.from(all()), isZlib ? zlib.createInflate() : zlib.createInflateRaw(), () => undefined);
}
