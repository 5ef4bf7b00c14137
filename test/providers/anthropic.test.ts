import { expect, test } from "vitest";
import { anthropicProvider } from "../../src/outside/sources/providers/anthropic.ts";
import { askProvider, runProviderCheck } from "./ask-provider.ts";
import { testDocsPage } from "./docs-page.ts";
import type { Reply } from "./fake-provider.ts";
import { testProvider } from "./provider-cases.ts";
import { ANTHROPIC } from "./scenes.ts";

const cited = (url: string, title: string | null) => ({
  type: "web_search_result_location",
  url,
  title,
  cited_text: "…",
  encrypted_index: "Eo8B",
});
const text = (said: string, ...citations: object[]) => ({
  type: "text",
  text: said,
  ...(citations.length > 0 ? { citations } : {}),
});
const search = (query: string, id = "srvtoolu_1") => ({
  type: "server_tool_use",
  id,
  name: "web_search",
  input: { query },
});
const page = (url: string, title: string) => ({
  type: "web_search_result",
  url,
  title,
  encrypted_content: "EqwT",
  page_age: null,
});
const found = (...content: object[]) => ({ type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content });
const failed = (error_code: string) => ({
  type: "web_search_tool_result",
  tool_use_id: "srvtoolu_1",
  content: { type: "web_search_tool_result_error", error_code },
});
/** 1,000 tokens in and 100 out. */
const body = (content: object[], more: object = {}) => ({
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "claude-test-20260928",
  content,
  stop_reason: "end_turn",
  stop_sequence: null,
  stop_details: null,
  usage: {
    input_tokens: 1000,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: 100,
    server_tool_use: {
      web_search_requests: content.filter((block) => "content" in block && Array.isArray(block.content)).length,
    },
  },
  ...more,
});
const error = (type: string, message = "…") => ({ type: "error", error: { type, message }, request_id: "req_1" });

const USUAL = {
  results: [],
  queries: [],
  retrieved: [],
  model: "claude-test-20260928",
  costUsd: 0.002,
  tokens: 1100,
  provider: "anthropic",
  collectionMethod: "api",
};
const PAUSED = [
  { type: "thinking", thinking: "…", signature: "Es4D" },
  search("phones"),
  found(page("https://a.example/", "A")),
  search("cases", "srvtoolu_2"),
];
const FIRST_TURN: Reply = { body: body(PAUSED, { stop_reason: "pause_turn" }) };

testProvider(ANTHROPIC, {
  "the question carries place, language and persona, and never the brands": {
    question: { persona: "A student with little money" },
    replies: [{ body: body([text("Lumora.")]) }],
    answer: { ...USUAL, text: "Lumora.", citations: [] },
    sent: [
      {
        method: "POST",
        path: "/messages",
        headers: {
          "x-api-key": "sk-ant-test",
          "anthropic-version": "2023-06-01",
          "content-type": "application/json",
        },
        body: {
          model: "claude-test",
          max_tokens: 16_000,
          system: "Answer in this language: de.\nWho asks: A student with little money",
          messages: [{ role: "user", content: "best phone" }],
          tools: [
            {
              type: "web_search_20250305",
              name: "web_search",
              max_uses: 5,
              user_location: { type: "approximate", country: "DE" },
            },
          ],
        },
      },
    ],
  },
  "parts of the text are cited as they stand, and what was searched for and found is told": {
    replies: [
      {
        body: body([
          text("I will look."),
          search("best phones"),
          found(page("https://a.example/", "A"), page("https://b.example/x", "B")),
          { type: "server_tool_use", id: "srvtoolu_9", name: "web_fetch", input: { url: "https://a.example/" } },
          { type: "web_fetch_tool_result", tool_use_id: "srvtoolu_9", content: {} },
          search("cheap phones"),
          found(page("https://b.example/x", "B again"), page("https://c.example/", "C")),
          text("😀 "),
          text("Lumora is best", cited("https://b.example/x", "B"), cited("https://a.example/", null)),
          text(", and "),
          text("Vexa is cheap", cited("https://c.example/", "C"), { type: "char_location", document_index: 0 }),
          text("."),
        ]),
      },
    ],
    answer: {
      ...USUAL,
      text: "I will look.\n\n😀 Lumora is best, and Vexa is cheap.",
      citations: [
        { position: 1, url: "https://b.example/x", title: "B", spans: [{ start: 17, end: 31 }] },
        { position: 2, url: "https://a.example/", spans: [{ start: 17, end: 31 }] },
        { position: 3, url: "https://c.example/", title: "C", spans: [{ start: 37, end: 50 }] },
      ],
      queries: ["best phones", "cheap phones"],
      retrieved: [
        { position: 1, url: "https://a.example/", title: "A" },
        { position: 2, url: "https://b.example/x", title: "B again" },
        { position: 3, url: "https://c.example/", title: "C" },
      ],
      costUsd: 0.022,
    },
  },
  "a turn that paused is sent back as it came, and together they are one answer": {
    replies: [
      FIRST_TURN,
      { body: body([found(page("https://b.example/", "B")), text("Lumora", cited("https://b.example/", "B"))]) },
    ],
    answer: {
      ...USUAL,
      text: "Lumora",
      citations: [{ position: 1, url: "https://b.example/", title: "B", spans: [{ start: 0, end: 6 }] }],
      queries: ["phones", "cases"],
      retrieved: [
        { position: 1, url: "https://a.example/", title: "A" },
        { position: 2, url: "https://b.example/", title: "B" },
      ],
      costUsd: 0.024,
      tokens: 2200,
    },
    sent: [
      { body: { max_tokens: 16_000, messages: [{ role: "user" }], tools: [{ max_uses: 5 }] } },
      {
        body: {
          max_tokens: 15_900,
          messages: [
            { role: "user", content: "best phone" },
            { role: "assistant", content: PAUSED },
          ],
          tools: [{ type: "web_search_20250305", max_uses: 4 }],
        },
      },
    ],
  },
  "what failed after a paused turn says what the turn has cost": {
    replies: [FIRST_TURN, { status: 529, body: error("overloaded_error") }],
    failure: { kind: "unavailable", isRetryable: true, costUsd: 0.012 },
  },
  "a wait that is asked for after a paused turn is kept": {
    replies: [FIRST_TURN, { status: 429, headers: { "retry-after": "8" }, body: error("rate_limit_error") }],
    failure: { kind: "rate_limited", retryAfterMs: 8000, costUsd: 0.012 },
  },
  "an answer that pauses without end is cut off, and paid for": {
    replies: [FIRST_TURN],
    failure: { kind: "cut_off", costUsd: 0.036, rawBody: expect.stringMatching(/^\[\{.*\},\{.*\},\{.*\}\]$/su) },
  },
  "a turn that paused without room for more is cut off": {
    env: { ANTHROPIC_MAX_OUTPUT_TOKENS: "100" },
    replies: [FIRST_TURN],
    failure: { kind: "cut_off", costUsd: 0.012 },
  },
  "a refusal is an answer, with the reason that is given": {
    replies: [
      {
        body: body([], {
          stop_reason: "refusal",
          stop_details: { type: "refusal", category: "bio", explanation: "This is against the policy." },
        }),
      },
    ],
    answer: { ...USUAL, text: "This is against the policy.", citations: [], isRefusal: true },
  },
  "a refusal without a reason is an answer": {
    replies: [{ body: body([], { stop_reason: "refusal", stop_details: null }) }],
    answer: {
      ...USUAL,
      text: "The model refused to answer, and gave no reason.",
      citations: [],
      isRefusal: true,
    },
  },
  "a refusal that says something is what it says": {
    replies: [{ body: body([text("I can't help.")], { stop_reason: "refusal" }) }],
    answer: { ...USUAL, text: "I can't help.", citations: [], isRefusal: true },
  },
  "a search too many is no failure": {
    replies: [
      {
        body: body([
          search("a"),
          found(page("https://a.example/", "A")),
          search("b"),
          failed("max_uses_exceeded"),
          text("Lumora."),
        ]),
      },
    ],
    answer: {
      ...USUAL,
      text: "Lumora.",
      citations: [],
      queries: ["a", "b"],
      retrieved: [{ position: 1, url: "https://a.example/", title: "A" }],
      costUsd: 0.012,
    },
  },
  "an answer after a search that failed at the provider is none, but what it cost": {
    replies: [{ body: body([search("a"), failed("unavailable"), text("I could not search.")]) }],
    failure: { kind: "unavailable", isRetryable: true, costUsd: 0.002, message: "The provider's web search failed." },
  },
  "searches that are too many for the provider are asked again": {
    replies: [{ body: body([search("a"), failed("too_many_requests"), text("I could not search.")]) }],
    failure: { kind: "rate_limited", isRetryable: true },
  },
  "one failed search beside another that found pages is no failure": {
    replies: [
      {
        body: body([
          search("a"),
          failed("unavailable"),
          search("a"),
          found(page("https://a.example/", "A")),
          text("Lumora."),
        ]),
      },
    ],
    answer: {
      ...USUAL,
      text: "Lumora.",
      citations: [],
      queries: ["a", "a"],
      retrieved: [{ position: 1, url: "https://a.example/", title: "A" }],
      costUsd: 0.012,
    },
  },
  "searches that the usage does not count are those that found something, and cached tokens count": {
    replies: [
      {
        body: body([search("a"), found(page("https://a.example/", "A")), text("Lumora.")], {
          usage: {
            input_tokens: 100,
            cache_creation_input_tokens: 300,
            cache_read_input_tokens: 600,
            output_tokens: 100,
          },
        }),
      },
    ],
    answer: {
      ...USUAL,
      text: "Lumora.",
      citations: [],
      queries: ["a"],
      retrieved: [{ position: 1, url: "https://a.example/", title: "A" }],
      costUsd: 0.012,
    },
  },
  "an answer that stopped at its limit is cut off, kept and paid for": {
    replies: [{ body: body([text("Half")], { stop_reason: "max_tokens" }) }],
    failure: { kind: "cut_off", isRetryable: false, costUsd: 0.002, rawBody: expect.stringContaining("Half") },
  },
  "an answer that filled the context is cut off": {
    replies: [{ body: body([text("Half")], { stop_reason: "model_context_window_exceeded" }) }],
    failure: { kind: "cut_off", isRetryable: false },
  },
  "an end that is not known is no answer": {
    replies: [{ body: body([text("Lumora.")], { stop_reason: "tool_use" }) }],
    failure: { kind: "malformed", costUsd: 0.002 },
  },
  "an answer without text is none": {
    replies: [{ body: body([search("a"), found(page("https://a.example/", "A"))]) }],
    failure: { kind: "malformed", costUsd: 0.012 },
  },
  "a citation of another shape is no answer without citations": {
    replies: [{ body: body([text("Lumora.", { type: "web_search_result_location", link: "https://a.example/" })]) }],
    failure: { kind: "malformed", isRetryable: true, maxAttempts: 2, rawBody: expect.stringContaining("link") },
  },
  "results of another shape are no answer without pages": {
    replies: [
      { body: body([search("a"), found({ type: "web_search_result", uri: "https://a.example/" }), text("Lumora.")]) },
    ],
    failure: { kind: "malformed", rawBody: expect.stringContaining("uri") },
  },
  "an error with status 200 is no answer": {
    replies: [{ body: error("overloaded_error") }],
    failure: { kind: "malformed" },
  },
  "a wait until a limit is reset is taken from it": {
    replies: [
      {
        status: 429,
        headers: {
          "anthropic-ratelimit-requests-remaining": "0",
          "anthropic-ratelimit-requests-reset": new Date(Date.now() + 3_600_000).toISOString(),
        },
        body: error("rate_limit_error"),
      },
    ],
    failure: { kind: "rate_limited", isRetryable: true, retryAfterMs: 900_000 },
  },
  "an account without credit is not asked again": {
    replies: [
      {
        status: 400,
        body: error("invalid_request_error", "Your credit balance is too low to access the Anthropic API."),
      },
    ],
    failure: { kind: "out_of_quota", isRetryable: false },
  },
  "an account at its own limit is not asked again": {
    replies: [
      { status: 400, body: error("invalid_request_error", "You have reached your specified API usage limits.") },
    ],
    failure: { kind: "out_of_quota", isRetryable: false },
  },
  "a request that is not valid is rejected": {
    replies: [{ status: 400, body: error("invalid_request_error", "max_tokens: too large") }],
    failure: { kind: "rejected", isRetryable: false },
  },
});

test("lists a price for the default model, so that spending can be capped, and requires one for other models", async () => {
  const { ANTHROPIC_API_KEY = "" } = ANTHROPIC.env;
  const usual = await askProvider({ ...ANTHROPIC, env: { ANTHROPIC_API_KEY, ANTHROPIC_MONTHLY_USD: "5" } }, [
    { body: body([search("a"), found(), text("Lumora.")]) },
  ]);
  expect(usual.answer.costUsd).toBeCloseTo(0.013, 10);
  const unlisted = { ANTHROPIC_API_KEY, ANTHROPIC_MODEL: "claude-test" };
  const { answer } = await askProvider({ ...ANTHROPIC, env: unlisted }, [{ body: body([text("Lumora.")]) }]);
  expect(answer.costUsd).toBeNull();
  const capped = () => anthropicProvider.settings.parse({ ...unlisted, ANTHROPIC_MONTHLY_USD: "5" });
  expect(capped).toThrow("needs ANTHROPIC_PRICES");
});

const price = (env: object) =>
  anthropicProvider.open({ ...ANTHROPIC.env, ...env }, { concurrency: 1 })?.price("ASSISTANT_C");

test("reserves at least the cost of any answer: extra searches, turns and tokens cost no more than their bounds", () => {
  // Seven searches read 8 x 5,000 and 28 x 10,000 tokens.
  expect(price({})?.maxUsd).toBeCloseTo(0.32 + 0.16 + 0.07, 10);
  expect(price({ ANTHROPIC_MAX_SEARCHES: "1" })?.maxUsd).toBeCloseTo(0.08 + 0.16 + 0.03, 10);
});

test("checks the model at the provider and reports the remaining limits", async () => {
  const headers = { "anthropic-ratelimit-requests-remaining": "49" };
  const { said, sent } = await runProviderCheck(ANTHROPIC, [{ headers, body: { id: "claude-test", type: "model" } }]);
  expect(said).toEqual(["49 requests left."]);
  expect(sent.map(({ method, path }) => [method, path])).toEqual([["GET", "/models/claude-test"]]);
  await expect(runProviderCheck(ANTHROPIC, [{ status: 401 }])).rejects.toMatchObject({ kind: "unauthorized" });
});

testDocsPage({ ...ANTHROPIC, env: { ANTHROPIC_API_KEY: "sk-ant-test" } }, { pricesOf: "2026-10-01" });
