import { chooseExtent } from "../../test/support/proof.ts";

/**
 * Max text length of a reader in characters; at most 5,000 in `npm test`, where quadratic work
 * shows less.
 */
export const limitLength = (characters: number) => chooseExtent(characters, Math.min(5_000, characters));
const MEGABYTE = 1024 * 1024;
export const ANSWER = limitLength(1_000_000);
export const [TITLE, SNIPPET, KEYWORD] = [limitLength(2_000), limitLength(10_000), limitLength(2_000)];
export const [PAGE, ROBOTS, LLMS_TXT, SITEMAP] = [
  limitLength(5 * MEGABYTE),
  limitLength(512 * 1024),
  limitLength(64 * 1024),
  limitLength(10 * MEGABYTE),
];
export const [REPLY, DOCUMENT, PASTED] = [limitLength(MEGABYTE), limitLength(5 * MEGABYTE), limitLength(MEGABYTE)];

/** Pieces whose repetition is expensive for scans and regular expressions. */
const MARKS =
  "# ( * ** _ - | 1. [ ] ]( [a]( ![ ` \" ' , . … : ; / @ www. http:// :// a@ & &amp; %41 \\ 。 A aA A1 9 9, 9. $9 索尼 😀";
const WHITESPACE = [" ", "\t", "\n", "\r\n", "\n\n", "\u00A0", "\u200B", "\u0301"];
const WORDS =
  "a |- |> |#1 |. |``` |Target |Target, |Target and |Target is better than Sony |not |no |I don't know Sony or |Sony's ";
const LINES_OF_LISTS = [
  "- **Sony**: good, ",
  "# Sony\n",
  "| Sony | good |\n",
  "Sony (Target) ",
  "Sony • $1 ",
  "Sources:\n",
];
const PIECES = [...MARKS.split(" "), ...WHITESPACE, ...WORDS.split("|"), ...LINES_OF_LISTS, "(source: ", "【1†", "[1]"];

/** Lines that took exponential or cubic time before their expressions were rewritten. */
const LINES = [
  `${"#".repeat(26)}${"(".repeat(12)}Target is here`,
  ...["*", "1.", "> - ", "#1. "].map((mark) => `${mark.repeat(30)}Target is here`),
  ...["*", "*_", "])", "¦"].map((mark) => `- **Bigname${mark.repeat(40)}x`),
  `- **Bigname${"*".repeat(40)}`,
  ...["l'\"", "d'\"*", "mit d'\""].map(
    (piece) => `I found nothing about ${piece.repeat(150 / piece.length)}x Target here.`,
  ),
  ...["", "Sony", "([a](b)"].map((start) => `${start}${" ".repeat(4_000)}x`),
  `${"a".repeat(4_000)}!`,
];

/** Each piece repeated to `length` characters, alone and followed by a mismatch. */
export function textsOf(length: number): string[] {
  const repeated = PIECES.map((piece) => piece.repeat(Math.floor(length / piece.length)));
  const ended = PIECES.map((piece) => `${piece.repeat(Math.floor((length - 20) / piece.length))}\u0001Target is here`);
  return [...LINES.filter((line) => line.length <= length), ...repeated, ...ended];
}

/** Texts in the positions of a page: head, paragraph, attribute and JSON-LD. */
export function pagesOf(texts: readonly string[]): string[] {
  return texts.flatMap((text) => [
    text,
    `<!doctype html><title>${text}</title><h1>a</h1><p>${text}</p>`,
    `<!doctype html><meta name="description" content="${text.replaceAll('"', "'")}"><p>a</p>`,
    `<!doctype html><script type="application/ld+json">{"@type":"Product","name":${JSON.stringify(text)}}</script><p>a</p>`,
  ]);
}

const TAGS = "<|<!--|<!---->|<!-- |<?xml |<?xml a?>|<p>|<p |<p a=|<meta |<meta charset=|<script>|</|&#".split("|");
export const tagsOf = (length: number) =>
  TAGS.flatMap((tag) => {
    const repeated = tag.repeat(Math.floor((length - 1) / tag.length));
    return [`${tag.repeat(45)}x`, repeated, `${repeated}x`];
  });
