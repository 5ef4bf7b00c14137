import { createHash } from "node:crypto";

export type Column = Uint8Array | Uint16Array | Uint32Array | Float64Array;

const COLUMN_TYPES = [Uint8Array, Uint16Array, Uint32Array, Float64Array] as const;
const PACKED_FORMAT = 1;
const HEADER_WORDS = 3;

/**
 * Uses the machine's byte order (little-endian wherever Node runs). Header: format, number of
 * columns, text bytes, then type and length of each column.
 */
export function packColumns(columns: readonly Column[], text: string): Buffer {
  const textBytes = new TextEncoder().encode(text);
  const header = Uint32Array.of(
    PACKED_FORMAT,
    columns.length,
    textBytes.length,
    ...columns.flatMap((column) => [COLUMN_TYPES.findIndex((kind) => column instanceof kind), column.length]),
  );
  const size = columns.reduce((at, column) => alignTo8(at + column.byteLength), alignTo8(header.byteLength));
  const bytes = Buffer.alloc(size + textBytes.length);
  bytes.set(toBytes(header), 0);
  let at = alignTo8(header.byteLength);
  for (const column of columns) {
    bytes.set(toBytes(column), at);
    at = alignTo8(at + column.byteLength);
  }
  bytes.set(textBytes, at);
  return bytes;
}

/** Columns are views of the same memory. Throws if the format or byte order differs. */
export function unpackColumns(packed: Uint8Array): { columns: Column[]; text: Uint8Array } {
  const bytes = packed.byteOffset % 8 === 0 ? packed : packed.slice();
  const [format, count = 0, textLength = 0] = new Uint32Array(bytes.buffer, bytes.byteOffset, HEADER_WORDS);
  if (format !== PACKED_FORMAT) throw new Error("packed columns have another format or byte order");
  const shapes = new Uint32Array(bytes.buffer, bytes.byteOffset + HEADER_WORDS * 4, count * 2);
  let at = alignTo8((HEADER_WORDS + count * 2) * 4);
  const columns = Array.from({ length: count }, (_, index) => {
    const column = createView(shapes[index * 2], bytes.buffer, bytes.byteOffset + at, shapes[index * 2 + 1] ?? 0);
    at = alignTo8(at + column.byteLength);
    return column;
  });
  return { columns, text: bytes.subarray(at, at + textLength) };
}

/** SHA-256 in base64url. */
export function hashPacked(packed: Uint8Array): string {
  return createHash("sha256").update(packed).digest("base64url");
}

/** Unchecked, since only packColumns writes packed JSON. */
export function decodeJsonColumn(text: Uint8Array): unknown {
  return JSON.parse(new TextDecoder().decode(text));
}

/** Row index by keyword, plus the end; rows must be sorted by keyword. */
export function rowStarts(keywords: number, sorted: readonly { keyword: number }[]): Uint32Array {
  const starts = new Uint32Array(keywords + 1);
  for (const { keyword } of sorted) starts[keyword + 1] = (starts[keyword + 1] ?? 0) + 1;
  for (let k = 1; k < starts.length; k += 1) starts[k] = (starts[k] ?? 0) + (starts[k - 1] ?? 0);
  return starts;
}

/** Selects the narrowest type that fits. */
export function toIntegerColumn(values: ArrayLike<number>): Column {
  let largest = 0;
  for (let at = 0; at < values.length; at += 1) largest = Math.max(largest, values[at] ?? 0);
  if (largest < 2 ** 8) return Uint8Array.from(values);
  return largest < 2 ** 16 ? Uint16Array.from(values) : Uint32Array.from(values);
}

/** Views of 64-bit numbers need multiples of 8. */
function alignTo8(at: number): number {
  return Math.ceil(at / 8) * 8;
}

function createView(kind: number | undefined, buffer: ArrayBufferLike, at: number, length: number): Column {
  if (kind === 0) return new Uint8Array(buffer, at, length);
  if (kind === 1) return new Uint16Array(buffer, at, length);
  return kind === 2 ? new Uint32Array(buffer, at, length) : new Float64Array(buffer, at, length);
}

function toBytes(column: Column): Uint8Array {
  return new Uint8Array(column.buffer, column.byteOffset, column.byteLength);
}

/** 1 at each of the numbers. */
export function toMask(numbers: readonly number[]): Uint8Array {
  const marks = new Uint8Array(1 + numbers.reduce((most, number) => Math.max(most, number), 0));
  for (const number of numbers) marks[number] = 1;
  return marks;
}
