import { expect, test } from "vitest";
import { auditPage, compareFindings, type PageAuditInput } from "../../core/audits/audit-page.ts";
import { READER, RULES } from "./rules.ts";

const URL = "https://acme.test/products/x1";
const none = { xRobotsTag: [], link: [], contentLanguage: null, cacheControl: null, etag: null, lastModified: null };
const order: PageAuditInput = {
  fetched: {
    url: URL,
    finalUrl: URL,
    redirects: [],
    status: 200,
    headers: { contentType: "text/html", ...none },
    responseMs: 12,
    bytes: 40,
    html: "<title> Acme\n X1 </title>",
    encoding: "UTF-8",
    isTruncated: false,
  },
  site: {
    origin: "https://acme.test",
    robots: { text: "", status: 200 },
    sitemap: { urls: [URL], files: [], faults: [] },
    llmsTxt: null,
  },
  siteFindings: [{ check: "crawlers", outcome: "fail", message: "", evidence: [] }],
  brandNames: ["Acme"],
  pageType: null,
  fetchedAtMs: 0,
};
const reported = { check: "reported", outcome: "fail", message: "It is reported only.", evidence: [] };

test("an audited page has title, type, findings and scores, including the site's findings", () => {
  expect(auditPage(RULES, order, READER)).toEqual({
    title: "Acme X1",
    pageType: "product",
    typeConfidence: 0.8,
    outcome: "pass",
    // (6 of 8 in crawlability, 100, 100)
    score: 92,
    scores: {
      crawlability: { score: 75, checks: 3 },
      semantic: { score: 100, checks: 1 },
      content: { score: 100, checks: 1 },
    },
    outcomes: { fail: ["reported"], warn: [], skipped: [], passed: 4 },
    findings: [
      { check: "status", outcome: "pass", message: "It answers.", evidence: [] },
      { check: "listed", outcome: "pass", message: "It is listed.", evidence: [] },
      { check: "titled", outcome: "pass", message: "It has one title.", evidence: [] },
      { check: "named", outcome: "pass", message: "The product page names the brand.", evidence: [] },
      reported,
    ],
  });
});

test("a page type set by a user is final and certain", () => {
  const audited = auditPage(RULES, { ...order, pageType: "article", brandNames: [] }, READER);
  expect(audited).toMatchObject({ pageType: "article", typeConfidence: 1, outcome: "warn" });
  expect(audited.findings[3]?.message).toBe("The article page does not name the brand.");
});

test("without HTML, only address checks run, and others are skipped with the reason", () => {
  const unread = "The page answers with an error (HTTP 404).";
  const audited = auditPage(RULES, { ...order, fetched: { ...order.fetched, status: 404, html: "" }, unread }, READER);
  expect(audited).toEqual({
    title: null,
    pageType: null,
    typeConfidence: null,
    outcome: "fail",
    score: 10,
    scores: {
      crawlability: { score: 10, checks: 3 },
      semantic: { score: null, checks: 0 },
      content: { score: null, checks: 0 },
    },
    outcomes: { fail: ["status"], warn: [], skipped: ["titled", "named", "reported"], passed: 1 },
    findings: [
      { check: "status", outcome: "fail", message: "It answers 404.", evidence: [] },
      { check: "listed", outcome: "pass", message: "It is listed.", evidence: [] },
      ...["titled", "named", "reported"].map((check) => ({ check, outcome: "skipped", message: unread, evidence: [] })),
    ],
  });
});

test("unchanged HTML keeps its findings, except those of the address", () => {
  const first = auditPage(RULES, order, READER);
  const { title, pageType, typeConfidence, findings } = first;
  const again = {
    ...order,
    fetched: { ...order.fetched, html: "" },
    cached: { title, pageType, typeConfidence, findings },
  };
  expect(auditPage(RULES, again, READER)).toEqual(first);
  const unlisted = { ...again, site: { ...again.site, sitemap: { unread: "There is none." } } };
  const changed = auditPage(RULES, unlisted, READER);
  expect(changed).toMatchObject({ title: "Acme X1", outcome: "warn", outcomes: { warn: ["listed"], passed: 3 } });
  expect(compareFindings(changed.findings, findings)).toEqual([{ check: "listed", was: "pass", is: "warn" }]);
  expect(compareFindings(first.findings, findings)).toEqual([]);
  expect(compareFindings(first.findings, undefined)).toEqual([]);
});
