import { describe, expect, test } from "vitest";
import type { SiteSubject } from "../../../core/audits/check.ts";
import { CRAWLABILITY_SITE_CHECKS } from "../../../core/audits/crawlability/crawlability-checks.ts";
import { runSiteCheck } from "./scene.ts";

type Cases = readonly (readonly [title: string, site: Partial<SiteSubject>, found: readonly string[]])[];

const robots = (text: string, status = 200) => ({ robots: { text, status } });
const UNREAD = { robots: { unread: "The host does not exist." } };
const sitemap = (files: readonly string[], faults: readonly string[] = []) => ({
  sitemap: { urls: [], files, faults },
});
const answer = (userAgent: string, status = 200, isSame = true) => ({
  userAgent: `Mozilla/5.0 (compatible; ${userAgent}/1.0)`,
  status,
  isSame,
});

const CASES: Readonly<Record<string, Cases>> = {
  robots_readable: [
    ["that can be read", robots("User-agent: *\nDisallow: /a\nHost: shop.test"), ["pass", "robots.txt can be read."]],
    ["without a file", robots("<html>", 404), ["pass", "There is no robots.txt: crawlers may fetch everything."]],
    [
      "with lines that are passed over",
      robots("Disallow: /a\nUser-agent: *\nDissallow: /b\nDisallow: c\nNoindex: /d"),
      [
        "warn",
        "robots.txt has 3 lines that crawlers ignore.",
        "-: robots.txt, line 1: Disallow: /a",
        "-: robots.txt, line 3: Dissallow: /b",
        "-: robots.txt, line 4: Disallow: c",
      ],
    ],
    [
      "that is a page",
      robots("\n<!DOCTYPE html><title>Shop</title>"),
      ["warn", "robots.txt is an HTML page, in which crawlers find no rules."],
    ],
    [
      "that is too long",
      robots("User-agent: *\n".repeat(40_000)),
      ["warn", "robots.txt is longer than 500 kibibytes: crawlers leave out the rest."],
    ],
    [
      "whose server fails",
      robots("", 503),
      ["fail", "robots.txt answers with status 503: crawlers then fetch nothing."],
    ],
    [
      "that has too many requests",
      robots("", 429),
      ["fail", "robots.txt answers with status 429: crawlers then fetch nothing."],
    ],
    ["that could not be fetched", UNREAD, ["skipped", "robots.txt could not be read. The host does not exist."]],
  ],
  robots_names_sitemap: [
    ["that names one", robots("Sitemap: https://shop.test/s.xml"), ["pass", "robots.txt names 1 sitemap."]],
    ["that names none", robots("# Sitemap: https://shop.test/s.xml"), ["warn", "robots.txt names no sitemap."]],
    [
      "that names a part of an address",
      robots("Sitemap: https://shop.test/s.xml\nSitemap: /t.xml"),
      ["warn", "robots.txt names 1 sitemap without a full URL.", "-: robots.txt, line 2: Sitemap: /t.xml"],
    ],
    ["that could not be fetched", UNREAD, ["skipped", "robots.txt could not be read. The host does not exist."]],
  ],
  sitemap_readable: [
    ["with sitemaps", sitemap(["a", "b"]), ["pass", "2 sitemaps could be read."]],
    ["without one", sitemap([]), ["warn", "No sitemap was found."]],
    [
      "with a sitemap that has a fault",
      sitemap(["a"], ["One lastmod is not in the W3C format."]),
      ["warn", "The sitemap has 1 fault.", "-: One lastmod is not in the W3C format."],
    ],
    [
      "whose sitemap could not be fetched",
      { sitemap: { unread: "The host does not exist." } },
      ["skipped", "The host does not exist."],
    ],
  ],
  crawlers_not_blocked: [
    [
      "that is not verified",
      {},
      ["skipped", "The domain is not verified: crawlers' user agents are tried only on verified domains."],
    ],
    [
      "of which none was tried that counts",
      { crawlerAnswers: [answer("GPTBot", 403), answer("Firefox", 403)] },
      ["skipped", "No user agent of a crawler was tried."],
    ],
    [
      "that is down",
      { crawlerAnswers: [answer("bingbot", 502), answer("Claude-User", 500)] },
      ["skipped", "The start page answered every user agent with a server error."],
    ],
    [
      "that answers all but those for training",
      { crawlerAnswers: [answer("bingbot"), answer("Claude-User"), answer("GPTBot", 403)] },
      ["pass", "The start page answers all 2 crawlers that were tried."],
    ],
    [
      "that refuses some",
      { crawlerAnswers: [answer("bingbot"), answer("OAI-SearchBot", 403, false), answer("PerplexityBot", 503, false)] },
      ["fail", "The start page refuses 2 of 3 crawlers: OAI-SearchBot (403), PerplexityBot (503)."],
    ],
    [
      "that shows some another page",
      { crawlerAnswers: [answer("bingbot"), answer("OAI-SearchBot", 200, false)] },
      ["warn", "The start page shows 1 of 2 crawlers something else: OAI-SearchBot."],
    ],
  ],
  llms_txt: [
    ["without one", {}, ["pass", "There is no llms.txt. No answer engine documents that it reads one."]],
    [
      "with one",
      { llmsTxt: "\n# Shop\n> Kettles" },
      ["pass", "There is an llms.txt. No answer engine documents that it reads one."],
    ],
    [
      "with one that is something else",
      { llmsTxt: "## Shop" },
      ["warn", "llms.txt does not begin with a heading of the first level."],
    ],
  ],
};

describe.each(Object.entries(CASES))("%s of a site", (id, cases) => {
  test.each(cases.map(([title, site, found]) => ({ title, site, found })))("$title", ({ site, found }) => {
    expect(runSiteCheck(CRAWLABILITY_SITE_CHECKS, id, site)).toEqual(found);
  });
});

test("every check of a site has cases", () => {
  expect(Object.keys(CASES)).toEqual(CRAWLABILITY_SITE_CHECKS.map(({ id }) => id));
});
