import { expect, test } from "vitest";
import { runProviderCheck, expectedPrice } from "./ask-provider.ts";
import { testProvider } from "./provider-cases.ts";
import { MISTRAL, text, body } from "./mistral-cases.ts";

const search = (given: string) => ({ type: "tool.execution", name: "web_search", arguments: given, info: {} });

const message = (content: unknown) => ({ type: "message.output", model: "mistral-test-2607", content });

const reference = (url: string | null, title: string | null) => ({
  type: "tool_reference",
  tool: "web_search",
  title,
  url,
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

testProvider(MISTRAL, {
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
    failure: { kind: "unavailable", isRetryable: true, rawBody: expect.stringContaining("Search failed") },
  },
  "a limit that is told with status 200 is one": {
    replies: [{ body: { type: "conversation.response.error", message: "Too many", code: 429 } }],
    failure: { kind: "rate_limited", isRetryable: true },
  },
});

test("checks the key at no cost, and prices a prompt by typical usage", async () => {
  const { said, sent } = await runProviderCheck(MISTRAL, [{ body: { id: "mistral-medium-latest" } }]);
  expect([said, sent]).toMatchObject([[], [{ method: "GET", path: "/models/mistral-medium-latest" }]]);
  expect(expectedPrice(MISTRAL)).toEqual({ expectedUsd: expect.closeTo(0.03765, 9) as unknown, maxUsd: null });
});
