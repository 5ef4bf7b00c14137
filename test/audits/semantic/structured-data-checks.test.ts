import { describe, expect, test } from "vitest";
import { STRUCTURED_DATA_CHECKS } from "../../../core/audits/semantic/structured-data.ts";
import { runCheckOnPage, findingLines, type CheckCases } from "../run-check-on-page.ts";

const block = (value: unknown) =>
  `<script type="application/ld+json">${typeof value === "string" ? value : JSON.stringify(value)}</script>`;
const C = "https://schema.org";
const ARTICLE = { "@context": C, "@type": "Article", headline: "Kettles" };
const SITE = { "@context": C, "@type": "WebSite", name: "Acme", url: "https://www.example.com/" };

const CASES: Readonly<Record<string, CheckCases>> = {
  structured_data_present: [
    ["with a block", block(ARTICLE), ["pass", "The page describes 1 item in structured data."]],
    [
      "with microdata",
      `<div itemscope itemtype="${C}/Product"><b itemprop="name">Kettle</b></div>`,
      ["pass", "The page describes 1 item in structured data."],
    ],
    ["without any", "<p>Kettles", ["warn", "The page has no structured data."]],
    [
      "with a block that is no JSON",
      block("{"),
      ["warn", "The page's structured data describes nothing in the vocabulary of schema.org."],
    ],
    [
      "with another vocabulary",
      block({ "@context": "https://www.w3.org/ns/activitystreams", "@type": "Person", name: "Jane" }),
      ["warn", "The page's structured data describes nothing in the vocabulary of schema.org."],
    ],
    [
      "with a script of another type",
      `<script type="application/json">${JSON.stringify(ARTICLE)}</script>`,
      ["warn", "The page has no structured data."],
    ],
  ],
  structured_data_parses: [
    ["with two blocks", block(ARTICLE) + block(SITE), ["pass", "The page has 2 blocks of JSON-LD that can be read."]],
    ["without blocks", "<p>Kettles", ["skipped", "The page has no blocks of JSON-LD."]],
    [
      "with a trailing comma",
      `\n${block(`{"@context":"${C}",\n"@type":"Article",}`)}`,
      [
        "fail",
        "Structured data cannot be read in 1 place.",
        "3: The block has a JSON syntax error at line 2, column 19.",
      ],
    ],
    [
      "without a context",
      block({ "@type": "Article", headline: "x" }) + block(SITE),
      [
        "fail",
        "Structured data cannot be read in 1 place.",
        "1: Article: The block has no @context, so its names have no meaning.",
      ],
    ],
    [
      "with a type that does not exist",
      block({ "@context": C, "@type": "Artikel" }),
      ["pass", "The page has 1 block of JSON-LD that can be read."],
    ],
  ],
  structured_data_valid: [
    ["with known names and values", block(SITE), ["pass", "Structured data is valid."]],
    [
      "with a wrong date",
      block({ ...ARTICLE, datePublished: "May 1" }),
      [
        "fail",
        "Structured data has 1 error.",
        "1: Article.datePublished: The property expects a date of ISO 8601, such as 2026-03-31, or a date with a time of ISO 8601, such as 2026-03-31T09:00:00Z.",
      ],
    ],
    [
      "with a property of another type",
      block({ ...ARTICLE, price: 5 }),
      [
        "warn",
        "Structured data has 1 doubtful value.",
        "1: Article.price: schema.org has the property for other types, not for this one.",
      ],
    ],
    [
      "that lacks what a rich result requires",
      block({ "@context": C, "@type": "Product", name: "Kettle" }),
      ["pass", "Structured data is valid."],
    ],
    ["without any", "<p>Kettles", ["skipped", "The page describes nothing in structured data."]],
  ],
  structured_data_fits_type: [
    [
      "of an article",
      block({ ...ARTICLE, "@type": "BlogPosting" }),
      ["pass", "Structured data describes a page of type article."],
    ],
    [
      "of an article that describes its site alone",
      block(SITE),
      [
        "warn",
        "A page of type article should describe one of: Article, Recipe, Review or the like. Its structured data does not.",
        "1: WebSite",
      ],
    ],
    [
      "of a product that another item only names",
      block({ ...ARTICLE, mentions: { "@type": "Product", name: "Kettle" } }),
      [
        "warn",
        "A page of type product should describe one of: Product, SoftwareApplication, Service or the like. Its structured data does not.",
        "1: Article",
      ],
      { pageType: "product" },
    ],
    [
      "of a category with a trail alone",
      block({ "@context": C, "@type": "BreadcrumbList", itemListElement: [] }),
      [
        "warn",
        "A page of type category should describe one of: ItemList, CollectionPage, OfferCatalog or the like. Its structured data does not.",
        "1: BreadcrumbList",
      ],
      { pageType: "category" },
    ],
    [
      "of a category",
      block({ "@context": C, "@type": "ItemList", itemListElement: [] }),
      ["pass", "Structured data describes a page of type category."],
      { pageType: "category" },
    ],
    ["of no type", block(SITE), ["skipped", "No type is expected of a page of this type."], { pageType: "other" }],
    ["without any", "<p>Kettles", ["skipped", "The page describes nothing in structured data."]],
  ],
  structured_data_rich_result: [
    [
      "with all that is required",
      block(SITE),
      ["pass", "Structured data has every property that rich results require."],
    ],
    [
      "with all that is required, and not all that is recommended",
      block(ARTICLE),
      ["pass", "Structured data has every property that rich results require. 4 more are recommended."],
    ],
    [
      "without what is required",
      `\n${block({ "@context": C, "@type": "Product", name: "Kettle" })}`,
      [
        "fail",
        "1 value that rich results require is missing.",
        '2: Product.offers|review|aggregateRating: Google requires the property for the rich result "product".',
      ],
    ],
    [
      "without what a former rich result required",
      block({ "@context": C, "@type": "HowTo", step: "Boil" }),
      [
        "warn",
        "1 value that former rich results required is missing.",
        '1: HowTo.name: Google required the property for the former rich result "how-to"; without it the item says little.',
      ],
    ],
    [
      "of no rich result",
      block({ "@context": C, "@type": "Thing", name: "x" }),
      ["skipped", "The page describes nothing that is shown as a rich result."],
    ],
    ["without any", "<p>Kettles", ["skipped", "The page describes nothing that is shown as a rich result."]],
  ],
};

describe.each(STRUCTURED_DATA_CHECKS.map(({ id }) => id))("%s", (id) => {
  test.each((CASES[id] ?? []).map((one) => [...one] as const))("a page %s", (_title, html, found, beside) => {
    expect(findingLines(runCheckOnPage(STRUCTURED_DATA_CHECKS, id, html, beside))).toEqual(found);
  });
});

test("every check has cases", () => {
  expect(Object.keys(CASES)).toEqual(STRUCTURED_DATA_CHECKS.map(({ id }) => id));
});
