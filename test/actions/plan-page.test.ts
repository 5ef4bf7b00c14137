import { expect, test } from "vitest";
import { fitsTopic, planPageSections } from "../../core/briefs/plan-page.ts";

const PAGE = { url: "https://own.test/phones", title: "Best phones for photos" };
const fails = { fail: ["one_h1"], warn: [], skipped: [], passed: 3 };
const passes = { fail: [], warn: [], skipped: [], passed: 4 };
const OF = { ...PAGE, pageType: "other" as const, outcomes: fails, hasPrompts: true };

test("a topic fits a page with all its words in title or address", () => {
  expect(fitsTopic("Phones", PAGE)).toBe(true);
  expect(fitsTopic("Photos and phones", PAGE)).toBe(false);
  expect(fitsTopic("Phone", PAGE)).toBe(false);
  expect(fitsTopic("photos, phones", { ...PAGE, title: "Photos" })).toBe(true);
  expect(fitsTopic("?", PAGE)).toBe(false);
});

function points(cited: Parameters<typeof planPageSections>[0]["cited"]) {
  return planPageSections({ ...OF, cited })[0]?.points;
}

test("mentions strengths of cited pages only if known", () => {
  expect(points(null)).toEqual(["Unknown: no competitor's site is audited in this workspace."]);
  expect(points([])).toEqual(["Answers cite no audited page of a competitor."]);
  expect(points([{ outcomes: fails }])).toEqual(["None among the audit's checks."]);
  expect(points([{ outcomes: passes }, { outcomes: fails }])).toEqual([
    "The page has one h1: passes on 1 of 2. Give the page one h1 that names its subject, and make further ones h2.",
  ]);
});
