import { expect, test } from "vitest";
import type { CheckDeclaration } from "../../core/audits/check.ts";
import { findFailedChecks, addFindingDetails } from "../../core/actions/rules/audit-rule.ts";
import type { AuditView, PageView, RivalPage } from "../../core/actions/audit-view.ts";
import { recommendFixes } from "../../core/actions/recommend.ts";

const H1: CheckDeclaration = {
  id: "h1_present",
  area: "semantic",
  title: "The page has one h1",
  weight: 3,
  howToFix: "Write one h1.",
  source: { name: "HTML standard", url: "https://html.spec.whatwg.org/" },
  strength: "practice",
};
const ANSWER_FIRST: CheckDeclaration = { ...H1, id: "answer_first", area: "content", title: "The answer comes first" };
const REPORTED: CheckDeclaration = { ...H1, id: "llms_txt", weight: 0 };
const OPEN: CheckDeclaration = {
  ...H1,
  id: "robots_open",
  area: "crawlability",
  title: "Search bots may fetch the site",
  weight: 5,
  failureCap: 0,
};

type Kind = "fail" | "warn" | "skipped" | "pass";

/** A page on which each of these checks has this outcome. */
function page(at: number, outcome: Kind, uses: Partial<Pick<PageView, "citedIn" | "readFor">> = {}): PageView {
  const all = [H1.id, REPORTED.id];
  const idsOf = (kind: Kind) => (outcome === kind ? all : []);
  const outcomes = { fail: idsOf("fail"), warn: idsOf("warn"), skipped: idsOf("skipped"), passed: 1 };
  return { id: `p${at}`, url: `https://own.test/${at}`, outcomes, citedIn: 0, readFor: 0, ...uses };
}

function rival(at: number, outcome: Kind, citedIn: number): RivalPage {
  const url = `https://rival.test/${at}`;
  return { ...page(at, outcome, { citedIn }), id: `r${at}`, url, brandId: "rival", brand: "Rival" };
}

/** Pages with these outcomes, in order. */
function pagesOf(...counts: [Kind, number][]): PageView[] {
  const kinds = counts.flatMap(([kind, count]) => Array.from({ length: count }, () => kind));
  return kinds.map((kind, at) => page(at, kind));
}

function viewOf(pages: readonly PageView[], more: Partial<AuditView> = {}): AuditView {
  const checks = { page: [H1, REPORTED], site: [OPEN] };
  return { collectId: "run", domain: "own.test", checks, pages, siteFindings: [], rivalPages: [], ...more };
}

const subjects = (view: AuditView) => findFailedChecks(view).map(({ subject }) => subject);

test("a check that many pages fail calls for work: three, or all of fewer, and a tenth", () => {
  expect(subjects(viewOf(pagesOf(["fail", 3], ["pass", 27])))).toEqual(["check:h1_present"]);
  expect(subjects(viewOf(pagesOf(["fail", 3], ["pass", 28])))).toEqual([]);
  expect(subjects(viewOf(pagesOf(["fail", 2], ["pass", 1])))).toEqual([]);
  expect(subjects(viewOf(pagesOf(["fail", 2])))).toEqual(["check:h1_present"]);
  // Skipped pages do not count as checked, and a warning is no failure.
  expect(subjects(viewOf(pagesOf(["fail", 2], ["skipped", 9])))).toEqual(["check:h1_present"]);
  expect(subjects(viewOf(pagesOf(["warn", 9])))).toEqual([]);
  expect(subjects(viewOf([]))).toEqual([]);
});

test("one failing page suffices if answers cite or use it", () => {
  const others = pagesOf(["pass", 30]).slice(1);
  expect(subjects(viewOf([page(0, "fail", { citedIn: 1 }), ...others]))).toEqual(["check:h1_present"]);
  expect(subjects(viewOf([page(0, "fail", { readFor: 1 }), ...others]))).toEqual(["check:h1_present"]);
  expect(subjects(viewOf([page(0, "fail"), ...others]))).toEqual([]);
  // The cited page passes.
  expect(subjects(viewOf([page(0, "fail"), page(1, "pass", { citedIn: 9 }), ...others.slice(1)]))).toEqual([]);
});

test("one failing page suffices if a competitor's cited page passes", () => {
  const pages = [page(0, "fail"), ...pagesOf(["pass", 30]).slice(1)];
  expect(subjects(viewOf(pages, { rivalPages: [rival(1, "pass", 2)] }))).toEqual(["check:h1_present"]);
  // Not cited, failing itself, or not looked at.
  expect(subjects(viewOf(pages, { rivalPages: [rival(1, "pass", 0)] }))).toEqual([]);
  expect(subjects(viewOf(pages, { rivalPages: [rival(1, "fail", 2), rival(2, "warn", 2)] }))).toEqual([]);
  expect(subjects(viewOf(pages, { rivalPages: [rival(1, "skipped", 2)] }))).toEqual([]);
  expect(subjects(viewOf(pagesOf(["pass", 30]), { rivalPages: [rival(1, "pass", 2)] }))).toEqual([]);
});

test("a check of the site calls for work wherever it fails, unless it is only reported", () => {
  const finding = { check: "robots_open", outcome: "fail" as const, message: "Closed.", evidence: [] };
  const pages = pagesOf(["pass", 4]);
  expect(subjects(viewOf(pages, { siteFindings: [finding] }))).toEqual(["site:robots_open"]);
  expect(subjects(viewOf(pages, { siteFindings: [{ ...finding, outcome: "warn" }] }))).toEqual([]);
  const checks = { page: [], site: [{ ...OPEN, weight: 0 }] };
  expect(subjects(viewOf(pages, { siteFindings: [finding], checks }))).toEqual([]);
});

test("evidence has the total first, then failing pages by use, then cited passing pages", () => {
  const pages = [
    page(0, "fail"),
    page(1, "fail", { readFor: 3 }),
    page(2, "fail", { citedIn: 2 }),
    page(3, "pass"),
    page(4, "warn"),
  ];
  const [found] = recommendFixes(viewOf(pages, { rivalPages: [rival(1, "pass", 4), rival(2, "fail", 9)] }), "Own");
  const told = found?.evidence.map(({ counted, answers, occurrences, url, brand, audit }) => {
    return [counted, answers, occurrences, url, brand, audit];
  });
  const nothing = { check: "h1_present", message: null, excerpt: null, line: null };
  const fail = { ...nothing, outcome: "fail" };
  expect(told).toEqual([
    [true, 5, 1, null, "Rival", { ...fail, page_id: null, cited_in: 2, read_for: 3 }],
    [false, 1, 0, "https://own.test/2", null, { ...fail, page_id: "p2", cited_in: 2, read_for: 0 }],
    [false, 1, 0, "https://own.test/1", null, { ...fail, page_id: "p1", cited_in: 0, read_for: 3 }],
    [false, 1, 0, "https://own.test/0", null, { ...fail, page_id: "p0", cited_in: 0, read_for: 0 }],
    [
      false,
      1,
      1,
      "https://rival.test/1",
      "Rival",
      { ...nothing, outcome: "pass", page_id: "r1", cited_in: 4, read_for: 0 },
    ],
  ]);
  // Pages weigh 1, 2.5 and 3 of 8.5 in all; the check 3 of 5; five pages were checked.
  const score = 100 * (0.45 * Math.sqrt(6.5 / 8.5) + 0.35 * 0.6 + (0.2 * 5) / 15);
  expect(found).toMatchObject({
    score: Math.round(10 * score) / 10,
    impact: "high",
    effort: "low",
    criticality: "high",
    timeline: "month",
    category: "technical",
    channel: "all",
    actionLabel: "Fix pages of Own that fail “The page has one h1”",
    reasoning:
      "3 of 5 pages (60 %) fail the check “The page has one h1”, and 1 only in part. Answers cite 1 of them (2 answers). Assistants read 1 of them for 3 answers without citing it. 1 cited page of competitors, mostly Rival, passes it. The check has weight 3 of 5 in the semantic score. Its source is HTML standard (practice).",
  });
});

test("keeps at most twenty rows of evidence", () => {
  const rivalPages = Array.from({ length: 9 }, (_, at) => rival(at, "pass", 1));
  const [found] = findFailedChecks(viewOf(pagesOf(["fail", 40]), { rivalPages }));
  expect(found?.evidence.length).toBe(20);
});

test("a failure that bounds its area's score comes first and within two weeks; content of many pages takes a quarter", () => {
  const siteFindings = [
    {
      check: "robots_open",
      outcome: "fail" as const,
      message: "Search bots are shut out.",
      evidence: [{ excerpt: "Disallow: /", line: 2 }],
    },
  ];
  const [closed] = recommendFixes(viewOf([page(0, "pass", { citedIn: 1 })], { siteFindings }), "Own");
  expect(closed).toMatchObject({
    criticality: "critical",
    timeline: "two_weeks",
    effort: "low",
    category: "technical",
  });
  expect(closed?.evidence).toMatchObject([
    {
      counted: true,
      answers: 1,
      occurrences: 0,
      domain: "own.test",
      audit: { message: "Search bots are shut out.", excerpt: "Disallow: /", line: 2 },
    },
  ]);
  const content = (count: number) => {
    const outcomes = { fail: [ANSWER_FIRST.id], warn: [], skipped: [], passed: 1 };
    const pages = pagesOf(["fail", count]).map((one) => ({ ...one, outcomes }));
    return recommendFixes(viewOf(pages, { checks: { page: [ANSWER_FIRST], site: [] } }), "Own")[0];
  };
  expect(content(20)).toMatchObject({ effort: "medium", timeline: "month", category: "content" });
  expect(content(21)).toMatchObject({ effort: "high", timeline: "quarter", category: "content" });
});

test("an evidence row has the finding of its page", () => {
  const [found] = findFailedChecks(viewOf(pagesOf(["fail", 2])));
  const [, row] = found?.evidence ?? [];
  if (!row) throw new Error("no row");
  const evidence = [{ excerpt: "<h2>Shop", line: 7 }];
  expect(addFindingDetails(row, { check: "h1_present", outcome: "fail", message: "No h1.", evidence })).toEqual({
    ...row,
    audit: { ...row.audit, message: "No h1.", excerpt: "<h2>Shop", line: 7 },
  });
  expect(addFindingDetails(row, undefined)).toBe(row);
});
