import { describe, expect, test } from "vitest";
import { CONTENT_CHECKS } from "../../../core/audits/content/content-checks.ts";
import { runCheckOnPage, findingLines, type CheckCases } from "../run-check-on-page.ts";

const TEXT = "The kettle boils water fast and then switches itself off. ".repeat(12);
const page = (html: string, text = TEXT) => `<main><h1>Kettles</h1>\n${html}<p>${text}</main>`;
const product = { pageType: "product" } as const;

const FIGURES: CheckCases = [
  [
    "with figures",
    page("<p>It boils 1.5 l in 3 minutes and costs $49."),
    ["pass", "The main content gives 3 figures with units or more."],
  ],
  [
    "with German ones",
    page("<p>Er kocht 1,5 Liter in 3 Minuten und kostet 49 €."),
    ["pass", "The main content gives 3 figures with units or more."],
  ],
  [
    "with Japanese ones",
    page("<p>1.5リットルを3分で沸かし、価格は4900円です。"),
    ["pass", "The main content gives 3 figures with units or more."],
  ],
  ["with one", page("<p>It boils in 3 minutes."), ["warn", "The main content gives 1 figure with units."]],
  [
    "with numbers of other things",
    page("<p>Chapter 3 of the 2024 edition, page 17."),
    ["warn", "The main content gives no figures with units."],
  ],
  ["of a product without any", page(""), ["fail", "The main content gives no figures with units."], product],
  [
    "with figures in code",
    page("<pre>3 kg 4 kg 5 kg</pre>"),
    ["fail", "The main content gives no figures with units."],
    product,
  ],
  ["that is short", page("", "Short."), ["skipped", "The main content has 2 words."]],
  [
    "that is a category",
    page(""),
    ["skipped", "The check is for articles, product pages and comparisons; this page is of type category."],
    { pageType: "category" },
  ],
];

const QUOTE = "A kettle is the most efficient way to boil water.";
const QUOTATIONS: CheckCases = [
  [
    "with a named quote",
    page(`<blockquote>${QUOTE} <cite>Ann Lee</cite></blockquote>`),
    ["pass", "1 quotation with a named speaker."],
  ],
  [
    "with the address it is from",
    page(`<blockquote cite="https://a.test/">${QUOTE}</blockquote>`),
    ["pass", "1 quotation with a named speaker."],
  ],
  [
    "with a signed one",
    page(`<blockquote>${QUOTE}<br>— Ann Lee</blockquote>`),
    ["pass", "1 quotation with a named speaker."],
  ],
  [
    "with one signed below",
    page(`<blockquote><p>${QUOTE}</p></blockquote><p>– Ann Lee, engineer`),
    ["pass", "1 quotation with a named speaker."],
  ],
  [
    "with a figure's caption",
    page(`<figure><blockquote>${QUOTE}</blockquote><figcaption>Ann Lee</figcaption></figure>`),
    ["pass", "1 quotation with a named speaker."],
  ],
  [
    "with one whose source follows it",
    page(`<blockquote>${QUOTE}</blockquote> <p><cite>Ann Lee</cite>`),
    ["pass", "1 quotation with a named speaker."],
  ],
  [
    "with one that nothing after it is of: neither another's source nor the page's end",
    page(`<blockquote>${QUOTE}</blockquote><p>More is in <cite>Tea Weekly</cite>.</main><footer>Acme`),
    ["fail", "1 of 1 quotation does not name the speaker.", `2: ${QUOTE}`],
  ],
  [
    "with a quoted sentence",
    page(`<p>“${QUOTE}” said Ann Lee of the Kettle Institute.`),
    ["pass", "1 quotation with a named speaker."],
  ],
  [
    "with one whose source stands at the end of the next sentence",
    page(
      `<p>“${QUOTE}” That held for every model that was tried in two years and in five kitchens of the north, says Ann Lee.`,
    ),
    ["pass", "1 quotation with a named speaker."],
  ],
  ["with a German one", page(`<p>Laut Max Roe gilt: „${QUOTE}“`), ["pass", "1 quotation with a named speaker."]],
  ["with a French one", page(`<p>« ${QUOTE} », explique Anne Roe.`), ["pass", "1 quotation with a named speaker."]],
  [
    "with a Japanese one",
    page("<p>山田氏は「電気ケトルはお湯を沸かす最も効率的な方法です」と述べました。"),
    ["pass", "1 quotation with a named speaker."],
  ],
  [
    "with one that is not named",
    page(`<blockquote>${QUOTE}</blockquote>`),
    ["fail", "1 of 1 quotation does not name the speaker.", `2: ${QUOTE}`],
  ],
  [
    "with one of two that is not named",
    page(`<blockquote>${QUOTE}<footer>Ann Lee</footer></blockquote>\n<p>People say “${QUOTE}” all the time.`),
    ["warn", "1 of 2 quotations does not name the speaker.", `3: “${QUOTE}”`],
  ],
  [
    "with the name of a work",
    page("<p>The film “The Kettle That Boiled Over Twice” was shown again."),
    ["warn", "The main content has no quotations."],
  ],
  [
    "with words in quotation marks",
    page("<p>The “K1” is a “small” kettle."),
    ["warn", "The main content has no quotations."],
  ],
  [
    "that is a product's",
    page(""),
    ["skipped", "The check is for articles and comparisons; this page is of type product."],
    product,
  ],
];

const link = (href: string, rest = "") => `<a href="${href}" ${rest}>source</a>`;
const CITATIONS: CheckCases = [
  [
    "that cites",
    page(link("https://a.test/1") + link("//b.test/2")),
    ["pass", "The main content links to 2 other sites."],
  ],
  [
    "that cites one site twice",
    page(link("https://a.test/1") + link("https://www.a.test/2")),
    ["warn", "The main content links to 1 other site."],
  ],
  [
    "that links to itself, shares and advertises",
    page(
      link("https://shop.example.com/k") +
        link("/k") +
        link("https://www.facebook.com/sharer") +
        link("https://ad.test/", "rel='nofollow sponsored'") +
        link("mailto:a@b.test"),
    ),
    ["warn", "The main content links to 0 other sites."],
  ],
  [
    "with links in its footer alone",
    `${page("", TEXT.repeat(3))}<footer>${link("https://a.test")}</footer>`,
    ["fail", "The main content links to 0 other sites."],
  ],
  ["that is short", page("", "Short."), ["skipped", "The main content has 2 words."]],
  [
    "that is a home page",
    page(""),
    ["skipped", "The check is for articles and comparisons; this page is of type home."],
    { pageType: "home" },
  ],
];

describe.each([
  ["figures_with_units", FIGURES],
  ["attributed_quotations", QUOTATIONS],
  ["outbound_citations", CITATIONS],
] as const)("the check %s", (id, cases) => {
  test.for(cases)("a page %s", ([, html, found, beside]) => {
    expect(findingLines(runCheckOnPage(CONTENT_CHECKS, id, html, beside))).toEqual(found);
  });
});
