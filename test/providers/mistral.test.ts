import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { mistral } from "../../src/outside/sources/providers/mistral.ts";
import { asking, checking, outcomeOf, priceIn, type Scene } from "./ask-provider.ts";
import { docsPage } from "./docs-page.ts";
import { providerCases } from "./provider-cases.ts";
import { noRecorded, RECORDED, recordedBodies } from "./recorded-bodies.ts";

const PRICES = { input_per_million: 1.5, output_per_million: 7.5, per_search: 0.03, as_of: "2026-06-01" };
const MISTRAL: Scene = {
  declared: mistral,
  prefix: "MISTRAL",
  env: { MISTRAL_API_KEY: "test", MISTRAL_PRICES: JSON.stringify(PRICES) },
  question: { source: "ASSISTANT_D" },
};

const search = (given: string) => ({ type: "tool.execution", name: "web_search", arguments: given, info: {} });
const message = (content: unknown) => ({ type: "message.output", model: "mistral-test-2607", content });
const text = (said: string) => ({ type: "text", text: said });
const reference = (url: string | null, title: string | null) => ({
  type: "tool_reference",
  tool: "web_search",
  title,
  url,
});
const body = (...outputs: object[]) => ({
  object: "conversation.response",
  conversation_id: "conv-1",
  outputs,
  usage: {
    prompt_tokens: 100,
    completion_tokens: 200,
    connector_tokens: 3900,
    total_tokens: 4200,
    connectors: { web_search: 2 },
  },
});
const USUAL = {
  citations: [],
  results: [],
  queries: [],
  retrieved: [],
  model: "mistral-test-2607",
  costUsd: 0.0675,
  tokens: 4200,
  provider: "mistral",
  collectionMethod: "api",
};

providerCases(MISTRAL, {
  "several searches, an opened page, and references behind what they are given for": {
    replies: [
      {
        body: body(
          search('{"query":"best pans"}'),
          search("pan test"),
          { ...search('{"url":"https://c.example/"}'), function: "web_fetch" },
          message([
            { type: "thinking", thinking: [text("Hm.")] },
            text("Alphapan leads"),
            reference("https://a.example/", "A"),
            reference("https://b.example/", null),
            text("."),
            reference(null, "No address"),
          ]),
          message("That is all."),
        ),
      },
    ],
    answer: {
      ...USUAL,
      text: "Alphapan leads.\n\nThat is all.",
      citations: [
        { position: 1, url: "https://a.example/", title: "A", spans: [{ start: 0, end: 14 }] },
        { position: 2, url: "https://b.example/", spans: [{ start: 0, end: 14 }] },
      ],
      queries: ["best pans", "pan test"],
      retrieved: [{ position: 1, url: "https://c.example/" }],
    },
    sent: [
      {
        method: "POST",
        path: "/conversations",
        headers: { authorization: "Bearer test" },
        body: {
          model: "mistral-medium-latest",
          inputs: "best phone",
          instructions: "Answer in this language: de.\nThe question is asked in this country: DE.",
          tools: [{ type: "web_search" }],
          store: false,
        },
      },
    ],
  },
  "an answer without citations": {
    replies: [{ body: body(message([text("Alphapan.")])) }],
    answer: { ...USUAL, text: "Alphapan." },
  },
  "a refusal is text": {
    replies: [{ body: { ...body(message("I can't help with that.")), usage: {} } }],
    answer: { ...USUAL, text: "I can't help with that.", costUsd: null, tokens: 0 },
  },
  "a search that cannot be read is no answer without searches": {
    replies: [{ body: body(search('{"words":["pans"]}'), message("Alphapan.")) }],
    failure: { kind: "malformed", rawBody: expect.stringContaining("words") },
  },
  "an answer without text is none": {
    replies: [{ body: body(search('{"query":"pans"}')) }],
    failure: { kind: "malformed", costUsd: 0.0675 },
  },
  "an error with status 200 is one": {
    replies: [{ body: { type: "conversation.response.error", message: "Search failed", code: 500 } }],
    failure: { kind: "unavailable", retryable: true, rawBody: expect.stringContaining("Search failed") },
  },
  "a limit that is told with status 200 is one": {
    replies: [{ body: { type: "conversation.response.error", message: "Too many", code: 429 } }],
    failure: { kind: "rate_limited", retryable: true },
  },
});

test("the key is checked at no cost; a question is priced at what an answer usually takes", async () => {
  const { said, sent } = await checking(MISTRAL, [{ body: { id: "mistral-medium-latest" } }]);
  expect([said, sent]).toMatchObject([[], [{ method: "GET", path: "/models/mistral-medium-latest" }]]);
  expect(priceIn(MISTRAL)).toEqual({ expectedUsd: expect.closeTo(0.03765, 9) as unknown, mostUsd: null });
});

const VARIANTS = "conversations-web-search-variants.json";

recordedBodies(MISTRAL, "mistral", {
  bodies: {
    "conversations-web-search.json": {
      how: "recorded",
      at: "2026-07-15",
      answer: {
        text: "Node.js 26.5.0 is current.",
        model: "mistral-small-latest",
        queries: ["latest Node.js release"],
        citations: [
          {
            position: 1,
            url: "https://nodejs.org/en/blog/release/v26.5.0",
            title: "Node.js 26.5.0",
            spans: [{ start: 0, end: 25 }],
          },
        ],
        tokens: 120,
      },
    },
    "error-401.http.json": { how: "recorded", at: "2026-01", failure: { kind: "unauthorized" } },
  },
  unread: { [VARIANTS]: "a list of bodies, each of which is read below" },
});

test.skipIf(noRecorded)("each recorded variant of a conversation is read, or is the error that it says", async () => {
  const variants = JSON.parse(readFileSync(new URL(`mistral/${VARIANTS}`, RECORDED), "utf8")) as { body: unknown }[];
  const read = await Promise.all(
    variants.map(async ({ body: one }) => {
      const { answer, failure } = await outcomeOf(asking(MISTRAL, [{ body: one }]));
      return answer
        ? [answer.text, answer.citations.length, answer.queries, answer.retrieved?.map(({ url }) => url)]
        : (failure as { kind: string }).kind;
    }),
  );
  expect(read).toEqual([
    ["Spain won.", 1, [], ["https://example.com"]],
    ["Spain won.", 1, ["latest results"], []],
    ["Hello", 2, [], []],
    ["Answer", 1, [], []],
    "unavailable",
  ]);
});

const TOKENS_ALONE = JSON.stringify({ ...PRICES, per_search: 0 });
docsPage({ ...MISTRAL, env: { ...MISTRAL.env, MISTRAL_PRICES: TOKENS_ALONE } }, { pricesOf: "2026-06" });
