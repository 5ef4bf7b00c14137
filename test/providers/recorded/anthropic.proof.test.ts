import { expect, test } from "vitest";
import type { ProviderAnswer } from "../../../src/outside/sources/provider.ts";
import { askProvider } from "../ask-provider.ts";
import { cassetteBodies, isRecordingMissing, testRecordedBodies, recordedReplies } from "../recorded-bodies.ts";
import { ANTHROPIC } from "../scenes.ts";

/**
 * Expected counts of citations, distinct cited pages, searches and pages found; every citation has
 * a position in the text.
 */
const read =
  (...expected: [citations: number, pages: number, queries: number, retrieved: number]) =>
  (answer: ProviderAnswer) => {
    const { citations, queries = [], retrieved = [], text: said } = answer;
    const pages = new Set(citations.map(({ url }) => url)).size;
    expect([citations.length, pages, queries.length, retrieved.length]).toEqual(expected);
    for (const { spans = [] } of citations) {
      for (const { start, end } of spans) expect(said.slice(start, end)).toMatch(/\w/u);
    }
  };

testRecordedBodies(ANTHROPIC, "anthropic", {
  bodies: {
    "web-search-citations-sonnet-4-5.http.json": {
      how: "recorded",
      at: "2026-08-21",
      answer: { tokens: 10_589, queries: ["Pydantic AI documentation"] },
      holds: read(6, 3, 1, 10),
    },
    "web-search-pause-turn.http.json": {
      how: "recorded",
      at: "2026-07",
      answer: { tokens: 401_468 + 792 + 494_549 + 1245 },
      holds: read(17, 15, 15, 132),
    },
    "web-search-20260209-not-used.http.json": {
      how: "recorded",
      at: "2026-05-13",
      answer: { text: "1.989 × 1030 kg", costUsd: 0.004568 },
      holds: read(0, 0, 0, 0),
    },
    "web-search-dynamic-filtering-multiple.json": { how: "recorded", at: "2026-08-12", holds: read(0, 0, 3, 3) },
    "web-search-with-client-tool.json": { how: "recorded", at: "2026-03-14", failure: { kind: "malformed" } },
    "web-search-tool-error-max-uses.json": {
      how: "reduced",
      at: "2026-08",
      answer: { text: "I cannot search further due to limits.", model: null },
    },
    "web-fetch-tool-error.json": { how: "recorded", at: "2026-06", holds: read(0, 0, 0, 0) },
    "web-fetch-tool-error-url-not-accessible.json": {
      how: "recorded",
      at: "2026-07",
      failure: { kind: "malformed" },
    },
    "refusal.json": {
      how: "recorded",
      at: "2026-06-09",
      answer: {
        text: "This request triggered restrictions on violative cyber content and was blocked under Anthropic's Usage Policy.",
        isRefusal: true,
      },
    },
    "refusal-no-details.json": { how: "recorded", at: "2026-06-09", answer: { isRefusal: true } },
    "error-429-rate-limit.http.json": {
      how: "recorded",
      at: "2026-01",
      failure: { kind: "rate_limited", retryAfterMs: 8000 },
    },
    "error-429-rate-limit.2.http.json": {
      how: "recorded",
      at: "2025-12",
      failure: { kind: "rate_limited", retryAfterMs: 4000 },
    },
    "error-529-overloaded.http.json": { how: "reduced", at: "2026-08", failure: { kind: "unavailable" } },
    "error-401.http.json": { how: "recorded", at: "2025-11", failure: { kind: "unauthorized" } },
    "error-400.json": { how: "recorded", at: "2026-07-27", status: 400, failure: { kind: "rejected" } },
  },
});

test.skipIf(isRecordingMissing)("every further recorded answer can be read", async () => {
  const bodies = cassetteBodies("test_anthropic__test_anthropic_web_search_tool.yaml");
  const [, followUp] = recordedReplies("anthropic/web-search-citations-sonnet-4-5.http.json");
  const [older] = recordedReplies("anthropic-web-search-tool.1.json");
  const replies = [...bodies.map((body) => ({ body })), followUp, older];
  const counts = [];
  for (const reply of replies) {
    const { answer } = await askProvider(ANTHROPIC, reply ? [reply] : []);
    counts.push([answer.citations.length, answer.queries?.length, answer.retrieved?.length]);
  }
  expect(counts).toEqual([
    [9, 1, 10],
    [9, 1, 10],
    [1, 0, 0],
    [3, 2, 10],
  ]);
});
