import { expect, test } from "vitest";
import { findCandidateNames } from "../../core/brands/find-names.ts";
import { computePolarity } from "../../core/perception/polarity.ts";
import { readCapture } from "../../core/reading/reading.ts";
import { brand, catalogOf } from "./brands.ts";

/** Pieces whose repetition makes a parser slow: quadratic scans, backtracking expressions. */
const PIECES = [
  "](",
  "](a",
  "[Sony](",
  "://",
  "http://Sony",
  "www.",
  "@",
  "a@",
  "Sony",
  "Sony.",
  "Sony.com",
  "SonyBose ",
  "aA",
  "A1b",
  ".",
  " ",
  "\n",
  "\n\n\n",
  "- ",
  "1. Sony\n",
  "- Sony: a\n",
  "# Sony\n",
  "| Sony ",
  "|Sony|a|\n",
  "\t",
  "1$•",
  "$1Sony•",
  "Sony pie ",
  "Sony & ",
  "Sony$1• + more",
  "no information about ",
  "I could not find Sony or ",
  "**",
  "(",
  "\u0301",
  "😀",
  "索尼",
  "—",
  " - ",
  "Is Sony? ",
  "Sony?\n",
  "Here is Sony ",
  "Sony, ",
  "索尼を。",
  "`",
  "` ",
  "```\n",
  "![",
  "【†",
  "[‡",
  "\uE200",
  "([a](",
  "([a](b) ",
  "x. [sony](https://sony.com) ",
  "Sources:\n",
  "Sources:\n- a\n\n",
  "(source: ",
  "Sony+1",
  "a+1\n",
  "Sonys",
  "sony ",
  "Nothing ",
  "Nothing. ",
  "@a ",
  "nothing about ",
  "索尼の",
  "-",
  "#",
  "*",
  "_",
  "|",
  "1.",
  "* -",
  "top-",
  "best pick-",
  "l'\"",
  "d'\"*",
  "mit d'\"",
];

// Attack: a long text of one repeated piece; nonlinear parsing takes minutes.
test.each(PIECES)("20,000 characters of %j are read in a moment", (piece) => {
  const catalog = catalogOf(brand("Sony", { excluded_phrases: ["Sony pie"] }), "Bose", "索尼", "A1", "Nothing");
  const text = piece.repeat(Math.ceil(20_000 / piece.length));
  const asked = [
    { text, prompt: "what is the best phone to buy" },
    { text, prompt: "is Sony or 索尼 better?" },
    { text: `${text}x`, prompt: "phone" },
  ];
  for (const { text: read, prompt } of asked) {
    const { mentions } = readCapture({ text: read, citations: [], results: [] }, catalog, { prompt });
    const found = mentions.map(({ start, end }) => read.slice(start, end));
    expect(found.filter((name) => !/sony|bose|索尼|a1|nothing/i.test(name))).toEqual([]);
  }
  findCandidateNames(text, { prompt: "phone", isSearchPage: false });
});

// Attack: a short line that doubles the time of a backtracking expression with each character.
test.each(PIECES)("lines with many %j around a name are read in linear time", (piece) => {
  const catalog = catalogOf("Target", "Bigname", "Nothing");
  const many = piece.repeat(100);
  const lines = [
    `${piece.repeat(26)}${"(".repeat(12)}Target is here`,
    `${many}Target is here`,
    `- **Bigname${many}`,
    `- **Bigname${many}x`,
    `I found nothing about Bigname${many}Target${many}x.`,
    `I found nothing about ${piece.repeat(150 / piece.length)}x Target.`,
    `([a](b)${many}x`,
  ];
  for (const text of [...lines, lines.join("\n")]) {
    readCapture({ text, citations: [], results: [] }, catalog, { prompt: "which shop is best?" });
    findCandidateNames(text, { prompt: "which shop is best?", isSearchPage: false });
    expect(computePolarity(`the best ${many}`)).toMatchObject({ score: expect.any(Number) });
  }
});

test.each([
  ["- ", true],
  ["## ", true],
  ["1. **", true],
  ["#3: ", true],
  ["> - **“", true],
  ["* __", true],
  ["__", true],
  ["| ", true],
  ["", false],
  ["2024. ", false],
  ["Prices fell. ", false],
])("a plain word behind %j is a label: %s", (lead, isLabel) => {
  const text = `${lead}Target: cheap and near.`;
  const { mentions } = readCapture({ text, citations: [], results: [] }, catalogOf("Target"), {
    prompt: "which shop?",
  });
  expect(mentions.length > 0).toBe(isLabel);
});

test.each([
  ["J'ai rien trouvé sur l'entreprise Target.", false],
  ["J'ai rien trouvé sur l'« Target ».", false],
  ["J'ai rien trouvé sur la marque d' Target.", false],
  ["I found nothing about a brand called “Target”.", false],
  ["I found nothing about the shop x Target.", true],
  ["I found nothing about l'x Target.", true],
])("%j mentions the brand: %s", (text, isMentioned) => {
  const { mentions } = readCapture({ text, citations: [], results: [] }, catalogOf("Target"), {
    prompt: "which shop?",
  });
  expect(mentions.length > 0).toBe(isMentioned);
});

test.each(["`a` ", "![] ", "【1†】 ", "\uE200a\uE201 "])("reads a megabyte of %j", (mark) => {
  // Attack: an answer with more marks than a call may have arguments.
  const text = `I recommend the shop Target.\n${mark.repeat(1_000_000 / mark.length)}`;
  const { mentions } = readCapture({ text, citations: [], results: [] }, catalogOf("Target"), {
    prompt: "which shop?",
  });
  expect(mentions.length).toBe(1);
});
