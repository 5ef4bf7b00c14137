import { expect } from "vitest";
import type { Source } from "../../core/sources/sources.ts";
import type { ProviderAnswer } from "../../src/outside/sources/provider.ts";
import { testRecordedBodies } from "./recorded-bodies.ts";
import { SERPAPI, notShown } from "./serpapi-cases.ts";

/** A recorded body with its expected counts of results and cited pages. */
const read = (source: Source, day: string, results: number, citations: number) => ({
  how: "reduced" as const,
  at: day,
  question: { source },
  holds(answer: ProviderAnswer) {
    expect([answer.results.length, answer.citations.length]).toEqual([results, citations]);
    // Spans of a citation point at words of the text.
    for (const { spans = [] } of answer.citations) {
      for (const { start, end } of spans) expect(answer.text.slice(start, end).trim()).not.toBe("");
    }
  },
});

const CALLS = "2026-09-16";

const VISIBLE = "2026-09-27";

testRecordedBodies(SERPAPI, "serpapi", {
  bodies: {
    "google.ai-overview-inline.json": read("SEARCH_B_AIO", CALLS, 0, 3),
    "google.ai-overview-deferred-page-token.json": {
      ...read("SEARCH_B_AIO", CALLS, 0, 2),
      followers: ["google-ai-overview.by-page-token.json"],
    },
    "google.ai-overview-failed.json": notShown("SEARCH_B_AIO", "2026-08"),
    "google.no-ai-overview.json": read("SEARCH_B", CALLS, 2, 0),
    "google-ai-mode.json": read("SEARCH_B_AI_MODE", VISIBLE, 0, 3),
    "google-ai-mode.no-answer.json": notShown("SEARCH_B_AI_MODE", "2026-09"),
    "bing.copilot-answer.json": read("SEARCH_A", "2026", 1, 0),
    "bing-copilot.json": read("SEARCH_A_AIO", "2025-10", 0, 2),
    "search-status-error.json": { how: "recorded", at: "2024-01-11", failure: { kind: "unavailable" } },
    "async-submitted.json": { how: "reduced", at: "2026", failure: { kind: "unavailable" } },
    "error-401-invalid-api-key.http.json": { how: "recorded", at: CALLS, failure: { kind: "unauthorized" } },
    "error-429-run-out-of-searches.http.json": {
      how: "recorded",
      at: CALLS,
      failure: { kind: "out_of_quota", isRetryable: false },
    },
  },
  unread: { "google-trends.timeseries.json": "no answer of a source" },
});
