import type { AuditRules, PageReader } from "../../core/audits/audit-page.ts";
import { failed, passed, warned, type PageCheck, type SiteCheck } from "../../core/audits/check.ts";
import type { ParsedPage } from "../../core/audits/parsed-page.ts";

const about = {
  title: "It holds",
  howToFix: "Make it hold.",
  source: { name: "Rule", url: "https://example.com/rule" },
  strength: "practice",
} as const;

const status: PageCheck = {
  ...about,
  id: "status",
  area: "crawlability",
  weight: 5,
  failureCap: 10,
  of: "address",
  run: ({ fetched }) => (fetched.status < 400 ? passed("It answers.") : failed(`It answers ${fetched.status}.`)),
};
const listed: PageCheck = {
  ...about,
  id: "listed",
  area: "crawlability",
  weight: 1,
  of: "address",
  run: ({ fetched, site }) =>
    "urls" in site.sitemap && site.sitemap.urls.includes(fetched.url)
      ? passed("It is listed.")
      : warned("It is not listed."),
};
const titled: PageCheck = {
  ...about,
  id: "titled",
  area: "semantic",
  weight: 2,
  of: "page",
  run: ({ page }) =>
    page.titles.length === 1 ? passed("It has one title.") : failed(`It has ${page.titles.length} titles.`),
};
const named: PageCheck = {
  ...about,
  id: "named",
  area: "content",
  weight: 1,
  of: "page",
  run: ({ page, brandNames, pageType }) =>
    brandNames.some((name) => page.titles.some(({ text }) => text.includes(name)))
      ? passed(`The ${pageType} page names the brand.`)
      : warned(`The ${pageType} page does not name the brand.`),
};
const reported: PageCheck = {
  ...about,
  id: "reported",
  area: "content",
  weight: 0,
  of: "page",
  run: () => failed("It is reported only."),
};
const crawlers: SiteCheck = {
  ...about,
  id: "crawlers",
  area: "crawlability",
  weight: 2,
  run: ({ robots }) =>
    "unread" in robots ? failed("robots.txt could not be read.") : passed("robots.txt can be read."),
};

/** Few rules, so that rows can be compared whole. */
export const RULES: AuditRules = {
  version: 7,
  pageChecks: [status, listed, titled, named, reported],
  siteChecks: [crawlers],
};

/** Reads only titles; the address decides on the type `product`. */
export const READER: PageReader = {
  parse: (html) =>
    // These checks use no other fields.
    ({
      titles: [...html.matchAll(/<title>(.*?)<\/title>/gs)].map(({ 1: text = "", index }) => ({ text, at: index })),
    }) as unknown as ParsedPage,
  detectType: (_page, url) =>
    url.includes("/products/") ? { type: "product", confidence: 0.8 } : { type: "other", confidence: 0.3 },
};
