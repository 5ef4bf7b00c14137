import { describe, expect, test } from "vitest";
import { CONTENT_CHECKS } from "../../../core/audits/content/content-checks.ts";
import { runCheckOnPage, findingLines, type CheckCases } from "../run-check-on-page.ts";

const page = (html: string, lang = "en") => `<html lang=${lang}><main><h1>Kettles</h1>\n${html}</main>`;
const h2 = (...titles: string[]) => titles.map((title) => `<h2>${title}</h2>`).join("");
const text = (count: number) => `<p>${"The kettle boils a litre of water in three minutes. ".repeat(count / 10)}`;
const acme = { names: ["Acme", "K1"] };

const QUESTION_HEADINGS: CheckCases = [
  [
    "with a question",
    page(h2("What is a kettle?", "Sizes", "Prices")),
    ["pass", "1 of 3 section headings asks a question."],
  ],
  [
    "with one without a mark",
    page(h2("How to descale a kettle", "Sizes", "Why size matters")),
    ["pass", "2 of 3 section headings ask a question."],
  ],
  [
    "with a German one",
    page(h2("Welche Größe passt", "Preise", "Pflege"), "de"),
    ["pass", "1 of 3 section headings asks a question."],
  ],
  [
    "with a French one",
    page(h2("Pourquoi détartrer", "Prix", "Taille"), "fr"),
    ["pass", "1 of 3 section headings asks a question."],
  ],
  [
    "with a Spanish one",
    page(h2("¿Cuánto cuesta?", "Tamaños", "Precios"), "es"),
    ["pass", "1 of 3 section headings asks a question."],
  ],
  [
    "with a Japanese one",
    page(h2("電気ケトルとは", "価格", "サイズ"), "ja"),
    ["pass", "1 of 3 section headings asks a question."],
  ],
  [
    "with words that begin alike",
    page(h2("Howard's kettle", "Whatever works", "Who we are")),
    ["warn", "0 of 3 section headings ask a question.", "2: Howard's kettle", "2: Whatever works", "2: Who we are"],
  ],
  [
    "with few headings",
    page(h2("Sizes", "Prices")),
    ["skipped", "The main content has fewer than three section headings."],
  ],
  [
    "that is a product's",
    page(""),
    ["skipped", "The check is for articles, comparisons and documentation; this page is of type product."],
    { pageType: "product" },
  ],
];

const EXTRACTABLE: CheckCases = [
  [
    "in sections",
    page(`<h2>A</h2>${text(100)}<h2>B</h2>${text(120)}`),
    ["pass", "100 % of the text stands in sections of 40 to 300 words."],
  ],
  [
    "with a list in a section",
    page(`<h2>A</h2>${text(100)}<ul>${"<li>Fill it".repeat(20)}</ul><h2>B</h2>${text(120)}`),
    ["pass", "100 % of the text stands in sections of 40 to 300 words."],
  ],
  [
    "without headings",
    page(text(140) + text(140) + text(140)),
    ["fail", "The main content has 421 words and no section headings."],
  ],
  [
    "with a wall of text",
    page(`<h2>A</h2>${text(160)}<h2>B</h2>${text(120)}`),
    [
      "warn",
      "1 paragraph of more than 150 words; 100 % of the text stands in sections of 40 to 300 words.",
      `2: ${"The kettle boils a litre of water in three minutes. ".repeat(9).slice(0, 199)}…`,
    ],
  ],
  [
    "with a long section",
    page(`<h2>A</h2>${text(140)}${text(140)}${text(140)}<h2>B</h2>${text(100)}`),
    ["fail", "19 % of the text stands in sections of 40 to 300 words.", "2: A"],
  ],
  [
    "with half of it in a long section",
    page(`<h2>A</h2>${text(140)}${text(140)}${text(100)}<h2>B</h2>${text(140)}${text(100)}`),
    ["warn", "39 % of the text stands in sections of 40 to 300 words.", "2: A"],
  ],
  ["that is short", page(text(90)), ["skipped", "The main content has 91 words; it needs no sections."]],
  [
    "that is a category",
    page(text(400)),
    [
      "skipped",
      "The check is for articles, product pages, comparisons, documentation and other pages; this page is of type category.",
    ],
    { pageType: "category" },
  ],
];

const opens = (...openings: string[]) =>
  page(
    `<p>The Acme K1 is a small kettle for the kitchen.${openings.map((opening) => `\n<h2>Part</h2><p>${opening}`).join("")}`,
  );
const ENTITY: CheckCases = [
  [
    "that names the brand",
    opens("The Acme K1 boils a litre of water in three minutes."),
    ["pass", "2 sections can be understood alone."],
    acme,
  ],
  [
    "that begins with it and names the brand",
    opens("It is the Acme K1 that boils a litre in three minutes."),
    ["pass", "2 sections can be understood alone."],
    acme,
  ],
  [
    "that says what is important",
    opens("It is important to descale a kettle once a month."),
    ["pass", "2 sections can be understood alone."],
    acme,
  ],
  [
    "with a section that begins with it",
    opens(
      "It boils a litre of water in three minutes or less.",
      "Water should be soft and fresh for the best taste.",
      "Limescale is best removed with vinegar every month.",
    ),
    [
      "warn",
      "1 of 4 sections begins with a word for something that is not named in the passage.",
      "3: It boils a litre of water in three minutes or less.",
    ],
    acme,
  ],
  [
    "with many",
    opens(
      "They boil a litre of water in three minutes or less.",
      "This makes them the best choice for small kitchens.",
    ),
    [
      "fail",
      "2 of 3 sections begin with a word for something that is not named in the passage.",
      "3: They boil a litre of water in three minutes or less.",
      "4: This makes them the best choice for small kitchens.",
    ],
    acme,
  ],
  [
    "that names it within a word alone",
    page("<p>Acmeist poets wrote about kettles of copper and brass."),
    ["warn", "The main content names neither the brand nor a product of it."],
    { names: ["Acme"] },
  ],
  [
    "of a product that is not named",
    page("<p>Boils a litre of water in three minutes or less."),
    ["fail", "The main content names neither the brand nor a product of it."],
    { ...acme, pageType: "product" },
  ],
  [
    "with a Japanese name in a sentence",
    page("<p>人気のアクメ製ケトルは三分でお湯が沸きます。とても便利です。", "ja"),
    ["pass", "1 section can be understood alone."],
    { names: ["アクメ"] },
  ],
  ["without names", opens("It boils."), ["skipped", "The catalog has no names of an own brand to look for."]],
];

const A = "The kettle boils a litre of water in three minutes and switches itself off.";
const B = "A good kettle keeps water warm for an hour and shows how warm it is.";
const REPEATED: CheckCases = [
  ["with different paragraphs", page(`<p>${A}<p>${B}`), ["pass", "No paragraph is repeated."]],
  ["with short ones that repeat", page(`<p>Buy now<p>${A}<p>Buy now<p>${B}`), ["pass", "No paragraph is repeated."]],
  ["with one that is hidden", page(`<p>${A}<p hidden>${A}<p>${B}`), ["pass", "No paragraph is repeated."]],
  [
    "with one of four that repeats",
    page(`<p>${A}<p>${B}<p>${B.replace("good", "bad")}\n<p>${A}`),
    ["warn", "1 of 4 paragraphs repeats another one.", `3: ${A}`],
  ],
  [
    "that is there twice",
    page(`<p>${A}<p>${B}\n<p>${A}<p>${B}`),
    ["fail", "2 of 4 paragraphs repeat another one.", `3: ${A}`, `3: ${B}`],
  ],
  [
    "with one of many that repeats",
    page(`${Array.from({ length: 20 }, (_, at) => `<p>${at} ${A}`).join("")}<p>0 ${A}`),
    ["pass", "1 of 21 paragraphs repeats another one."],
  ],
  ["with one paragraph", page(`<p>${A}`), ["skipped", "The main content has fewer than two paragraphs."]],
];

describe.each([
  ["question_headings", QUESTION_HEADINGS],
  ["extractable_passages", EXTRACTABLE],
  ["entity_clarity", ENTITY],
  ["no_repeated_paragraphs", REPEATED],
] as const)("the check %s", (id, cases) => {
  test.for(cases)("a page %s", ([, html, found, beside]) => {
    expect(findingLines(runCheckOnPage(CONTENT_CHECKS, id, html, beside))).toEqual(found);
  });
});
