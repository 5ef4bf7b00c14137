import { expect, test } from "vitest";
import { ImportLine, parseJsonLines } from "../../core/reading/import-line.ts";
import { parseAnswerLines } from "../../core/reading/recorded-line.ts";

const parseImportLines = (text: string) => parseJsonLines(text, ImportLine);

const LINE = { keyword: "best phone", source: "ASSISTANT_A", text: "Sony" };

function line(extra: object): string {
  return JSON.stringify({ ...LINE, ...extra });
}

test("a line gets its defaults, citations their positions", () => {
  const text = line({ citations: [{ url: "https://a.example" }, { url: "https://b.example", position: 7 }] });
  expect(parseImportLines(text)).toEqual({
    lines: [
      {
        line: 1,
        value: {
          ...LINE,
          run: 1,
          results: [],
          citations: [
            { url: "https://a.example", position: 1 },
            { url: "https://b.example", position: 7 },
          ],
        },
      },
    ],
    rejectedLines: [],
  });
});

test("names broken lines and keeps the others", () => {
  const text = `\uFEFF${line({})}\r\n\n{\n${line({ source: "NOWHERE" })}\n   \n${line({ run: 2 })}\n`;
  const { lines, rejectedLines } = parseImportLines(text);
  expect(lines.map((parsed) => parsed.line)).toEqual([1, 6]);
  expect(rejectedLines.map((refused) => refused.line)).toEqual([3, 4]);
});

test.each([
  ["an unknown field", { colour: "red" }, "has a field that is not part of the format"],
  ["neither text nor results", { text: " " }, "text: is empty, and the line has no results: give a text or results"],
  ["a NUL character", { text: "a\0b" }, "holds a NUL character or half of a surrogate pair"],
  ["half of a surrogate pair", { text: "a\uD800" }, "holds a NUL character or half of a surrogate pair"],
  ["run 0", { run: 0 }, "run: must be at least 1"],
  ["a long keyword", { keyword: "a".repeat(2_001) }, "keyword: must have at most 2,000 characters"],
])("%s is refused", (_, extra, message) => {
  expect(parseImportLines(line(extra)).rejectedLines).toEqual([{ line: 1, message }]);
});

test("a page of results needs no text", () => {
  const text = line({ text: undefined, source: "SEARCH_A", results: [{ rank: 1, url: "https://a.example" }] });
  expect(parseImportLines(text).lines).toHaveLength(1);
});

test("an emoji and nesting without end do no harm", () => {
  expect(parseImportLines(line({ text: "😀" })).lines).toHaveLength(1);
  expect(parseImportLines(`${"[".repeat(50_000)}${"]".repeat(50_000)}`).rejectedLines).toHaveLength(1);
});

test("a recorded answer becomes a line; opened pages are no citations", () => {
  const recorded = {
    prompt: "p",
    product: "Phone",
    run: 2,
    answer: "Sony",
    cited_urls: ["https://a.example"],
    additional_urls: ["https://b.example"],
  };
  expect(parseAnswerLines(JSON.stringify(recorded)).lines).toEqual([
    {
      line: 1,
      value: {
        keyword: "p",
        source: "ASSISTANT_A",
        text: "Sony",
        citations: [{ url: "https://a.example", position: 1 }],
        retrieved: [{ url: "https://b.example", position: 1 }],
        results: [],
        run: 2,
        thematic: "Phone",
      },
    },
  ]);
});
