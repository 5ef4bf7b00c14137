import { GARBLED, PAGES, textFor, type ProviderReply, type Wire } from "../wire.ts";

/** 1,000 input and 100 output tokens at the model's list price, without and with a search. */
const [TOKENS_MICROS, MICROS] = [3000, 13_000];
const found = { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "phones" } };

function message(content: object[], searches: number, more: object = {}): object {
  return {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "claude-sonnet-5-5",
    content,
    stop_reason: "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 1000, output_tokens: 100, server_tool_use: { web_search_requests: searches } },
    ...more,
  };
}

function result(content: unknown): object {
  return { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content };
}

function failed(status: number, type: string, said = "…", headers: Record<string, string> = {}): ProviderReply {
  return { status, headers, body: { type: "error", error: { type, message: said }, request_id: "req_1" } };
}

/**
 * Anthropic Messages: every response states the remaining requests and the instant of the reset.
 */
export const anthropic: Wire = {
  name: "anthropic",
  prefix: "ANTHROPIC",
  sources: ["ASSISTANT_C"],
  base: "/anthropic/v1",
  env: { ANTHROPIC_API_KEY: "sk-ant-test" },
  maxUsd: "0.05",
  read({ path, body }) {
    if (path !== "/messages") return undefined;
    return { source: "ASSISTANT_C", prompt: (body as { messages: [{ content: string }] }).messages[0].content };
  },
  answer(question) {
    const pages = PAGES.map((url) => ({ type: "web_search_result", url, title: "A page", encrypted_content: "EqwT" }));
    const citations = PAGES.map((url) => ({ type: "web_search_result_location", url, title: "A page" }));
    const text = { type: "text", text: textFor(question), citations };
    return { body: message([found, result(pages), text], 1), micros: MICROS };
  },
  says: {
    limited: (_, { waitMs }) => ({
      ...failed(429, "rate_limit_error", "…", { "retry-after": String(waitMs / 1000) }),
      waitMs,
    }),
    quota: () => failed(400, "invalid_request_error", "Your credit balance is too low to access the API."),
    down: () => failed(529, "overloaded_error"),
    error: () => ({
      body: message([found, result({ type: "web_search_tool_result_error", error_code: "unavailable" })], 0),
      micros: TOKENS_MICROS,
    }),
    garbled: () => ({ body: GARBLED, micros: MICROS }),
    refusal: () => ({ body: message([], 0, { stop_reason: "refusal" }), micros: TOKENS_MICROS }),
    rejected: () => failed(400, "invalid_request_error"),
  },
  limitHeaders: ({ limit, left, resetMs, nowMs }) => ({
    "anthropic-ratelimit-requests-limit": String(limit),
    "anthropic-ratelimit-requests-remaining": String(left),
    "anthropic-ratelimit-requests-reset": new Date(nowMs + resetMs).toISOString(),
  }),
};
