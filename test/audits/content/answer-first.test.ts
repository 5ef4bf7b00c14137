import { describe, expect, test } from "vitest";
import { CONTENT_CHECKS } from "../../../core/audits/content/content-checks.ts";
import { runCheckOnPage, findingLines, type CheckCases } from "../run-check-on-page.ts";

const ANSWER = "An electric kettle boils a litre of water in three minutes and uses half the energy of a gas stove.";
const LONG = `An electric kettle ${"boils a litre of water and ".repeat(15)}switches itself off.`;
const PASS = ["pass", "The first passage stands by itself."];
const main = (html: string) => `<main><h1>Kettles</h1>${html}</main>`;

const ANSWER_FIRST: CheckCases = [
  ["with an answer", main(`<p>${ANSWER}<p>More`), PASS],
  ["with a byline before it", main(`<p>By Ann Lee, 1 May 2026</p><p>${ANSWER}`), PASS],
  [
    "with a table of contents that is linked",
    main(`<ul>${"<li><a href=#a>How kettles boil</a>".repeat(9)}</ul><p>${ANSWER}`),
    PASS,
  ],
  ["with a long passage whose first sentence is short", main(`<p>${ANSWER} ${LONG.repeat(2)}`), PASS],
  [
    "with an answer in Japanese",
    main("<p>電気ケトルは一リットルの水を三分で沸かし、ガスコンロの半分のエネルギーしか使いません。"),
    PASS,
  ],
  [
    "that says what is important",
    main(`<p>It is important to descale a kettle once a month, because limescale slows it down by a third.`),
    PASS,
  ],
  [
    "that begins with the time it is",
    `<html lang=en>${main("<p>This year the electric kettle overtook the gas stove in the kitchens of all the larger towns of the north.")}`,
    PASS,
  ],
  [
    "that begins with the time it is in German",
    `<html lang=de>${main("<p>Dieses Jahr hat der Wasserkocher den Gasherd in den Küchen aller größeren Städte des Nordens überholt, wie es sich lange zeigte.")}`,
    PASS,
  ],
  [
    "that says what is easier",
    `<html lang=en>${main("<p>It’s easier than ever to boil water at your desk, because a small kettle needs no more than a socket and a cup.")}`,
    PASS,
  ],
  [
    "that announces",
    main(
      `<p>In this article we look at the best kettles and tell you which of them you should buy this year.<p>${ANSWER}`,
    ),
    [
      "warn",
      "The first passage announces an answer and does not give it.",
      "1: In this article we look at the best kettles and tell you which of them you should buy this year.",
    ],
  ],
  [
    "that announces in German",
    main(
      "<p>In diesem Artikel erfahren Sie alles, was Sie über Wasserkocher wissen müssen, bevor Sie einen davon kaufen.",
    ),
    [
      "warn",
      "The first passage announces an answer and does not give it.",
      "1: In diesem Artikel erfahren Sie alles, was Sie über Wasserkocher wissen müssen, bevor Sie einen davon kaufen.",
    ],
  ],
  [
    "that asks",
    main("<p>Which of the many kettles on the market today should you buy for a small kitchen and a large family?"),
    [
      "warn",
      "The first passage asks instead of answering.",
      "1: Which of the many kettles on the market today should you buy for a small kitchen and a large family?",
    ],
  ],
  [
    "that refers back",
    `<html lang=en>${main("<p>It boils a litre of water in three minutes and uses half the energy of a gas stove.")}`,
    [
      "warn",
      "The first passage begins with a word that refers to something else.",
      "1: It boils a litre of water in three minutes and uses half the energy of a gas stove.",
    ],
  ],
  [
    "with much before it",
    main(`${"<p>Best price and fast shipping today".repeat(11)}<p>${ANSWER}`),
    ["warn", "66 words stand before the first passage.", `1: ${ANSWER}`],
  ],
  [
    "with one long sentence",
    main(`\n<p>${LONG}`),
    ["warn", "The first passage has 96 words, and its first sentence is long.", `2: ${LONG.slice(0, 199)}…`],
  ],
  [
    "with teasers alone",
    main("<p>Fast<p>Cheap<p>Quiet"),
    ["fail", "The main content has no passage of 15 words or more."],
  ],
  [
    "that is a home page",
    main("<p>Fast"),
    [
      "skipped",
      "The check is for articles, product pages, comparisons, documentation and other pages; this page is of type home.",
    ],
    { pageType: "home" },
  ],
];

const product = { pageType: "product" } as const;
const near = (lang: string, sentence: string) => `<html lang=${lang}>${main(`<p>${sentence}`)}`;
const DEFINED = ["pass", "A sentence near the top says what it is about."];
const DEFINITION_FIRST: CheckCases = [
  ["with a definition", near("en", "The K1 is an electric kettle for small kitchens."), DEFINED, product],
  ["with one in German", near("de", "Der K1 ist ein Wasserkocher für kleine Küchen zu Hause."), DEFINED, product],
  ["with one in French", near("fr", "La K1 est une bouilloire pour les petites cuisines."), DEFINED, product],
  ["with one in Spanish", near("es", "El K1 es un hervidor para las cocinas pequeñas."), DEFINED, product],
  ["with one in Japanese", near("ja", "K1は小さなキッチンのための電気ケトルです。"), DEFINED, product],
  [
    "without one",
    near("en", "Boil faster than ever before with less noise at home."),
    [
      "warn",
      "No sentence near the top says what the product or subject is.",
      "1: Boil faster than ever before with less noise at home.",
    ],
    product,
  ],
  [
    "with one far below",
    near("en", `${"Boil faster than ever before with less noise at home.<p>".repeat(4)}The K1 is an electric kettle.`),
    [
      "warn",
      "No sentence near the top says what the product or subject is.",
      "1: Boil faster than ever before with less noise at home.",
    ],
    product,
  ],
  [
    "without text",
    main("<p>Fast"),
    ["skipped", "The check knows English, German, French, Spanish and Japanese."],
    product,
  ],
  ["without passages", near("en", "Fast"), ["fail", "The main content has no passage of text."], product],
  [
    "in a language it does not know",
    near("pl", "To jest czajnik."),
    ["skipped", "The check knows English, German, French, Spanish and Japanese."],
    product,
  ],
  [
    "that is an article",
    near("en", "x"),
    ["skipped", "The check is for product pages and documentation; this page is of type article."],
  ],
];

describe.each([
  ["answer_first", ANSWER_FIRST],
  ["definition_first", DEFINITION_FIRST],
] as const)("the check %s", (id, cases) => {
  test.for(cases)("a page %s", ([, html, found, beside]) => {
    expect(findingLines(runCheckOnPage(CONTENT_CHECKS, id, html, beside))).toEqual(found);
  });
});
