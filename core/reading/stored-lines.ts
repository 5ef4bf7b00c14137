/** One line of a body that is stored. */
export interface StoredLine {
  /** 1 for the first line. */
  number: number;
  /** Where the next line begins, in bytes. */
  end: number;
  /** Without its end; undefined where it is longer than a line may be. */
  text: string | undefined;
}

const NEWLINE = 0x0a;

/**
 * The lines of a body in UTF-8, those of each piece together, beginning at a line's first byte. Never holds more than a piece and
 * the longest line.
 */
export async function* storedLines(
  bytes: AsyncIterable<Uint8Array>,
  from: { offset: number; lines: number },
  mostBytes: number,
): AsyncGenerator<StoredLine[]> {
  let { offset, lines: number } = from;
  const utf8 = new TextDecoder();
  const open = openLine(mostBytes);
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
    for (let at = piece.indexOf(NEWLINE); at !== -1; at = piece.indexOf(NEWLINE, start)) {
      lines.push(end(piece.subarray(start, at)));
      start = at + 1;
    }
    open.add(piece.subarray(start));
    yield lines;
  }
  if (open.size() > 0) yield [end(new Uint8Array())];
}

/** A line whose end did not come yet. Of one that is too long it keeps only the length. */
function openLine(mostBytes: number) {
  let parts: Uint8Array[] = [];
  let size = 0;
  return {
    size: () => size,
    add(part: Uint8Array) {
      size += part.length;
      if (size > mostBytes) parts = [];
      else if (part.length > 0) parts.push(part);
    },
    take(): Uint8Array | undefined {
      const [first, ...more] = parts;
      const whole =
        size > mostBytes ? undefined : more.length === 0 ? (first ?? new Uint8Array()) : joined(parts, size);
      [parts, size] = [[], 0];
      return whole;
    },
  };
}

function joined(parts: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
