import { expect, test } from "vitest";
import { summariseAudit, type PageSummary } from "../../core/audits/summarise-audit.ts";
import type { AreaScores } from "../../core/audits/score-audit.ts";

const scores = (score: number): AreaScores => ({
  crawlability: { score, checks: 2 },
  semantic: { score: null, checks: 0 },
  content: { score: null, checks: 0 },
});
const page = (pageId: string, score: number, found: Partial<PageSummary> = {}): PageSummary => ({
  pageId,
  outcome: "pass",
  skippedReason: null,
  pageType: "article",
  score,
  scores: scores(score),
  outcomes: { fail: [], warn: [], skipped: [], passed: 2 },
  changes: [],
  ...found,
});
const skippedPage = (pageId: string, skippedReason: string): PageSummary => ({
  ...page(pageId, 0, { skippedReason, outcome: "skipped", pageType: null }),
  score: null,
  scores: null,
  outcomes: { fail: [], warn: [], skipped: [], passed: 0 },
});
const finding = (outcome: "pass" | "fail") => ({ check: "crawlers", outcome, message: "", evidence: [] });

const PAGES = [
  page("a", 50, { outcome: "fail", outcomes: { fail: ["titled"], warn: [], skipped: [], passed: 1 } }),
  page("b", 90, { outcomes: { fail: [], warn: [], skipped: ["listed"], passed: 1 }, pageType: "home" }),
  page("c", 50, {
    outcome: "warn",
    outcomes: { fail: [], warn: ["listed"], skipped: [], passed: 1 },
    changes: [
      { check: "titled", was: "fail", is: "pass" },
      { check: "listed", was: "pass", is: "warn" },
    ],
  }),
  skippedPage("d", "robots.txt does not allow it."),
  skippedPage("e", "The host did not answer within the time limit."),
  skippedPage("f", "robots.txt does not allow it."),
];
const RUN = { pages: PAGES, checkIds: ["titled", "listed"], findings: [finding("fail")], notes: ["It was cut."] };

test("a run is summed up by check, outcome and type, and pages that were not looked at count in no score", () => {
  expect(summariseAudit({ ...RUN, previousRun: null })).toEqual({
    scores: {
      crawlability: { score: 63, checks: 6 },
      semantic: { score: null, checks: 0 },
      content: { score: null, checks: 0 },
    },
    pages: { audited: 3, skipped: 3 },
    outcomes: { pass: 1, warn: 1, fail: 1, skipped: 3 },
    types: { article: 2, home: 1 },
    checks: {
      titled: { pass: 2, warn: 0, fail: 1, skipped: 0, fixed: null, broken: null },
      listed: { pass: 1, warn: 1, fail: 0, skipped: 1, fixed: null, broken: null },
    },
    before: null,
    worst: ["a", "c", "b"],
    skippedReasons: [
      { reason: "robots.txt does not allow it.", pages: 2 },
      { reason: "The host did not answer within the time limit.", pages: 1 },
    ],
    notes: ["It was cut."],
  });
});

test("compared with a previous run, states what was fixed, what broke, and site changes", () => {
  const previousRun = { collectId: "first", runNumber: 1, scores: scores(40), findings: [finding("pass")] };
  const summary = summariseAudit({ ...RUN, previousRun });
  expect(summary.checks).toEqual({
    titled: { pass: 2, warn: 0, fail: 1, skipped: 0, fixed: 1, broken: 0 },
    listed: { pass: 1, warn: 1, fail: 0, skipped: 1, fixed: 0, broken: 1 },
  });
  expect(summary.before).toEqual({
    collectId: "first",
    number: 1,
    scores: scores(40),
    siteChanges: [{ check: "crawlers", was: "pass", is: "fail" }],
  });
});

test("a run without a page that could be looked at has no scores", () => {
  const nothing = { score: null, checks: 0 };
  expect(summariseAudit({ ...RUN, pages: PAGES.slice(3), previousRun: null })).toMatchObject({
    scores: { crawlability: nothing, semantic: nothing, content: nothing },
    pages: { audited: 0, skipped: 3 },
    worst: [],
  });
});
