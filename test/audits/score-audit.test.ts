import { expect, test } from "vitest";
import {
  createEvidence,
  failed,
  passed,
  skipped,
  warned,
  type AddressSubject,
  type PageCheck,
} from "../../core/audits/check.ts";
import { checkPage, checkSite } from "../../core/audits/run-checks.ts";
import { scoreAudit, scorePage } from "../../core/audits/score-audit.ts";

const crawlability = { area: "crawlability", weight: 2 } as const;
const semantic = { area: "semantic", weight: 1 } as const;

test("a score is the share of passed weight among checks that were not skipped; a warning counts half", () => {
  const results = [
    { check: crawlability, outcome: "pass" },
    { check: { ...crawlability, weight: 1 }, outcome: "warn" },
    { check: { ...crawlability, weight: 5 }, outcome: "skipped" },
    { check: { ...crawlability, weight: 0 }, outcome: "fail" },
    { check: semantic, outcome: "fail" },
    { check: semantic, outcome: "pass" },
    { check: semantic, outcome: "pass" },
  ] as const;
  expect(scorePage(results)).toEqual({
    crawlability: { score: 83, checks: 2 },
    semantic: { score: 67, checks: 3 },
    content: { score: null, checks: 0 },
  });
});

test("a hard failure caps its area, and no other", () => {
  const results = [
    { check: { ...crawlability, failureCap: 10 }, outcome: "fail" },
    ...Array.from({ length: 9 }, () => ({ check: crawlability, outcome: "pass" as const })),
    { check: semantic, outcome: "pass" },
  ] as const;
  expect(scorePage(results)).toEqual({
    crawlability: { score: 10, checks: 10 },
    semantic: { score: 100, checks: 1 },
    content: { score: null, checks: 0 },
  });
});

const page = (score: number | null) => ({
  crawlability: { score, checks: score === null ? 0 : 4 },
  semantic: { score: null, checks: 0 },
  content: { score: 50, checks: 1 },
});

test("an audit's score is the mean over pages with a score", () => {
  expect(scoreAudit([page(100), page(null), page(33)])).toEqual({
    crawlability: { score: 67, checks: 8 },
    semantic: { score: null, checks: 0 },
    content: { score: 50, checks: 3 },
  });
});

const HOW = { title: "", howToFix: "", source: { name: "", url: "" }, strength: "practice" } as const;
const CHECKS: PageCheck[] = [
  { id: "status", of: "address", ...crawlability, ...HOW, run: ({ fetched }) => passed(String(fetched.status)) },
  { id: "title", of: "page", ...semantic, ...HOW, run: () => failed("none", many(7)) },
];
const many = (count: number) => Array.from({ length: count }, (_, line) => ({ excerpt: "x", line }));

test("skips page checks without HTML, and bounds evidence", () => {
  const site = { origin: "https://a.test", robots: { unread: "" }, sitemap: { unread: "" }, llmsTxt: null };
  // Safe: these checks use no other fields.
  const address = { fetched: { status: 404 }, site } as unknown as AddressSubject;
  const [status, title] = CHECKS;
  expect(checkPage(CHECKS, { ...address, unread: "It answered 404." })).toEqual([
    { check: status, outcome: "pass", message: "404", evidence: [] },
    { check: title, outcome: "skipped", message: "It answered 404.", evidence: [] },
  ]);
  // Safe: as above.
  const read = { ...address, page: {} } as unknown as Parameters<typeof checkPage>[1];
  expect(checkPage(CHECKS, read)[1]).toEqual({ check: title, outcome: "fail", message: "none", evidence: many(5) });
  const ofSite = { id: "llms", ...crawlability, ...HOW, run: () => warned("absent") };
  expect(checkSite([ofSite], site)).toEqual([{ check: ofSite, outcome: "warn", message: "absent", evidence: [] }]);
  expect(skipped("why")).toEqual({ outcome: "skipped", message: "why", evidence: [] });
});

test("evidence is one line of bounded length", () => {
  const lines = { lineOf: (at: number) => at + 1 };
  expect(createEvidence(lines, { text: " Best\n\tprice ", offset: 4 })).toEqual({ excerpt: "Best price", line: 5 });
  expect(createEvidence(lines, { text: "ab".repeat(1000), offset: 0 })).toEqual({
    excerpt: `${"ab".repeat(99)}a…`,
    line: 1,
  });
});
