import { pipeline as piped, Readable, type Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import * as zlib from "node:zlib";

export interface Body {
  bytes: Buffer;
  isTruncated: boolean;
}

export class UnknownCoding extends Error {
  override name = "UnknownCoding";
}

// RFC 9659 allows zstd a window of 8 MB on the web. Brotli's max is 16 MB.
const ZSTD_WINDOW_LOG = 23;

/** Node.js has zstd since 22.15; the types of version 20 lack it. */
interface MaybeZstd {
  createZstdDecompress?: (options: { params: Record<number, number> }) => Transform;
  constants: Readonly<Record<string, number | undefined>>;
}
const { createZstdDecompress, constants }: MaybeZstd = zlib;

/** Incompressible content grows by at most this. */
const MAX_OVERHEAD_BYTES = 64 * 1024;

type ByteChunks = AsyncIterable<Buffer>;
type BodyDecoder = Transform | ((chunks: ByteChunks) => ByteChunks);

const DECODERS_BY_CODING: Readonly<Record<string, (() => BodyDecoder) | undefined>> = {
  gzip: () => zlib.createGunzip(),
  "x-gzip": () => zlib.createGunzip(),
  deflate: () => inflateAny,
  br: () => zlib.createBrotliDecompress(),
  zstd:
    createZstdDecompress &&
    (() => createZstdDecompress({ params: { [constants["ZSTD_d_windowLogMax"] ?? 100]: ZSTD_WINDOW_LOG } })),
};

export const ACCEPTED_CODINGS = createZstdDecompress ? "gzip, deflate, br, zstd" : "gzip, deflate, br";

/** Rejects with UnknownCoding or zlib's error. */
export async function readBody(incoming: Readable, coding: string | undefined, limitBytes: number): Promise<Body> {
  return readLimited(incoming, createDecoder(coding), limitBytes);
}

/** Returns a body that is no gzip file unchanged. */
export async function unzipFile(body: Body, limitBytes: number): Promise<Body> {
  const [first, second] = body.bytes;
  if (first !== 0x1f || second !== 0x8b) return body;
  return readLimited(Readable.from([body.bytes]), zlib.createGunzip(), limitBytes, body.isTruncated);
}

function createDecoder(coding = ""): BodyDecoder | undefined {
  const codings = coding
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && name !== "identity");
  const [name] = codings;
  if (name === undefined) return undefined;
  const make = codings.length === 1 ? DECODERS_BY_CODING[name] : undefined;
  if (!make) throw new UnknownCoding("the coding of the content was not asked for");
  return make();
}

async function readLimited(source: Readable, decoder: BodyDecoder | undefined, limitBytes: number, isCut = false) {
  const parts: Buffer[] = [];
  let isTruncated = isCut;
  let isEmpty = true;

  const limited = async function* (chunks: ByteChunks, maxBytes: number): ByteChunks {
    let left = maxBytes;
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
  const store = async (chunks: ByteChunks) => {
    for await (const chunk of limited(chunks, limitBytes)) parts.push(chunk);
  };
  // Limits compressed input too, because an endless body may decompress to nothing.
  const packed = (chunks: ByteChunks) => limited(chunks, limitBytes + MAX_OVERHEAD_BYTES);
  try {
    await (decoder ? pipeline(source, packed, decoder, store) : pipeline(source, store));
  } catch (error) {
    const isNothing = isEmpty && (error as NodeJS.ErrnoException).code === "Z_BUF_ERROR";
    if (!isTruncated && !isNothing) throw error;
  }
  return { bytes: Buffer.concat(parts), isTruncated };
}

/** Accepts zlib format (RFC 9110) and raw deflate, which some servers send and browsers accept. */
async function* inflateAny(chunks: ByteChunks): ByteChunks {
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
