import { expect } from "vitest";
import type { ProviderAnswer } from "../../src/outside/sources/provider.ts";
import { testRecordedBodies } from "./recorded-bodies.ts";
import { XAI } from "./xai-cases.ts";

const counts = (citations: number, queries: number) => (answer: ProviderAnswer) => {
  expect([answer.citations.length, answer.queries?.length]).toEqual([citations, queries]);
};

testRecordedBodies(XAI, "xai", {
  bodies: {
    "web-search-tool-grok-4-fast.json": {
      how: "recorded",
      at: "2025-11-03",
      answer: { model: "grok-4-fast-reasoning", queries: ["what is xAI"], tokens: 2524 },
      holds: counts(5, 1),
    },
    "responses-no-search-grok-4.3.json": { how: "recorded", at: "2026-07-28", holds: counts(0, 0) },
    // The source emptied its output; the cost is reported nevertheless.
    "web-search-usage-grok-4.6.json": {
      how: "recorded",
      at: "2026-08",
      failure: { kind: "malformed", costUsd: 0.018948 },
    },
  },
});
