import { inflateRawSync } from "node:zlib";

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
const MOST_ENTRIES = 10_000;

/** An archive that would grow beyond what may be read of it. */
export class TooMuch extends Error {
  override name = "TooMuch";
}

/**
 * Inflates every XML part of an archive once, within `mostBytes` together: what a library reads after that cannot grow
 * beyond it, whatever sizes the archive states of itself (a "zip bomb"). Throws TooMuch, or an error for what is no
 * archive that we read.
 */
export function guardZip(bytes: Buffer, mostBytes: number): void {
  let left = mostBytes;
  for (const entry of entriesOf(bytes)) {
    if (!/\.(?:xml|rels)$/i.test(entry.name)) continue;
    if (entry.method === 0) left -= entry.compressed.length;
    else if (entry.method === 8) left -= inflatedLength(entry.compressed, left);
    else throw new Error("An entry is compressed in a way that documents are not.");
    if (left < 0) throw new TooMuch("The document is larger than what is read of one.");
  }
}

function inflatedLength(compressed: Buffer, most: number): number {
  try {
    return inflateRawSync(compressed, { maxOutputLength: Math.max(most, 1) }).length;
  } catch (error) {
    if (error instanceof RangeError) throw new TooMuch("The document is larger than what is read of one.");
    throw error;
  }
}

/** Entries as the archive's directory lists them (APPNOTE.TXT sections 4.3.7, 4.3.12 and 4.3.16). */
function* entriesOf(bytes: Buffer) {
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end === -1 || bytes.readUInt32LE(end) !== END) throw new Error("The archive has no directory.");
  const count = bytes.readUInt16LE(end + 10);
  let at = bytes.readUInt32LE(end + 16);
  if (count > MOST_ENTRIES) throw new TooMuch("The document has too many parts.");
  for (let number = 0; number < count; number++) {
    if (bytes.readUInt32LE(at) !== ENTRY) throw new Error("The archive's directory is broken.");
    const compressedSize = bytes.readUInt32LE(at + 20);
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset));
    const local = bytes.readUInt32LE(at + 42);
    const name = bytes.toString("utf8", at + 46, at + 46 + (nameLength ?? 0));
    if (bytes.readUInt32LE(local) !== LOCAL) throw new Error("An entry of the archive is not where it should be.");
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    yield { name, method: bytes.readUInt16LE(at + 10), compressed: bytes.subarray(start, start + compressedSize) };
    at += 46 + (nameLength ?? 0) + (extraLength ?? 0) + (commentLength ?? 0);
  }
}
