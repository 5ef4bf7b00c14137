import { describe, expect, test } from "vitest";
import { CONTENT_CHECKS } from "../../../core/audits/content/content-checks.ts";
import { runCheckOnPage, findingLines, type CheckCases } from "../run-check-on-page.ts";

const page = (html: string, head = "") => `${head}<main><h1>Kettles</h1>\n${html}<p>Text</main>`;
const json = (value: object) => `<script type="application/ld+json">${JSON.stringify(value)}</script>`;
const NAMED = ["pass", "The page names its author."];
const NONE = ["fail", "The page names no author."];

const AUTHOR: CheckCases = [
  ["with a byline", page("<p class=post-author>Ann Lee"), NAMED],
  ["with a link to the author", page("<a rel=author href=/ann>Ann Lee</a>"), NAMED],
  ["with a meta", page("", "<meta name=author content='Ann Lee'>"), NAMED],
  [
    "with structured data",
    page("", json({ "@type": "Article", author: [{ "@type": "Person", name: "Ann Lee" }] })),
    NAMED,
  ],
  [
    "with microdata",
    page("<div itemscope><p itemprop=author itemscope><span itemprop=name>Ann Lee</span></div>"),
    NAMED,
  ],
  ["with a line", page("<p>By Ann Lee, 1 May 2026"), NAMED],
  ["with a German line", page("<p>Von Änne Roe"), NAMED],
  ["with a Japanese line", page("<p>著者：山田花子"), NAMED],
  [
    "with an account's name",
    page("<p class=byline>By Admin"),
    ["warn", "The page names no person as its author.", "2: By Admin"],
  ],
  [
    "with its team",
    page("", "<meta name=author content='Editorial Team'>"),
    ["warn", "The page names no person as its author.", "1: Editorial Team"],
  ],
  ["without one", page("<p>By boiling water you make tea.<p class=authority>x<p class=byline></p>"), NONE],
  ["with structured data that is broken", page("", "<script type='application/ld+json'>{author:</script>"), NONE],
  [
    "that is a product's",
    page(""),
    ["skipped", "The check is for articles and comparisons; this page is of type product."],
    { pageType: "product" },
  ],
];

const FRESHNESS: CheckCases = [
  [
    "with its day as a heading, outside of what is taken for the main content",
    `<div><h2>Sunday, 10 May 2026</h2><div><h1>Kettles</h1><p>${"A kettle boils water. ".repeat(20)}</div></div>`,
    ["pass", "The page was last changed 22 days ago."],
  ],
  [
    "with a recent date",
    page("<time datetime=2026-05-01>1 May</time>"),
    ["pass", "The page was last changed 31 days ago."],
  ],
  [
    "with the day of its publication in a meta element of an older kind",
    page("", '<meta name="pubdate" content="2026-05-01">'),
    ["pass", "The page was last changed 31 days ago."],
  ],
  [
    "with a change since",
    page("", json({ datePublished: "2015-01-01", dateModified: "2026-05-30T10:00:00+02:00" })),
    ["pass", "The page was last changed 2 days ago."],
  ],
  ["with a date in words", page("<p>Updated May 31, 2026"), ["pass", "The page was last changed 1 days ago."]],
  [
    "that is old",
    page("<time datetime=2024-01-01>2024</time>"),
    ["warn", "The page was last changed 882 days ago.", "2: 2024-01-01"],
  ],
  [
    "that is out of date",
    page("<p>Stand: 1. März 2020"),
    ["fail", "The page was last changed 2283 days ago.", "2: Stand: 1. März 2020"],
  ],
  [
    "that compares and is a year old",
    page("<time datetime=2025-05-01>"),
    ["warn", "The page was last changed 396 days ago.", "2: 2025-05-01"],
    { pageType: "comparison" },
  ],
  [
    "with a related article's date after its own",
    page("<time datetime=2019-01-01>2019</time>", json({ dateModified: "2026-05-30" })),
    ["pass", "The page was last changed 2 days ago."],
  ],
  [
    "with a date to come",
    page("<time datetime=2027-05-01>1 May</time>"),
    ["warn", "The page has a date in the future.", "2: 2027-05-01"],
  ],
  ["without a date", page("<p>Founded in 1998."), ["fail", "The page states no date of publication or change."]],
  [
    "of a manual without a date",
    page(""),
    ["warn", "The page states no date of publication or change."],
    { pageType: "documentation" },
  ],
  [
    "of a product without a date",
    page(""),
    ["skipped", "The page shows no date, and a product page need not."],
    { pageType: "product" },
  ],
  [
    "that is a home page",
    page(""),
    ["skipped", "The check is for articles, comparisons, product pages and documentation; this page is of type home."],
    { pageType: "home" },
  ],
];

describe.each([
  ["author_named", AUTHOR],
  ["freshness", FRESHNESS],
] as const)("the check %s", (id, cases) => {
  test.for(cases)("a page %s", ([, html, found, beside]) => {
    expect(findingLines(runCheckOnPage(CONTENT_CHECKS, id, html, beside))).toEqual(found);
  });
});
