import { expect } from "vitest";
import type { ProviderAnswer } from "../../src/outside/sources/provider.ts";
import { perplexityProvider } from "../../src/outside/sources/providers/perplexity.ts";
import { type Scene } from "./ask-provider.ts";
import { testRecordedBodies } from "./recorded-bodies.ts";

const PERPLEXITY: Scene = {
  declared: perplexityProvider,
  prefix: "PERPLEXITY",
  env: { PERPLEXITY_API_KEY: "pplx-test" },
  question: { source: "ASSISTANT_B" },
};

const citesByMarks = ({ citations, retrieved, text }: ProviderAnswer) => {
  expect([citations.length, retrieved?.length]).toEqual([1, 10]);
  for (const { spans = [] } of citations) {
    for (const { start, end } of spans) expect(text.slice(start, end)).toMatch(/^\[\d+\]$/u);
  }
};

testRecordedBodies(PERPLEXITY, "perplexity", {
  bodies: {
    "agent-web-search.json": {
      how: "recorded",
      at: "2026-09-25",
      answer: {
        model: "openai/gpt-6-luna",
        costUsd: 0.00119,
        tokens: 3043,
        queries: ["Find the official TypeScript website and describe TypeScript in one sentence with a citation."],
      },
      holds: citesByMarks,
    },
  },
  unread: {
    "ended-2026-09-27-perplexity-citations.json": "chat completions, which have ended",
    "ended-2026-09-27-perplexity-text.json": "chat completions, which have ended",
  },
});
