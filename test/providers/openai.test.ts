import { expect, test } from "vitest";
import { openaiProvider } from "../../src/outside/sources/providers/openai.ts";
import { askProvider } from "./ask-provider.ts";
import { testProvider } from "./provider-cases.ts";
import { OPENAI, body } from "./openai-cases.ts";

const message = (text: string, annotations: object[] = [], more: object = {}) => ({
  type: "message",
  content: [{ type: "output_text", text, annotations }],
  ...more,
});

/** The rest of an answer to `body`: 10 input and 5 output tokens, no search. */
const USUAL = {
  results: [],
  queries: [],
  retrieved: [],
  model: "test-model-2026-11-01",
  costUsd: 0.00006,
  tokens: 15,
  provider: "openai",
  collectionMethod: "api",
};

testProvider(OPENAI, {
  "the question carries place, language and persona, and never the brands": {
    question: { persona: "A student with little money" },
    replies: [{ body: body(message("Acme.")) }],
    answer: { ...USUAL, text: "Acme.", citations: [] },
    sent: [
      {
        method: "POST",
        path: "/responses",
        headers: { authorization: "Bearer sk-test", "content-type": "application/json" },
        body: {
          model: "test-model",
          input: "best phone",
          instructions: "Answer in this language: de.\nWho asks: A student with little money",
          tools: [{ type: "web_search", user_location: { type: "approximate", country: "DE" } }],
          include: ["web_search_call.action.sources"],
          store: false,
        },
      },
    ],
  },
  "searches, pages that were read, and citations in the order of the text with what they are given for": {
    replies: [
      {
        body: body(
          {
            type: "web_search_call",
            action: {
              type: "search",
              query: "phones",
              queries: ["phones", "best phones"],
              sources: [{ type: "url", url: "https://a.example/" }, { type: "api" }, { url: "https://b.example/x" }],
            },
          },
          { type: "web_search_call", action: { type: "open_page", url: "https://b.example/x" } },
          { type: "reasoning", summary: [] },
          message("I will look.", [], { phase: "commentary" }),
          message("Acme (b) and Rival (a).", [
            { type: "url_citation", url: "https://a.example/", title: "A", start_index: 19, end_index: 22 },
            { type: "url_citation", url: "https://b.example/x", title: "B", start_index: 5, end_index: 8 },
            { type: "file_citation", file_id: "f" },
          ]),
          message("More."),
        ),
      },
    ],
    answer: {
      ...USUAL,
      text: "Acme (b) and Rival (a).\n\nMore.",
      citations: [
        { position: 1, url: "https://b.example/x", title: "B", spans: [{ start: 5, end: 8 }] },
        { position: 2, url: "https://a.example/", title: "A", spans: [{ start: 19, end: 22 }] },
      ],
      queries: ["phones", "best phones"],
      retrieved: [
        { position: 1, url: "https://a.example/" },
        { position: 2, url: "https://b.example/x" },
      ],
      costUsd: 0.01006,
    },
  },
  "annotations without offsets, and of the nested form of compatible addresses, are citations": {
    replies: [
      {
        body: body(
          message("Acme.", [
            { type: "url_citation", url: "https://a.example/" },
            {
              type: "url_citation",
              url_citation: { url: "https://b.example/", title: "B", start_index: 0, end_index: 0 },
            },
          ]),
        ),
      },
    ],
    answer: {
      ...USUAL,
      text: "Acme.",
      citations: [
        { position: 1, url: "https://a.example/" },
        { position: 2, url: "https://b.example/", title: "B" },
      ],
    },
  },
  "offsets that count characters are those of the text": {
    replies: [
      {
        body: body(
          message("😀😀 ([a](https://a.example/))", [
            { type: "url_citation", url: "https://a.example/", start_index: 3, end_index: 28 },
          ]),
        ),
      },
    ],
    answer: {
      ...USUAL,
      text: "😀😀 ([a](https://a.example/))",
      citations: [{ position: 1, url: "https://a.example/", spans: [{ start: 5, end: 30 }] }],
    },
  },
  "marks of a compatible address that name results of its search are citations, the others were read": {
    replies: [
      {
        body: {
          ...body(
            {
              type: "search_results",
              queries: ["phones"],
              results: [
                { id: 1, url: "https://a.example/", title: "A" },
                { id: 2, url: "https://b.example/" },
              ],
            },
            message("Acme[2]. Rival [9]."),
          ),
          usage: { input_tokens: 1, output_tokens: 2, cost: { total_cost: 0.025, currency: "USD" } },
        },
      },
    ],
    answer: {
      ...USUAL,
      text: "Acme[2]. Rival [9].",
      citations: [{ position: 1, url: "https://b.example/", spans: [{ start: 4, end: 7 }] }],
      queries: ["phones"],
      retrieved: [
        { position: 1, url: "https://a.example/", title: "A" },
        { position: 2, url: "https://b.example/" },
      ],
      costUsd: 0.025,
      tokens: 3,
    },
  },
  "sources beside the output, what was searched for as arguments, and a billed amount": {
    replies: [
      {
        body: {
          ...body(
            { type: "web_search_call", arguments: '{"query":"phones"}' },
            { type: "web_search_call", action: { type: "search", queries: ["best", "ws_call_id=call_00"] } },
            message("Acme."),
          ),
          citations: ["https://a.example/", { url: "https://b.example/", title: "B" }],
          usage: { input_tokens: 10, output_tokens: 5, cost: 0.5 },
        },
      },
    ],
    answer: {
      ...USUAL,
      text: "Acme.",
      citations: [
        { position: 1, url: "https://a.example/" },
        { position: 2, url: "https://b.example/", title: "B" },
      ],
      queries: ["phones", "best"],
      costUsd: 0.5,
    },
  },
  "a refusal is an answer": {
    replies: [{ body: body({ type: "message", content: [{ type: "refusal", refusal: "I can't help with that." }] }) }],
    answer: { ...USUAL, text: "I can't help with that.", citations: [], isRefusal: true },
  },
  "an answer that stopped at its limit is cut off, kept and paid for": {
    replies: [
      {
        body: { ...body(message("Half")), status: "incomplete", incomplete_details: { reason: "max_output_tokens" } },
      },
    ],
    failure: { kind: "cut_off", isRetryable: false, costUsd: 0.00006, rawBody: expect.stringContaining("Half") },
  },
  "a citation of another shape is no answer without citations": {
    replies: [{ body: body(message("Acme.", [{ type: "url_citation", source: { href: "https://a.example/" } }])) }],
    failure: { kind: "malformed", isRetryable: true, maxAttempts: 2, rawBody: expect.stringContaining("href") },
  },
  "an answer without text is none": {
    replies: [{ body: body(message(" ")) }],
    failure: { kind: "malformed", costUsd: 0.00006, rawBody: expect.stringContaining("output_text") },
  },
  "an error that is told with status 200 is what it says": {
    replies: [{ body: { ...body(), status: "failed", error: { code: "rate_limit_exceeded", message: "slow down" } } }],
    failure: { kind: "rate_limited", isRetryable: true },
  },
  "an error of another kind with status 200 may be over later": {
    replies: [{ body: { ...body(), status: "failed", error: { code: "server_error", message: "sorry" } } }],
    failure: { kind: "unavailable", isRetryable: true },
  },
  "a 429 of an account without credit is not asked again": {
    replies: [{ status: 429, body: { error: { type: "insufficient_quota", code: "insufficient_quota" } } }],
    failure: { kind: "out_of_quota", isRetryable: false, retryAfterMs: undefined },
  },
});

test("reports an unknown cost without prices, and rejects a spending cap", async () => {
  const { answer } = await askProvider({ ...OPENAI, env: { OPENAI_API_KEY: "sk-test" } }, [
    { body: body(message("Acme.")) },
  ]);
  expect(answer.costUsd).toBeNull();
  expect(() => openaiProvider.settings.parse({ OPENAI_MONTHLY_USD: "1" })).toThrow("needs OPENAI_PRICES");
});
