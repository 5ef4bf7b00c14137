import { expect, test } from "vitest";
import type { ProviderAnswer } from "../../src/outside/sources/provider.ts";
import { openai } from "../../src/outside/sources/providers/openai.ts";
import { responseBody } from "../collecting/provider.ts";
import { asking, type Scene } from "./ask-provider.ts";
import { providerCases } from "./provider-cases.ts";
import { cassetteBodies, noRecorded, recordedBodies } from "./recorded-bodies.ts";

const PRICES = { input_per_million: 1, output_per_million: 10, per_search: 0.01 };
const OPENAI: Scene = {
  declared: openai,
  prefix: "OPENAI",
  env: { OPENAI_API_KEY: "sk-test", OPENAI_MODEL: "test-model", OPENAI_PRICES: JSON.stringify(PRICES) },
};

const message = (text: string, annotations: object[] = [], more: object = {}) => ({
  type: "message",
  content: [{ type: "output_text", text, annotations }],
  ...more,
});
const body = (...output: object[]) => ({ ...responseBody(""), output });
/** Of an answer of `body`, what no case is about: 10 tokens in and 5 out, without a search. */
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

providerCases(OPENAI, {
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
    failure: { kind: "cut_off", retryable: false, costUsd: 0.00006, rawBody: expect.stringContaining("Half") },
  },
  "a citation of another shape is no answer without citations": {
    replies: [{ body: body(message("Acme.", [{ type: "url_citation", source: { href: "https://a.example/" } }])) }],
    failure: { kind: "malformed", retryable: true, mostAttempts: 2, rawBody: expect.stringContaining("href") },
  },
  "an answer without text is none": {
    replies: [{ body: body(message(" ")) }],
    failure: { kind: "malformed", costUsd: 0.00006, rawBody: expect.stringContaining("output_text") },
  },
  "an error that is told with status 200 is what it says": {
    replies: [{ body: { ...body(), status: "failed", error: { code: "rate_limit_exceeded", message: "slow down" } } }],
    failure: { kind: "rate_limited", retryable: true },
  },
  "an error of another kind with status 200 may be over later": {
    replies: [{ body: { ...body(), status: "failed", error: { code: "server_error", message: "sorry" } } }],
    failure: { kind: "unavailable", retryable: true },
  },
  "a 429 of an account without credit is not asked again": {
    replies: [{ status: 429, body: { error: { type: "insufficient_quota", code: "insufficient_quota" } } }],
    failure: { kind: "out_of_quota", retryable: false, retryAfterMs: undefined },
  },
});

test("without prices a cost that is not told is unknown, and a cap on spending is refused", async () => {
  const { answer } = await asking({ ...OPENAI, env: { OPENAI_API_KEY: "sk-test" } }, [
    { body: body(message("Acme.")) },
  ]);
  expect(answer.costUsd).toBeNull();
  expect(() => openai.settings.parse({ OPENAI_MONTHLY_USD: "1" })).toThrow("needs OPENAI_PRICES");
});

/** The model that answers, how many pages it cites, and searches and pages that were read. */
const read = (model: string, citations: number, queries: number, retrieved: number) => (answer: ProviderAnswer) => {
  const counts = [answer.citations, answer.queries ?? [], answer.retrieved ?? []].map((rows) => rows.length);
  expect([answer.model, ...counts]).toEqual([model, citations, queries, retrieved]);
  // Each citation is printed where its span says.
  for (const { url, spans = [] } of answer.citations) {
    for (const { start, end } of spans) expect(answer.text.slice(start, end)).toContain(new URL(url).host);
  }
};

recordedBodies(OPENAI, "openai", {
  bodies: {
    "web-search-citations-gpt-5.4-mini.http.json": {
      how: "recorded",
      at: "2026-08-20",
      holds: read("gpt-5.4-mini-2026-03-17", 1, 1, 0),
      answer: {
        tokens: 8766,
        citations: [
          {
            position: 1,
            url: "https://github.com/pydantic/pydantic-ai?utm_source=openai",
            spans: [{ start: 70, end: 143 }],
          },
        ],
      },
    },
    "web-search-cached-index-gpt-5.6-sol.http.json": {
      how: "recorded",
      at: "2026-07-24",
      holds: read("gpt-5.6-sol", 1, 1, 0),
    },
    "web-search-preview-sources-utm.1.json": {
      how: "recorded",
      at: "2026-07-14",
      holds: read("gpt-4o-mini-2024-07-18", 0, 1, 12),
    },
    "web-search-preview-sources-utm.2.json": {
      how: "recorded",
      at: "2026-07-14",
      holds: read("gpt-4o-mini-2024-07-18", 0, 1, 12),
    },
    "web-search-preview-sources-utm.3.json": {
      how: "recorded",
      at: "2026-07-15",
      holds: read("gpt-4o-mini-2024-07-18", 1, 1, 12),
    },
    "web-search-preview-custom-name.json": {
      how: "recorded",
      at: "2026-07-14",
      holds: read("gpt-5-mini-2025-08-07", 1, 2, 34),
    },
    "web-search-three-calls-gpt-5.1.json": {
      how: "recorded",
      at: "2026-02-19",
      holds: read("gpt-5.1-2025-11-13", 6, 1, 17),
    },
    "several-output-texts.json": { how: "reduced", at: "2026-10", answer: { text: "First. Second." } },
    "refusal.shape.json": {
      how: "reduced",
      at: "2026-06",
      answer: { text: "I can't help with that.", isRefusal: true },
    },
    "incomplete-max-output-tokens-gpt-5.1.http.json": {
      how: "recorded",
      at: "2026-08-03",
      failure: { kind: "cut_off" },
    },
    "incomplete-max-output-tokens-gpt-5.5-pro.http.json": {
      how: "recorded",
      at: "2026-08-03",
      failure: { kind: "cut_off" },
    },
    "error-400.http.json": { how: "recorded", at: "2025-12", failure: { kind: "rejected" } },
    "error-400-tool-choice.json": { how: "recorded", at: "2026-08-18", status: 400, failure: { kind: "rejected" } },
    "error-401.shape.http.json": { how: "reduced", at: "2026-06", failure: { kind: "unauthorized" } },
    "error-429-insufficient-quota.http.json": { how: "recorded", at: "2025-11", failure: { kind: "out_of_quota" } },
    "error-429-insufficient-quota.json": {
      how: "recorded",
      at: "2026-06",
      status: 429,
      failure: { kind: "out_of_quota" },
    },
    "error-429-rate-limit.shape.http.json": {
      how: "reduced",
      at: "2026-06",
      failure: { kind: "rate_limited", retryAfterMs: 1000 },
    },
    "compatible-error-429-retry-after-ms.http.json": {
      how: "recorded",
      at: "2025-08",
      failure: { kind: "rate_limited", retryAfterMs: 660 },
    },
  },
  unread: { "web-search-three-queries-sources.recorded-exchange.json": "a summary of an exchange without its answer" },
});

const CASSETTES = [
  "test_openai_responses__test_openai_responses_model_web_search_tool.yaml",
  "test_openai_responses__test_openai_responses_model_web_search_tool_with_allowed_domains.yaml",
  "test_openai_responses__test_openai_responses_model_web_search_tool_with_user_location.yaml",
];

test.skipIf(noRecorded).each(CASSETTES)("every recorded answer of %s can be read", async (file) => {
  const bodies = cassetteBodies<{ model: string }>(file);
  expect(bodies.length).toBeGreaterThan(0);
  for (const one of bodies) {
    const { answer } = await asking(OPENAI, [{ body: one }]);
    expect(answer.model).toBe(one.model);
    expect(answer.text).not.toBe("");
    expect(answer.tokens).toBeGreaterThan(100);
  }
});
