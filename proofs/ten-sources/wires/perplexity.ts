import { GARBLED, PAGES, REFUSED, textFor, type ProviderReply, type Wire } from "../wire.ts";

/** Cost of one answer as stated in its body. */
export const PERPLEXITY_MICROS = 6250;

function response(content: object, more: object = {}): object {
  return {
    id: "resp_1",
    object: "response",
    model: "perplexity/sonar",
    status: "completed",
    error: null,
    output: [
      {
        type: "search_results",
        queries: ["phones"],
        results: PAGES.map((url, nth) => ({ id: nth + 1, url, title: `Page ${nth}`, snippet: "…", source: "web" })),
      },
      { type: "message", role: "assistant", status: "completed", content: [content] },
    ],
    usage: {
      input_tokens: 3000,
      output_tokens: 200,
      cost: { currency: "USD", total_cost: PERPLEXITY_MICROS / 1_000_000 },
    },
    ...more,
  };
}

function failed(status: number, type: string, headers: Record<string, string> = {}): ProviderReply {
  return { status, headers, body: { error: { message: "…", type, code: status } } };
}

/** Perplexity's Agent API, which states the wait in seconds. */
export const perplexity: Wire = {
  name: "perplexity",
  prefix: "PERPLEXITY",
  sources: ["ASSISTANT_B"],
  base: "/perplexity/v1",
  env: { PERPLEXITY_API_KEY: "pplx-test" },
  maxUsd: "0.01",
  read({ path, body }) {
    return path === "/agent" ? { source: "ASSISTANT_B", prompt: (body as { input: string }).input } : undefined;
  },
  answer: (question) => ({
    body: response({ type: "output_text", text: `${textFor(question)}[1][2]`, annotations: [] }),
    micros: PERPLEXITY_MICROS,
  }),
  says: {
    limited: (_, { waitMs }) => ({
      ...failed(429, "rate_limit", { "retry-after": String(waitMs / 1000) }),
      waitMs,
    }),
    quota: () => failed(402, "insufficient_credits"),
    down: () => failed(502, "bad_gateway"),
    error: () => ({
      body: response({}, { status: "failed", error: { code: "server_error", message: "…" }, output: [], usage: null }),
    }),
    garbled: () => ({ body: GARBLED, micros: PERPLEXITY_MICROS }),
    refusal: () => ({ body: response({ type: "refusal", refusal: REFUSED }), micros: PERPLEXITY_MICROS }),
    rejected: () => failed(400, "invalid_request"),
  },
};
