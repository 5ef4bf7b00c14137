import { afterAll, expect, test } from "vitest";
import type { ProviderAnswer } from "../../../src/outside/sources/provider.ts";
import { askProvider } from "../ask-provider.ts";
import { cassetteBodies, isRecordingMissing, testRecordedBodies, recordedReplies } from "../recorded-bodies.ts";
import { openGoogle } from "../scenes.ts";

const { scene: GOOGLE, redirects } = await openGoogle();
afterAll(() => redirects[Symbol.asyncDispose]());

/**
 * Expected counts of citations, searches and pages; citation offsets match their text and no
 * redirect remains.
 */
const read = (citations: number, queries: number, retrieved: number) => (answer: ProviderAnswer) => {
  const counts = [answer.citations, answer.queries ?? [], answer.retrieved ?? []].map((rows) => rows.length);
  expect(counts).toEqual([citations, queries, retrieved]);
  const { candidates } = JSON.parse(answer.rawBody) as {
    candidates: { groundingMetadata?: { groundingSupports?: { segment: { text: string } }[] } }[];
  };
  const words = (candidates[0]?.groundingMetadata?.groundingSupports ?? []).map(({ segment }) => segment.text);
  for (const { url, spans = [] } of answer.citations) {
    expect(url).not.toContain("vertexaisearch");
    for (const { start, end } of spans) expect(words).toContain(answer.text.slice(start, end));
  }
};
const INTERACTIONS = "of the Interactions interface, which is not asked";

testRecordedBodies(GOOGLE, "google", {
  bodies: {
    "search-citations-gemini-2.5-flash.http.json": {
      how: "recorded",
      at: "2026-08-21",
      answer: { model: "gemini-2.5-flash", tokens: 418, costUsd: 0.013244 },
      holds: read(9, 2, 5),
    },
    "search-citations-vertex.http.json": { how: "recorded", at: "2026-08-21", holds: read(4, 2, 2) },
    "search-weather-gemini-2.5-flash.http.json": {
      how: "recorded",
      at: "2026-06-09",
      holds: read(2, 2, 2),
    },
    "blocked-prompt-feedback.http.json": {
      how: "recorded",
      at: "2026-05-27",
      answer: { text: "The prompt violated Prompt Injection and Jailbreak filters.", isRefusal: true },
    },
    "error-401-vertex.http.json": { how: "recorded", at: "2026-06", failure: { kind: "unauthorized" } },
    "error-429-retry-info.json": {
      how: "reduced",
      at: "2026-08-11",
      status: 429,
      failure: { kind: "rate_limited", retryAfterMs: 34_400 },
    },
    "error-503-overloaded.http.json": { how: "recorded", at: "2025-11", failure: { kind: "unavailable" } },
  },
  unread: {
    "search-stream-chunks-no-grounding.json": "parts of a stream, which is not asked for",
    "interactions-google-search.1.json": INTERACTIONS,
    "interactions-google-search.2.json": INTERACTIONS,
    "interactions-no-search.json": INTERACTIONS,
  },
});

test.skipIf(isRecordingMissing)("every further recorded answer can be read", async () => {
  const bodies = cassetteBodies("test_google__test_google_model_web_search_tool.yaml");
  const [, followUp] = recordedReplies("google/search-citations-gemini-2.5-flash.http.json");
  const counts = [];
  for (const reply of [...bodies.map((body) => ({ body })), followUp]) {
    const { answer } = await askProvider(GOOGLE, reply ? [reply] : []);
    counts.push([answer.citations.length, answer.queries?.length, answer.retrieved?.length]);
  }
  expect(counts).toEqual([
    [6, 1, 3],
    [5, 1, 3],
    [0, 0, 0],
  ]);
});
