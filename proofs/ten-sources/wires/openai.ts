import { GARBLED, PAGES, REFUSED, textFor, type ProviderReply, type Wire } from "../wire.ts";

const MICROS = 13_250;
const PRICES = { input_per_million: 1.25, output_per_million: 10, per_search: 0.01 };

function response(content: object, more: object = {}): object {
  return {
    id: "resp_1",
    object: "response",
    status: "completed",
    error: null,
    model: "gpt-test-2026-11-01",
    output: [
      {
        type: "web_search_call",
        status: "completed",
        action: { type: "search", query: "phones", sources: PAGES.map((url) => ({ type: "url", url })) },
      },
      { type: "message", role: "assistant", status: "completed", content: [content] },
    ],
    usage: { input_tokens: 1000, output_tokens: 200 },
    ...more,
  };
}

function failed(status: number, code: string, headers: Record<string, string> = {}): ProviderReply {
  return { status, headers, body: { error: { message: "…", type: code, param: null, code } } };
}

/**
 * OpenAI Responses: every response states the remaining requests and the duration until the reset.
 */
export const openai: Wire = {
  name: "openai",
  prefix: "OPENAI",
  sources: ["ASSISTANT_A"],
  base: "/openai/v1",
  env: { OPENAI_API_KEY: "sk-test", OPENAI_MODEL: "gpt-test", OPENAI_PRICES: JSON.stringify(PRICES) },
  maxUsd: "0.05",
  read({ path, body }) {
    return path === "/responses" ? { source: "ASSISTANT_A", prompt: (body as { input: string }).input } : undefined;
  },
  answer(question) {
    const text = textFor(question);
    const annotations = PAGES.map((url, nth) => ({
      type: "url_citation",
      url,
      title: `Page ${nth}`,
      start_index: nth,
      end_index: nth + 4,
    }));
    return { body: response({ type: "output_text", text, annotations }), micros: MICROS };
  },
  says: {
    limited: (_, { waitMs }) => ({
      ...failed(429, "rate_limit_exceeded", {
        "x-ratelimit-remaining-tokens": "0",
        "x-ratelimit-reset-tokens": `${waitMs}ms`,
      }),
      waitMs,
    }),
    quota: () => failed(429, "insufficient_quota"),
    down: () => failed(500, "server_error"),
    error: () => ({
      body: response({}, { status: "failed", error: { code: "server_error", message: "…" }, output: [], usage: null }),
    }),
    garbled: () => ({ body: GARBLED, micros: MICROS }),
    refusal: () => ({ body: response({ type: "refusal", refusal: REFUSED }), micros: MICROS }),
    rejected: () => failed(400, "invalid_request_error"),
  },
  limitHeaders: ({ limit, left, resetMs }) => ({
    "x-ratelimit-limit-requests": String(limit),
    "x-ratelimit-remaining-requests": String(left),
    "x-ratelimit-reset-requests": `${Math.ceil(resetMs)}ms`,
  }),
};
