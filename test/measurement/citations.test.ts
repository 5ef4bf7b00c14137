import { describe, expect, test } from "vitest";
import { resolveCitations } from "../../core/reading/citations.ts";
import { getBrandCompetitorType, detectCompetitorType } from "../../core/brands/competitor-type.ts";
import { registrableDomain } from "../../core/identity/domains.ts";
import { brand, catalogOf } from "./brands.ts";

describe("site type of a cited page", () => {
  test.each([
    ["https://www.amazon.com/dp/B0", "RETAIL_ECOMMERCE"],
    ["https://smile.amazon.de/x", "RETAIL_ECOMMERCE"],
    ["https://aws.amazon.com/polly/", "BRANDED_WEBSITE"],
    ["https://apps.apple.com/us/app/x/id1", "RETAIL_ECOMMERCE"],
    ["https://en.wikipedia.org/wiki/Sony", "WIKI_ENCYCLOPEDIA"],
    ["https://old.reddit.com/r/x", "QA_FORUM"],
    ["https://www.youtube.com/watch?v=1", "INFLUENCER_CREATOR_BLOG"],
    ["https://www.rtings.com/headphones", "PRODUCT_REVIEW_SITE"],
    ["https://forums.tomshardware.com/threads/1", "QA_FORUM"],
    ["https://www.nytimes.com/best", "NEWS_MEDIA"],
    ["https://slack.com/blog/best-chat-apps", "BRANDED_WEBSITE"],
    ["https://www.energy.gov/x", "GOVERNMENT_ACADEMIC"],
    ["https://www.ox.ac.uk/x", "GOVERNMENT_ACADEMIC"],
    ["https://cs.stanford.edu", "GOVERNMENT_ACADEMIC"],
    ["https://help.example.com/x", "COMMUNITY_HELP_CENTER"],
    ["https://example.com/", "BRANDED_WEBSITE"],
    ["https://example.com/de/", "BRANDED_WEBSITE"],
    ["https://example.com/pricing", "BRANDED_WEBSITE"],
    ["https://example.com/audio-to-text", "BRANDED_WEBSITE"],
    ["https://example.com/blog/10-best-phones-compared", "BRANDED_WEBSITE"],
    ["https://blog.example.com/10-best-phones-compared", "BRANDED_WEBSITE"],
    ["https://example.ai/10-best-phones-compared", "BRANDED_WEBSITE"],
    ["https://example.com/10-best-phones-of-the-year", "SPECIALIST_BLOG"],
    ["https://example.com/reviews/phone-a", "PRODUCT_REVIEW_SITE"],
    ["https://phone-reviews.example/a/b", "PRODUCT_REVIEW_SITE"],
    ["https://example.com/compare/a-or-b", "COMPARISON_SITE"],
    ["https://example.com/2026/03/phone-a-is-out", "NEWS_MEDIA"],
    ["https://example-times.com/a/b", "NEWS_MEDIA"],
    ["https://example.com/viewtopic.php?t=1", "QA_FORUM"],
    ["https://shop.example.com/a", "RETAIL_ECOMMERCE"],
    ["https://someone.substack.com/p/a", "INFLUENCER_CREATOR_BLOG"],
    ["https://example.com/x/what-people-say-of-phones", "UNKNOWN"],
    ["not an address", "UNKNOWN"],
  ])("%s: %s", (url, type) => {
    expect(detectCompetitorType({ url, brand: undefined })).toBe(type);
  });

  test("a tracked competitor's site is branded even if it is a known shop", () => {
    const page = { url: "https://www.amazon.com/x" };
    expect(detectCompetitorType({ ...page, brand: brand("Amazon") })).toBe("BRANDED_WEBSITE");
    expect(detectCompetitorType({ ...page, brand: brand("Amazon", { relationship: "other" }) })).toBe(
      "RETAIL_ECOMMERCE",
    );
  });
});

test.each([
  [["amazon.com"], "RETAIL_ECOMMERCE"],
  [["https://www.unknown.example/", "youtube.com"], "INFLUENCER_CREATOR_BLOG"],
  [["sony.com"], "BRANDED_WEBSITE"],
  [[], "UNKNOWN"],
])("a brand with the domains %j is a %s", (domains, type) => {
  expect(getBrandCompetitorType({ domains })).toBe(type);
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
  const citations = resolveCitations(
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
    {
      url: "http://www.a.example/x",
      position: 1,
      domain: "a.example",
      competitor_type: "BRANDED_WEBSITE",
      brand_id: null,
    },
    { url: "https://store.google.com/x?id=1", position: 2, ...google },
    { url: "https://store.google.com/x?id=2", position: 4, ...google },
  ]);
});
