import { expect, test } from "vitest";
import { splitStoredLines, type StoredLine } from "../../core/reading/split-stored-lines.ts";

const TEXT = "one\r\n\nzwei – drei\nfour";

/** Bytes from an offset, in chunks. */
async function* piecesOf(text: string, size: number, from = 0): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text).subarray(from);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function linesOf(
  text: string,
  size: number,
  from = { offset: 0, lineCount: 0 },
  most = 100,
): Promise<StoredLine[]> {
  const lines: StoredLine[] = [];
  for await (const some of splitStoredLines(piecesOf(text, size, from.offset), from, most)) lines.push(...some);
  return lines;
}

test("lines are the same however their bytes come, and from the end of any line on", async () => {
  const whole = await linesOf(TEXT, 1000);
  expect(whole.map(({ number, text }) => [number, text])).toEqual([
    [1, "one\r"],
    [2, ""],
    [3, "zwei – drei"],
    [4, "four"],
  ]);
  for (let size = 1; size < 30; size++) expect(await linesOf(TEXT, size)).toEqual(whole);
  for (const [at, { end, number }] of whole.entries()) {
    expect(await linesOf(TEXT, 3, { offset: end, lineCount: number })).toEqual(whole.slice(at + 1));
  }
});

test("attack: an endless line fills the memory; one above the limit is reported by number and dropped", async () => {
  for (const size of [1, 4, 1000]) {
    const lines = await linesOf(`ab\n${"x".repeat(50)}\ncd\n${"y".repeat(11)}`, size, undefined, 10);
    expect(lines.map(({ number, text }) => [number, text])).toEqual([
      [1, "ab"],
      [2, undefined],
      [3, "cd"],
      [4, undefined],
    ]);
    expect(lines.at(-2)?.end).toBe(57);
  }
});
