import { expect } from "vitest";
import type { Source } from "../../../core/sources/sources.ts";
import type { ProviderAnswer } from "../../../src/outside/sources/provider.ts";
import { testRecordedBodies } from "../recorded-bodies.ts";
import { DATAFORSEO } from "../scenes.ts";

/** How many results, cited pages, pages that were found, and searches an answer has. */
const holding = (...counts: [number, number, number, number]) => ({
  holds: ({ results, citations, retrieved = [], queries = [] }: ProviderAnswer) =>
    expect([results, citations, retrieved, queries].map((rows) => rows.length)).toEqual(counts),
});
const REDUCED = { how: "reduced" } as const;
const read = (source: Source, at: string, ...counts: [number, number, number, number]) => ({
  ...REDUCED,
  at,
  question: { source },
  ...holding(...counts),
});
const OCTOBER = "2025-10";
const AUGUST = "2026-08-18";
const MODELS = "2026-08-21";

testRecordedBodies(DATAFORSEO, "dataforseo", {
  bodies: {
    "google-organic-task-post.json": {
      ...read("SEARCH_B", OCTOBER, 1, 0, 0, 0),
      followers: ["google-organic-task-get-advanced.features.json"],
    },
    "google-organic-task-get-advanced.all-item-types.json": read("SEARCH_B_AIO", OCTOBER, 0, 4, 0, 0),
    "google-organic-live-advanced.ai-overview-2026-08.json": read("SEARCH_B_AIO", AUGUST, 0, 5, 0, 0),
    "google-organic-live-advanced.ai-overview-async-loaded.json": read("SEARCH_B_AIO", AUGUST, 0, 5, 0, 0),
    "google-organic-live-advanced.ai-overview-async-not-loaded.json": {
      ...REDUCED,
      at: AUGUST,
      question: { source: "SEARCH_B_AIO" },
      failure: { kind: "unavailable" },
    },
    "google-organic-live-advanced.no-ai-overview.json": {
      ...REDUCED,
      at: AUGUST,
      question: { source: "SEARCH_B_AIO" },
      answer: { text: "", showedNothing: true },
    },
    "google-organic-live-regular.json": read("SEARCH_B", OCTOBER, 2, 0, 0, 0),
    "google-ai-mode-task-post.json": {
      ...read("SEARCH_B_AI_MODE", OCTOBER, 0, 4, 0, 0),
      followers: ["google-ai-mode-task-get-advanced.json"],
    },
    "google-ai-mode-live-advanced.json": read("SEARCH_B_AI_MODE", OCTOBER, 0, 4, 0, 0),
    "bing-organic-live-advanced.json": read("SEARCH_A_AIO", MODELS, 0, 4, 0, 0),
    "llm-scraper-chat-gpt-live-advanced.json": {
      ...read("ASSISTANT_A", MODELS, 0, 2, 1, 2),
      answer: { model: "gpt-5-5", costUsd: 0.004, collectionMethod: "capture" },
    },
    "llm-scraper-gemini-live-advanced.json": read("ASSISTANT_D", MODELS, 0, 2, 0, 0),
    "error-200-task-40101-internal-se-server-error-billed.json": {
      ...REDUCED,
      at: "2026-07-23",
      failure: { kind: "unavailable", costUsd: 0.002 },
    },
    "error-200-task-40102-no-search-results.json": {
      ...REDUCED,
      at: "2026",
      answer: { showedNothing: true, costUsd: 0.002 },
    },
    "error-200-task-40501-invalid-field.json": { ...REDUCED, at: "2026", failure: { kind: "unsupported" } },
    "error-200-task-40602-task-in-queue.json": {
      ...read("SEARCH_B_AI_MODE", OCTOBER, 0, 4, 0, 0),
      followers: ["google-ai-mode-task-get-advanced.json"],
    },
    "error-401-unauthorized.http.json": { ...REDUCED, at: "2026", failure: { kind: "unauthorized" } },
  },
  unread: {
    "google-organic-tasks-ready.json": "tasks are asked for by their id",
    "google-ai-mode-tasks-ready.json": "tasks are asked for by their id",
    "serp-id-list.json": "a list of tasks, which holds no answer",
    "llm-responses-chat-gpt-live.json": "models are asked by their own interfaces",
    "llm-responses-chat-gpt-models.json": "models are asked by their own interfaces",
    "keywords-google-ads-search-volume-live.json": "no answer of a source: test/dataforseo/keywords.test.ts reads it",
    "keywords-google-trends-explore-live.json": "no answer of a source: test/dataforseo/keywords.test.ts reads it",
    "ai-keyword-search-volume-live.json": "an estimate of the provider's own, which is not asked for",
  },
});
