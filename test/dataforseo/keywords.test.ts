import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { dataforseoProvider } from "../../src/outside/sources/providers/dataforseo.ts";
import { startFakeProvider, type Reply } from "../providers/fake-provider.ts";
import { DATAFORSEO } from "../providers/scenes.ts";
import { createdReply, doneReply, failedReply, ID, taskReply } from "./replies.ts";
import { signal, VOLUME, INTEREST, createKeywordsProvider, env, pollOnce } from "./keywords-cases.ts";

const begun = (ms = 0) => ({ key: "key-1", begunAt: new Date(Date.now() - ms).toISOString() });

/** A week of interest, a task in the list of tasks, and a body that was recorded. */
const week = (value: number | null) => ({ date_from: "2026-01-04", missing_data: value === null, values: [value] });

const list = (tag: string): Reply => doneReply({ id: "task-9", cost: 0.06, metadata: { tag } });

/** Keyword client with these settings. */
const opened = (settings: Record<string, string>) => dataforseoProvider.open(settings, { concurrency: 1 })?.keywords;

test("a batch of keywords is one task with our tag, billed on acceptance", async () => {
  await using server = await startFakeProvider([createdReply, taskReply(40602)]);
  const keywords = createKeywordsProvider(server.url);
  const state = await keywords.submit(VOLUME, begun(), { signal });
  expect(state).toEqual({ state: "pending", taskId: ID, costUsd: 0.0012 });
  expect(await keywords.poll(ID, VOLUME, { signal })).toEqual({ state: "pending", taskId: ID, costUsd: 0 });
  expect(server.sent.map(({ method, path, body }) => ({ method, path, body }))).toEqual([
    {
      method: "POST",
      path: "/keywords_data/google_ads/search_volume/task_post",
      body: [{ keywords: ["best phone", "acme phone"], location_code: 2276, language_code: "de", tag: "key-1" }],
    },
    { method: "GET", path: `/keywords_data/google_ads/search_volume/task_get/${ID}`, body: undefined },
  ]);
});

test("interest is requested per keyword, with related queries, over a year", async () => {
  await using server = await startFakeProvider([createdReply]);
  await createKeywordsProvider(server.url).submit(INTEREST, begun(), { signal });
  expect(server.sent.map(({ path, body }) => ({ path, body }))).toEqual([
    {
      path: "/keywords_data/google_trends/explore/task_post",
      body: [
        {
          keywords: ["best phone"],
          location_code: 2276,
          language_code: "de",
          type: "web",
          time_range: "past_12_months",
          item_types: ["google_trends_graph", "google_trends_queries_list"],
          tag: "key-1",
        },
      ],
    },
  ]);
});

test("months are oldest first, and a keyword without data has none", async () => {
  const months = [
    { year: 2026, month: 2, search_volume: 90 },
    { year: 2026, month: 1, search_volume: 70 },
    { year: 2025, month: 12, search_volume: null },
    { year: 2025, month: 11, search_volume: 50 },
  ];
  const rows = [
    { keyword: "Best Phone", search_volume: 80, monthly_searches: months },
    { keyword: "acme phone", search_volume: null, monthly_searches: null },
  ];
  expect(await pollOnce(VOLUME, doneReply(...rows))).toEqual({
    "best phone": { searchVolume: 80, trends: [50, 70, 90] },
    "acme phone": { searchVolume: null, trends: null },
  });
  // Only some of the keywords.
  expect(await pollOnce(VOLUME, doneReply(...rows.slice(1)))).toEqual({
    "acme phone": { searchVolume: null, trends: null },
  });
  expect(await pollOnce(VOLUME, taskReply(40102))).toEqual({});
});

test("interest omits missing weeks, and related queries are the most frequent ones", async () => {
  const items = [
    { type: "google_trends_graph", data: [week(40), week(null), week(100)], averages: [70] },
    {
      type: "google_trends_queries_list",
      data: {
        top: [
          { query: "acme phone", value: 100 },
          { query: "cheap phone", value: "35" },
          { query: "phone test", value: null },
        ],
        rising: [{ query: "phone 2027", value: "Breakout" }],
      },
    },
  ];
  expect(await pollOnce(INTEREST, doneReply({ keywords: ["best phone"], items }))).toEqual({
    "best phone": {
      searchInterestTrends: [40, 100],
      relatedQueries: [
        { query: "acme phone", relevance: 100 },
        { query: "cheap phone", relevance: 35 },
        { query: "phone test" },
      ],
    },
  });
  const nothing = { "best phone": { searchInterestTrends: null, relatedQueries: null } };
  expect(await pollOnce(INTEREST, doneReply({ keywords: ["best phone"], items: null }))).toEqual(nothing);
});

test.each<[string, Reply, object]>([
  ["a field that it does not take", taskReply(40501, { message: "Invalid Field: 'keywords'." }), { kind: "rejected" }],
  [
    "a place that it does not serve",
    taskReply(40501, { message: "Invalid Field: 'location_code'." }),
    { kind: "unsupported" },
  ],
  ["no money with status 200", failedReply(40200), { kind: "out_of_quota", isRetryable: false }],
  ["too many requests with status 200", failedReply(40202), { kind: "rate_limited", isRetryable: true }],
  ["401", { ...failedReply(40100), status: 401 }, { kind: "unauthorized", isRetryable: false }],
  ["429", { status: 429, headers: { "retry-after": "7" } }, { kind: "rate_limited", retryAfterMs: 7000 }],
])("%s is told as what it is", async (_title, reply, failure) => {
  await using server = await startFakeProvider([reply]);
  await expect(createKeywordsProvider(server.url).submit(VOLUME, begun(), { signal })).rejects.toMatchObject(failure);
});

test("a task that failed, and a body of another shape, are no figures", async () => {
  expect(await pollOnce(VOLUME, taskReply(40101, { cost: 0.06 }))).toMatchObject({
    state: "failed",
    error: { kind: "unavailable", costUsd: 0 },
  });
  await expect(pollOnce(VOLUME, doneReply({ word: "best phone" }))).rejects.toMatchObject({ kind: "malformed" });
  await expect(pollOnce(INTEREST, doneReply())).rejects.toMatchObject({ kind: "malformed" });
});

test("a task of which there was no word is looked for in the list of tasks about keywords", async () => {
  await using server = await startFakeProvider([list("key-1"), list("another")]);
  const { afterUnknown } = createKeywordsProvider(server.url);
  if (typeof afterUnknown === "string") throw new Error("tasks are not looked for");
  const lookUp = () => afterUnknown(begun(3_600_000), VOLUME, { signal });
  expect(await lookUp()).toEqual({ state: "pending", taskId: "task-9", costUsd: 0.06 });
  expect(await lookUp()).toBeUndefined();
  expect(server.sent.map(({ path }) => path)).toEqual(Array(2).fill("/keywords_data/id_list"));
});

test("a question is sent as a keyword, and texts that would invalidate a batch are skipped", () => {
  const { formOf } = createKeywordsProvider("http://127.0.0.1:1");
  const forms = (...keywords: string[]) => keywords.map((keyword) => formOf("volume", keyword));
  expect(forms("Which phone is best?", " best,  phone! ", "C++ + a-b", "?!", "best 📱 phone")).toEqual([
    "which phone is best",
    "best phone",
    "c++ + a-b",
    undefined,
    undefined,
  ]);
  const ten = Array(10).fill("word").join(" ");
  expect(forms(ten, `${ten} more`, "x".repeat(80), "x".repeat(81))).toEqual([
    ten,
    undefined,
    "x".repeat(80),
    undefined,
  ]);
  expect([formOf("interest", "Best, phone?"), formOf("interest", "x"), formOf("interest", "y".repeat(101))]).toEqual([
    "best phone?",
    undefined,
    undefined,
  ]);
});

test("the operator selects the requested data", () => {
  expect(opened(DATAFORSEO.env)?.maxKeywords).toEqual({ volume: 1000 });
  expect(opened(env("interest"))?.maxKeywords).toEqual({ volume: 1000, interest: 1 });
  expect(opened(env("off"))).toBeUndefined();
  expect(opened(DATAFORSEO.env)?.price("volume")).toEqual({ expectedUsd: 0.06, maxUsd: 0.09 });
  expect(opened({ ...DATAFORSEO.env, DATAFORSEO_MOST_USD: "0.2" })?.price("interest").maxUsd).toBe(0.2);
});

test("docs/providers/dataforseo.md states the cost of keyword tasks", () => {
  const page = readFileSync(new URL("../../docs/providers/dataforseo.md", import.meta.url), "utf8");
  const { price } = createKeywordsProvider("http://127.0.0.1:1");
  for (const wanted of ["volume", "interest"] as const) {
    const { expectedUsd, maxUsd } = price(wanted);
    expect(page).toContain(`| \`${wanted}\` | ${expectedUsd} | ${maxUsd} |`);
  }
});
