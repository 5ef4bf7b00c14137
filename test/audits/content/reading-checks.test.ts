import { describe, expect, test } from "vitest";
import { CONTENT_CHECKS } from "../../../core/audits/content/content-checks.ts";
import { splitSentences } from "../../../core/audits/page-facts/sentences.ts";
import { runCheckOnPage, findingLines, type CheckCases } from "../run-check-on-page.ts";

const page = (html: string, lang = "en") => `<html lang=${lang}><main><h1>Kettles</h1>\n${html}</main>`;
const EASY = "The kettle boils a litre of water in three minutes. ";
const HARD = `The kettle boils ${"a litre of water and then ".repeat(6)}switches off.`;
const LONG_WORDS = "Telecommunication infrastructures notwithstanding, kettles boil water quickly. ";
const JA = "電気ケトルは三分でお湯が沸きます。使い方はとても簡単です。";

const READABILITY: CheckCases = [
  [
    "with short sentences",
    page(`<p>${EASY.repeat(10)}`),
    ["pass", "Sentences have 10 words on average; 0 % of words are long."],
  ],
  [
    "in Japanese",
    page(`<p>${JA.repeat(10)}`, "ja"),
    ["pass", "Sentences have 15 characters on average; 0 % of words are long."],
  ],
  [
    "in German with German words",
    page(`<p>${"Der Wasserkocher hat eine Abschaltautomatik und kocht das Wasser in drei Minuten. ".repeat(8)}`, "de"),
    ["pass", "Sentences have 12 words on average; 0 % of words are long."],
  ],
  [
    "with long words",
    page(`<p>${LONG_WORDS.repeat(12)}`),
    [
      "warn",
      "Sentences have 7 words on average; 43 % of words are long.",
      ...Array.from({ length: 3 }, () => `2: ${LONG_WORDS.trim()}`),
    ],
  ],
  [
    "with long sentences",
    page(`<p>${HARD}<p>${HARD}<p>${HARD}`),
    [
      "fail",
      "Sentences have 41 words on average; 0 % of words are long.",
      ...Array.from({ length: 3 }, () => `2: ${HARD}`),
    ],
  ],
  ["with little text", page(`<p>${EASY}`), ["skipped", "The main content has too few sentences to judge."]],
  [
    "in a language it does not know",
    page(`<p>${"To jest czajnik. ".repeat(40)}`, "pl"),
    ["skipped", "The check knows English, German, French, Spanish and Japanese."],
  ],
];

const ofLength = (words: number) => page(`<p>${EASY.repeat(words / 10)}`);
const ENOUGH_TEXT: CheckCases = [
  ["with much text", ofLength(400), ["pass", "The main content has 401 words."]],
  ["with little", ofLength(200), ["warn", "The main content has 201 words."]],
  ["with next to none", ofLength(20), ["fail", "The main content has 21 words."]],
  [
    "of a product with as much as it needs",
    ofLength(120),
    ["pass", "The main content has 121 words."],
    { pageType: "product" },
  ],
  [
    "whose text stands in its menu",
    `<nav>${EASY.repeat(50)}</nav><main><h1>Kettles</h1></main>`,
    ["fail", "The main content has 1 word."],
  ],
  [
    "that scripts fill",
    "<div id=root></div><script src=a.js></script>",
    ["skipped", "The page is filled by scripts, which were not run."],
  ],
];

const table = (cell: string, rows: number) =>
  page(`<table><tr><${cell}>A<${cell}>B${"<tr><td>1<td>2".repeat(rows)}</table>`);
const comparison = { pageType: "comparison" } as const;
const COMPARISON_TABLE: CheckCases = [
  ["with a table", table("th", 2), ["pass", "The main content has a comparison table."], comparison],
  [
    "with one without header cells",
    table("td", 2),
    ["warn", "The tables have no header cells or fewer than three rows.", "2: table of 3 rows and 2 columns"],
    comparison,
  ],
  [
    "with a table in its footer",
    `${page("<p>x")}<footer>${table("th", 2)}</footer>`,
    ["fail", "The main content has no table."],
    comparison,
  ],
  ["without one", page("<p>K1 and K2"), ["fail", "The main content has no table."], comparison],
  ["that is an article", page(""), ["skipped", "The check is for comparisons; this page is of type article."]],
];

describe.each([
  ["readability", READABILITY],
  ["enough_text", ENOUGH_TEXT],
  ["comparison_table", COMPARISON_TABLE],
] as const)("the check %s", (id, cases) => {
  test.for(cases)("a page %s", ([, html, found, beside]) => {
    expect(findingLines(runCheckOnPage(CONTENT_CHECKS, id, html, beside))).toEqual(found);
  });
});

test.for([
  ["One. Two! Three?", ["One.", "Two!", "Three?"]],
  ["It has 1.5 l, e.g. for tea. Dr. Lee agrees.", ["It has 1.5 l, e.g. for tea.", "Dr. Lee agrees."]],
  ["Am 1. Mai kam J. Roe. Er blieb.", ["Am 1. Mai kam J. Roe.", "Er blieb."]],
  ["She said “Yes.” He left", ["She said “Yes.”", "He left"]],
  ["沸きます。簡単です！はい", ["沸きます。", "簡単です！", "はい"]],
  ["It boils.[38][note] It stops.² It cools.", ["It boils.[38][note]", "It stops.²", "It cools."]],
  ["A line\nAnother", ["A line", "Another"]],
  ["example.com is a site... Yes", ["example.com is a site...", "Yes"]],
] as const)("%s has its sentences", ([text, sentences]) => {
  expect(splitSentences(text)).toEqual(sentences);
});
