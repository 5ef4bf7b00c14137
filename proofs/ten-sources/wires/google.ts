import { GARBLED, PAGES, textFor, type ProviderReply, type Wire } from "../wire.ts";

const MICROS = 10_300;
const PRICES = { input_per_million: 1, output_per_million: 10, per_search: 0.01 };

function generated(candidate: object): object {
  return {
    candidates: [{ finishReason: "STOP", index: 0, ...candidate }],
    modelVersion: "gemini-test-001",
    usageMetadata: { promptTokenCount: 50, toolUsePromptTokenCount: 50, candidatesTokenCount: 20 },
  };
}

function failed(status: number, said: string, details: object[] = []): ProviderReply {
  return { status, body: { error: { code: status, message: "…", status: said, details } } };
}

/**
 * Gemini's generateContent, which states the wait in the body of a rejection. Its pages are no
 * redirects, which would lead outside.
 */
export const google: Wire = {
  name: "google",
  prefix: "GEMINI",
  sources: ["ASSISTANT_D"],
  base: "/google/v1beta",
  env: { GEMINI_API_KEY: "AIza-test", GEMINI_MODEL: "gemini-test", GEMINI_PRICES: JSON.stringify(PRICES) },
  maxUsd: "0.05",
  read({ path, body }) {
    if (!path.endsWith(":generateContent")) return undefined;
    const { contents } = body as { contents: [{ parts: [{ text: string }] }] };
    return { source: "ASSISTANT_D", prompt: contents[0].parts[0].text };
  },
  answer: (question) => ({
    body: generated({
      content: { parts: [{ text: textFor(question) }], role: "model" },
      groundingMetadata: {
        webSearchQueries: ["phones"],
        groundingChunks: PAGES.map((uri) => ({ web: { uri, title: new URL(uri).hostname } })),
        groundingSupports: [{ groundingChunkIndices: [0, 1], segment: { startIndex: 0, endIndex: 8 } }],
      },
    }),
    micros: MICROS,
  }),
  says: {
    limited: (_, { waitMs }) => ({
      ...failed(429, "RESOURCE_EXHAUSTED", [
        { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: `${waitMs / 1000}s` },
      ]),
      waitMs,
    }),
    quota: () =>
      failed(429, "RESOURCE_EXHAUSTED", [
        {
          "@type": "type.googleapis.com/google.rpc.QuotaFailure",
          violations: [{ quotaId: "GenerateRequestsPerDayPerProjectPerModel" }],
        },
        { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34.4s" },
      ]),
    down: () => failed(503, "UNAVAILABLE"),
    error: ({ prompt }) => ({
      body: generated({ content: { parts: [{ text: `For ${prompt}` }] }, finishReason: "MAX_TOKENS" }),
      micros: MICROS,
    }),
    garbled: () => ({ body: { ...GARBLED, candidates: "none" }, micros: MICROS }),
    refusal: () => ({ body: generated({ finishReason: "SAFETY" }), micros: MICROS }),
    rejected: () => failed(400, "INVALID_ARGUMENT"),
  },
  // With status 200 it reports an answer cut off at a limit, so a retry does not help.
  ends: { error: "cut_off" },
  lasting: "error",
};
