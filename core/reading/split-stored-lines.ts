export interface StoredLine {
  /** 1-based line number. */
  number: number;
  /** Byte offset of the next line. */
  end: number;
  /** Text without its line break; undefined if longer than the limit. */
  text: string | undefined;
}

const NEWLINE_BYTE = 0x0a;

/** Batched per chunk; `from` is the first byte of a line. Memory: one chunk and `maxBytes`. */
export async function* splitStoredLines(
  bytes: AsyncIterable<Uint8Array>,
  from: { offset: number; lineCount: number },
  maxBytes: number,
): AsyncGenerator<StoredLine[]> {
  let { offset, lineCount: number } = from;
  const utf8 = new TextDecoder();
  const open = createLineBuffer(maxBytes);
  const end = (tail: Uint8Array): StoredLine => {
    open.add(tail);
    offset += open.size() + 1;
    number += 1;
    const line = open.take();
    return { number, end: offset, text: line && utf8.decode(line) };
  };
  for await (const piece of bytes) {
    const lines: StoredLine[] = [];
    let start = 0;
    for (let at = piece.indexOf(NEWLINE_BYTE); at !== -1; at = piece.indexOf(NEWLINE_BYTE, start)) {
      lines.push(end(piece.subarray(start, at)));
      start = at + 1;
    }
    open.add(piece.subarray(start));
    yield lines;
  }
  if (open.size() > 0) yield [end(new Uint8Array())];
}

/** An incomplete line. Beyond the limit only its length is counted. */
function createLineBuffer(maxBytes: number) {
  let parts: Uint8Array[] = [];
  let size = 0;
  return {
    size: () => size,
    add(part: Uint8Array) {
      size += part.length;
      if (size > maxBytes) parts = [];
      else if (part.length > 0) parts.push(part);
    },
    take(): Uint8Array | undefined {
      const [first, ...more] = parts;
      const whole =
        size > maxBytes ? undefined : more.length === 0 ? (first ?? new Uint8Array()) : concatBytes(parts, size);
      [parts, size] = [[], 0];
      return whole;
    },
  };
}

function concatBytes(parts: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
