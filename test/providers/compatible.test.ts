import { expect, test } from "vitest";
import { runProviderCheck, expectedPrice } from "./ask-provider.ts";
import { testProvider } from "./provider-cases.ts";
import { COMPATIBLE, body } from "./compatible-cases.ts";

const USUAL = {
  citations: [],
  results: [],
  queries: [],
  retrieved: [],
  model: "local-7b-q4",
  costUsd: 0.00025,
  tokens: 70,
  provider: "compatible",
  collectionMethod: "api",
};

testProvider(COMPATIBLE, {
  "a local model needs no key, and what it thinks first is no part of its answer": {
    question: { persona: "A cook" },
    replies: [{ body: body({ content: "<think>\nBetacook? No.\n</think>\n\nAlphapan." }) }],
    answer: { ...USUAL, text: "Alphapan." },
    sent: [
      {
        method: "POST",
        path: "/chat/completions",
        body: {
          model: "local-7b",
          messages: [
            {
              role: "system",
              content: "Answer in this language: de.\nThe question is asked in this country: DE.\nWho asks: A cook",
            },
            { role: "user", content: "best phone" },
          ],
          stream: false,
        },
      },
    ],
  },
  "annotations with and without places in the text are citations": {
    env: { COMPATIBLE_API_KEY: "key", COMPATIBLE_EXTRA: '{"web_search_options":{},"max_tokens":900}' },
    replies: [
      {
        body: body({
          content: "Alphapan ([a](https://a.example/)).",
          annotations: [
            {
              type: "url_citation",
              url_citation: { url: "https://b.example/", title: "", start_index: 0, end_index: 0 },
            },
            {
              type: "url_citation",
              url_citation: { url: "https://a.example/", title: "A", start_index: 9, end_index: 34 },
            },
          ],
        }),
      },
    ],
    answer: {
      ...USUAL,
      text: "Alphapan ([a](https://a.example/)).",
      citations: [
        { position: 1, url: "https://a.example/", title: "A", spans: [{ start: 9, end: 34 }] },
        { position: 2, url: "https://b.example/", title: "" },
      ],
    },
    sent: [{ headers: { authorization: "Bearer key" }, body: { web_search_options: {}, max_tokens: 900 } }],
  },
  "marks in the text cite pages beside it, and the others were read": {
    replies: [
      {
        body: body(
          { content: "Alphapan[2]. Betacook[3]." },
          {
            citations: ["https://a.example/", "https://b.example/", "https://c.example/"],
            search_results: [{ url: "https://b.example/", title: "B", date: "2026-01-01" }],
            usage: { prompt_tokens: 50, completion_tokens: 20, cost: { total_cost: 0.006 } },
          },
        ),
      },
    ],
    answer: {
      ...USUAL,
      text: "Alphapan[2]. Betacook[3].",
      citations: [
        { position: 1, url: "https://b.example/", title: "B", spans: [{ start: 8, end: 11 }] },
        { position: 2, url: "https://c.example/", spans: [{ start: 21, end: 24 }] },
      ],
      retrieved: [
        { position: 1, url: "https://a.example/" },
        { position: 2, url: "https://b.example/", title: "B" },
        { position: 3, url: "https://c.example/" },
      ],
      costUsd: 0.006,
    },
  },
  "search results without marks are its sources; parts of a text are one": {
    replies: [
      {
        body: body(
          { content: [{ type: "text", text: "Alpha" }, { type: "image" }, { type: "text", text: "pan." }] },
          { citations: [], search_results: [{ url: "https://a.example/", title: "A" }], usage: null },
        ),
      },
    ],
    answer: {
      ...USUAL,
      text: "Alphapan.",
      citations: [{ position: 1, url: "https://a.example/", title: "A" }],
      retrieved: [{ position: 1, url: "https://a.example/", title: "A" }],
      costUsd: null,
      tokens: 0,
    },
  },
  "an address that speaks Responses": {
    env: { COMPATIBLE_INTERFACE: "responses", COMPATIBLE_EXTRA: '{"tools":[{"type":"web_search"}]}' },
    replies: [
      {
        body: {
          model: "local-7b-q4",
          status: "completed",
          output: [
            { type: "web_search_call", action: { type: "search", queries: ["pans"] } },
            { type: "message", content: [{ type: "output_text", text: "Alphapan." }] },
          ],
          citations: ["https://a.example/"],
          usage: { input_tokens: 50, output_tokens: 20 },
        },
      },
    ],
    answer: {
      ...USUAL,
      text: "Alphapan.",
      citations: [{ position: 1, url: "https://a.example/" }],
      queries: ["pans"],
    },
    sent: [
      {
        path: "/responses",
        body: {
          model: "local-7b",
          input: "best phone",
          instructions: "Answer in this language: de.\nThe question is asked in this country: DE.",
          store: false,
          tools: [{ type: "web_search" }],
        },
      },
    ],
  },
  "a refusal is an answer": {
    replies: [{ body: body({ content: null, refusal: "I can't help with that." }) }],
    answer: { ...USUAL, text: "I can't help with that.", isRefusal: true },
  },
  "an answer that stopped at its limit is cut off, kept and paid for": {
    replies: [{ body: { ...body({}), choices: [{ finish_reason: "length", message: { content: "Al" } }] } }],
    failure: { kind: "cut_off", isRetryable: false, costUsd: 0.00025, rawBody: expect.stringContaining('"Al"') },
  },
  "a citation of another shape is no answer without citations": {
    replies: [{ body: body({ content: "Alphapan." }, { citations: [{ link: "https://a.example/" }] }) }],
    failure: { kind: "malformed", rawBody: expect.stringContaining("link") },
  },
  "an answer without text is none": {
    replies: [{ body: body({ content: "<think>Hm.</think>" }) }],
    failure: { kind: "malformed", costUsd: 0.00025 },
  },
  "an error with status 200 is what it says": {
    replies: [{ body: { error: { code: 429, message: "slow down" } } }],
    failure: { kind: "rate_limited", isRetryable: true },
  },
  "an account without credit is not asked again": {
    replies: [{ status: 429, body: { error: { type: "insufficient_quota", code: "insufficient_quota" } } }],
    failure: { kind: "out_of_quota", isRetryable: false },
  },
});

test("checks the address at no cost and reports whether it serves the model", async () => {
  const { said, sent } = await runProviderCheck(COMPATIBLE, [
    { body: { data: [{ id: "other" }, { id: "local-7b" }] } },
  ]);
  expect(sent).toMatchObject([{ method: "GET", path: "/models" }]);
  expect(said).toEqual(["The address lists 2 models, including this one."]);
  expect(expectedPrice(COMPATIBLE)).toEqual({ expectedUsd: 0.0061, maxUsd: null });
  const { said: other } = await runProviderCheck(COMPATIBLE, [{ body: { data: [{ id: "other" }] } }]);
  expect(other).toEqual(["The address lists 1 models, but not this one."]);
});
