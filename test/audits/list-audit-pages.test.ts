import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { auditScene } from "./audit-scene.ts";
import { NO_ANSWER, SECOND_RUN_AT, SITE } from "./scene-pages.ts";

type Row = { id: string; fetched_at: string };

test("a listed page has type, scores, failures and changes", async () => {
  await using s = await auditScene();
  const { body } = await s.owner.get(`${s.path}/pages`);
  expect(body).toEqual({
    data: [
      {
        id: s.pages.machine,
        url: `${SITE}/machines/one`,
        title: "Shop",
        type: "category",
        type_confidence: 0.4,
        type_corrected: null,
        outcome: "fail",
        skipped_reason: null,
        score: 40,
        crawlability: 60,
        semantic: 20,
        content: null,
        checks: 6,
        failed: ["one_h1", "retired_check"],
        warned: ["title_length"],
        changes: [{ check: "one_h1", was: "pass", is: "fail" }],
        fetched_at: SECOND_RUN_AT,
      },
      {
        id: s.pages.article,
        url: `${SITE}/guides/milk`,
        title: null,
        type: "article",
        type_confidence: 0.8,
        type_corrected: null,
        outcome: "warn",
        skipped_reason: null,
        score: 71,
        crawlability: 70,
        semantic: 72,
        content: 71,
        checks: 9,
        failed: [],
        warned: ["title_length"],
        changes: [
          { check: "one_h1", was: "fail", is: "pass" },
          { check: "title_length", was: "pass", is: "warn" },
        ],
        fetched_at: SECOND_RUN_AT,
      },
      {
        id: s.pages.home,
        url: `${SITE}/`,
        title: "Kestrova espresso machines",
        type: "home",
        type_confidence: 0.95,
        type_corrected: null,
        outcome: "pass",
        skipped_reason: null,
        score: 91,
        crawlability: 90,
        semantic: 92,
        content: 91,
        checks: 9,
        failed: [],
        warned: [],
        changes: [],
        fetched_at: SECOND_RUN_AT,
      },
      {
        id: s.pages.silent,
        url: `${SITE}/old`,
        title: null,
        type: null,
        type_confidence: null,
        type_corrected: null,
        outcome: "skipped",
        skipped_reason: NO_ANSWER,
        score: null,
        crawlability: null,
        semantic: null,
        content: null,
        checks: 0,
        failed: [],
        warned: [],
        changes: [],
        fetched_at: SECOND_RUN_AT,
      },
    ],
    next_cursor: null,
    total_count: 4,
    is_simulated: false,
  });
});

describe("pages are narrowed and ordered", () => {
  let s: Awaited<ReturnType<typeof auditScene>>;
  beforeAll(async () => {
    s = await auditScene();
  });
  afterAll(() => s[Symbol.asyncDispose]());
  test.each([
    ["by the outcome of the page", "outcome=fail", ["machine"]],
    ["to those that were skipped", "outcome=skipped", ["silent"]],
    ["by a check that fails or warns", "check=title_length", ["machine", "article"]],
    ["by a check that passes", "check=one_h1&outcome=pass", ["article", "home"]],
    ["by a check that was skipped", "check=table_headers&outcome=skipped", ["machine", "home"]],
    ["by a check and its outcome", "check=title_length&outcome=fail", []],
    ["by the type", "type=home", ["home"]],
    ["by the least score", "min_score=71", ["article", "home"]],
    ["by the highest score", "max_score=71", ["machine", "article"]],
    ["the best first", "sort=-score", ["home", "article", "machine", "silent"]],
    ["the best first, by its direction", "sort=score&sort_direction=desc", ["home", "article", "machine", "silent"]],
    ["by address, backwards", "sort=url&sort_direction=desc", ["silent", "machine", "article", "home"]],
    ["the worst outcome first", "sort=outcome", ["machine", "article", "home", "silent"]],
    ["by type, none last", "sort=type", ["article", "machine", "home", "silent"]],
    ["by type backwards, none last", "sort=type&sort_direction=desc", ["home", "machine", "article", "silent"]],
    ["the most failures first", "sort=failed", ["machine", "home", "article", "silent"]],
    ["the most warnings first", "sort=warned", ["machine", "article", "home", "silent"]],
    [
      "the highest score of an area first",
      "sort=semantic&sort_direction=desc",
      ["home", "article", "machine", "silent"],
    ],
    ["the lowest score of an area first", "sort=crawlability", ["machine", "article", "home", "silent"]],
    ["the lowest score of what can be quoted first", "sort=content", ["article", "home", "machine", "silent"]],
    ["by address", "sort=url", ["home", "article", "machine", "silent"]],
    ["the most changed first", "sort=changes", ["article", "machine", "home", "silent"]],
  ] as const)("%s", async (_title, query, expected) => {
    const { body } = await s.owner.get(`${s.path}/pages?${query}`);
    expect(body.data.map(({ id }: Row) => id)).toEqual(expected.map((name) => s.pages[name]));
    expect(body.total_count).toBe(expected.length);
  });
});

test("a list continues in the run in which it began, even if another one completed", async () => {
  // Fault: half of the rows came from another run.
  await using s = await auditScene();
  const first = await s.owner.get(`${s.path}/pages?limit=2`);
  const inFirst = await s.owner.get(`${s.path}/pages?limit=2&collect_id=${s.runs.first}`);
  await s.w.store.write(async (db) => {
    await db.q.update(db.t.collects).set({ number: 9 }).where(eq(db.t.collects.id, s.runs.first));
  });
  const rest = await s.owner.get(`${s.path}/pages?limit=2&cursor=${first.body.next_cursor}`);
  expect([first, rest].map(({ body }) => body.data.map(({ id, fetched_at }: Row) => [id, fetched_at]))).toEqual([
    [s.pages.machine, s.pages.article].map((id) => [id, SECOND_RUN_AT]),
    [s.pages.home, s.pages.silent].map((id) => [id, SECOND_RUN_AT]),
  ]);
  expect(rest.body.next_cursor).toBeNull();
  const foreign = await s.owner.get(`${s.path}/pages?limit=2&cursor=${inFirst.body.next_cursor}&outcome=pass`);
  expect([foreign.status, foreign.body.fields]).toEqual([
    400,
    [{ path: "cursor", message: "use next_cursor of the same list, with the same filters" }],
  ]);
});

test("a run in progress lists its completed pages, and an analysis without a run none", async () => {
  await using s = await auditScene({ isUnderWay: true });
  const begun = await s.owner.get(`${s.path}/pages?collect_id=${s.runs.third}`);
  expect(begun.body.data.map(({ id }: Row) => id)).toEqual([s.pages.home]);
  await using waiting = await auditScene({ isNew: true });
  const none = await waiting.owner.get(`${waiting.path}/pages`);
  expect(none.body).toEqual({ data: [], next_cursor: null, total_count: 0, is_simulated: false });
});

test("rejects an unknown check with the known ones", async () => {
  await using s = await auditScene();
  const { status, body } = await s.owner.get(`${s.path}/pages?check=one_h2`);
  expect([status, body.code, body.fields[0].path, body.fields[0].allowed]).toEqual([
    400,
    "VALIDATION_FAILED",
    "check",
    expect.arrayContaining(["one_h1"]),
  ]);
});
