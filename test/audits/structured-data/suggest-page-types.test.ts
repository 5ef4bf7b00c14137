import { expect, test } from "vitest";
import { PAGE_TYPES } from "../../../core/audits/page-type.ts";
import { readStructuredData } from "../../../core/audits/structured-data/read-structured-data.ts";
import { listExpectedTypes, suggestPageTypes } from "../../../core/audits/structured-data/suggest-page-types.ts";
import { findType } from "../../../core/audits/structured-data/vocabulary.ts";

const one = (type: string, more: object = {}) => ({ "@type": type, name: "x", ...more });
const products = (count: number) => Array.from({ length: count }, () => one("Product"));
const list = (items: object[]) => one("ItemList", { itemListElement: items.map((item) => one("ListItem", { item })) });
const SITE = [one("WebSite"), one("Organization")];
const TRAIL = one("BreadcrumbList", { itemListElement: [one("ListItem"), one("ListItem"), one("ListItem")] });

test.each([
  ["nothing", [], []],
  ["a blog post", [...SITE, TRAIL, one("BlogPosting")], ["article"]],
  ["an article that names a product in passing", [one("Article", { mentions: one("Product") })], ["article"]],
  [
    "an article in a graph, that its author and site belong to",
    [
      one("Article", { "@id": "#a", isPartOf: { "@id": "#p" } }),
      one("WebPage", { "@id": "#p", mainEntity: { "@id": "#a" } }),
      one("Person"),
    ],
    ["article"],
  ],
  ["a product with its trail", [...SITE, TRAIL, one("Product")], ["product"]],
  ["a product of a page", [one("ItemPage", { mainEntity: one("Product") })], ["product"]],
  ["an application", [one("WebApplication")], ["product"]],
  [
    "a product that is a part of another",
    [one("Article"), one("Product", { "@id": "#k" }), one("Review", { itemReviewed: { "@id": "#k" } })],
    ["article"],
  ],
  ["a list of products", [...SITE, TRAIL, list(products(3))], ["category"]],
  ["a list of two", [list(products(2))], []],
  ["four products", products(4), ["category"]],
  ["a collection", [one("CollectionPage"), ...SITE], ["category"]],
  ["a blog", [one("Blog")], ["category"]],
  ["an article over a list of products", [one("Article"), list(products(3))], ["comparison", "article"]],
  ["a technical article", [one("TechArticle")], ["documentation"]],
  ["instructions", [one("HowTo")], ["documentation"]],
  ["a recipe", [one("Recipe")], ["article"]],
  ["questions alone", [one("FAQPage"), ...SITE], ["documentation"]],
  ["questions about a product", [one("FAQPage"), one("Product")], ["product"]],
  ["a job", [one("JobPosting"), ...SITE], ["other"]],
  ["a post in a forum", [one("DiscussionForumPosting")], ["other"]],
  ["a site and its owner", SITE, ["home"]],
  ["a site with a trail", [...SITE, TRAIL], []],
  ["a trail alone", [TRAIL], []],
  ["another vocabulary", [{ "@context": "https://example.org/", "@type": "Product" }], []],
])("%s speaks for %j", (_title, graph, expected) => {
  const text = JSON.stringify({ "@context": "https://schema.org", "@graph": graph });
  expect(suggestPageTypes(readStructuredData({ jsonLd: [{ text, offset: 0 }], microdata: [] }).items)).toEqual(
    expected,
  );
});

test("types that fit a page are schema.org's, and only a page of no type takes any", () => {
  expect(PAGE_TYPES.flatMap((type) => listExpectedTypes(type)).filter((name) => !findType(name))).toEqual([]);
  expect(PAGE_TYPES.filter((type) => listExpectedTypes(type).length === 0)).toEqual(["other"]);
});
