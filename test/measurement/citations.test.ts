import { describe, expect, test } from "vitest";
import { readCitations } from "../../core/reading/citations.ts";
import { brandCompetitorType, competitorTypeOfPage } from "../../core/brands/competitor-type.ts";
import { registrableDomain } from "../../core/domains.ts";
import { brand, catalogOf } from "./brands.ts";

describe("what kind of site a cited page is", () => {
  test.each([
    ["https://www.amazon.com/dp/B0", undefined, "RETAIL_ECOMMERCE"],
    ["https://smile.amazon.de/x", undefined, "RETAIL_ECOMMERCE"],
    ["https://en.wikipedia.org/wiki/Sony", undefined, "WIKI_ENCYCLOPEDIA"],
    ["https://old.reddit.com/r/x", undefined, "QA_FORUM"],
    ["https://www.youtube.com/watch?v=1", undefined, "INFLUENCER_CREATOR_BLOG"],
    ["https://www.rtings.com/headphones", undefined, "PRODUCT_REVIEW_SITE"],
    ["https://forums.tomshardware.com/threads/1", undefined, "QA_FORUM"],
    ["https://www.nytimes.com/best", undefined, "NEWS_MEDIA"],
    ["https://www.energy.gov/x", undefined, "GOVERNMENT_ACADEMIC"],
    ["https://www.ox.ac.uk/x", undefined, "GOVERNMENT_ACADEMIC"],
    ["https://cs.stanford.edu", undefined, "GOVERNMENT_ACADEMIC"],
    ["https://help.example.com/x", undefined, "COMMUNITY_HELP_CENTER"],
    ["https://example.com/best-phones/", undefined, "PRODUCT_REVIEW_SITE"],
    ["https://example.com/a", "Phone A vs. Phone B", "COMPARISON_SITE"],
    ["https://example.com/a", "The best phones of 2025", "PRODUCT_REVIEW_SITE"],
    ["https://shop.example.com/a", undefined, "RETAIL_ECOMMERCE"],
    ["https://example.com/blog/a", undefined, "SPECIALIST_BLOG"],
    ["https://someone.substack.com/p/a", undefined, "INFLUENCER_CREATOR_BLOG"],
    ["https://example.com/a", "About us", "UNKNOWN"],
    ["not an address", undefined, "UNKNOWN"],
  ])("%s %s: %s", (url, title, type) => {
    expect(competitorTypeOfPage({ url, title, brand: undefined })).toBe(type);
  });

  test("a tracked competitor's site is branded even where it is a known shop", () => {
    const page = { url: "https://www.amazon.com/x", title: undefined };
    expect(competitorTypeOfPage({ ...page, brand: brand("Amazon") })).toBe("BRANDED_WEBSITE");
    expect(competitorTypeOfPage({ ...page, brand: brand("Amazon", { relationship: "other" }) })).toBe(
      "RETAIL_ECOMMERCE",
    );
  });
});

test.each([
  [["amazon.com"], "RETAIL_ECOMMERCE"],
  [["https://www.sony.com/", "youtube.com"], "INFLUENCER_CREATOR_BLOG"],
  [["sony.com"], "BRANDED_WEBSITE"],
  [[], "UNKNOWN"],
])("a brand with the domains %j is a %s", (domains, type) => {
  expect(brandCompetitorType({ domains })).toBe(type);
});

test.each([
  ["https://shop.example.co.uk/a?b", "example.co.uk"],
  ["HTTPS://WWW.Example.COM:8080", "example.com"],
  ["http://localhost/x", "localhost"],
  ["http://192.0.2.1/x", "192.0.2.1"],
  ["https://xn--bcher-kva.example/", "xn--bcher-kva.example"],
])("the registrable domain of %s is %s", (url, domain) => {
  expect(registrableDomain(url)).toBe(domain);
});

test("a page is cited once, at its first position, and belongs to the most specific brand", () => {
  const catalog = catalogOf(
    brand("Google", { domains: ["google.com"] }),
    brand("Store", { domains: ["store.google.com"], parent_id: "Google", kind: "sub_brand" }),
  );
  const citations = readCitations(
    [
      { url: "https://a.example/x/?utm_source=chat#part", position: 3, title: "A" },
      { url: "http://www.a.example/x", position: 1 },
      { url: "https://store.google.com/x?id=1", position: 2 },
      { url: "https://store.google.com/x?id=2", position: 4 },
      { url: "nowhere", position: 5 },
    ],
    catalog,
  );
  const type = "BRANDED_WEBSITE";
  const google = { domain: "google.com", competitor_type: type, brand_id: "Store" };
  expect(citations).toEqual([
    { url: "http://www.a.example/x", position: 1, domain: "a.example", competitor_type: "UNKNOWN", brand_id: null },
    { url: "https://store.google.com/x?id=1", position: 2, ...google },
    { url: "https://store.google.com/x?id=2", position: 4, ...google },
  ]);
});
