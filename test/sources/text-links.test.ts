import { expect, test } from "vitest";
import { parseMarkdownLinks } from "../../src/outside/sources/bodies/text-links.ts";

const printed = (text: string) =>
  parseMarkdownLinks(text).map(({ url, title, spans: [{ start, end }] }) => [url, title, text.slice(start, end)]);

test("finds the links of a Markdown text with their labels and printed text", () => {
  const text = 'See [A](https://a.example/x "About A"), [[1]](https://b.example/) and [](http://c.example/(d)).';
  expect(printed(text)).toEqual([
    ["https://a.example/x", "A", '[A](https://a.example/x "About A")'],
    ["https://b.example/", "[1]", "[[1]](https://b.example/)"],
    ["http://c.example/(d)", undefined, "[](http://c.example/(d))"],
  ]);
});

test.each([
  "![a](https://a.example/a.png)",
  "[b](/b)",
  "[c](mailto:c@c.example)",
  "[d](javascript:d())",
  "e](https://e.example/)",
  "[f] (https://f.example/)",
  "[g\nh](https://g.example/)",
])("%j links no page", (text) => {
  expect(parseMarkdownLinks(text)).toEqual([]);
});

test("reads a text of brackets in one pass", () => {
  // Attack: a label start or address end that is searched over the whole text repeatedly.
  expect(parseMarkdownLinks("](".repeat(200_000))).toEqual([]);
  expect(parseMarkdownLinks(`${"[".repeat(100_000)}a](https://a.example/)`)).toHaveLength(1);
});
