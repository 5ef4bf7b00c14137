import { expect, test } from "vitest";
import { runProviderCheck, expectedPrice } from "./ask-provider.ts";
import { testProvider } from "./provider-cases.ts";
import { XAI } from "./xai-cases.ts";

const search = (called: object) => ({
  type: "web_search_call",
  name: "web_search",
  status: "completed",
  arguments: JSON.stringify(called),
});

const message = (text: string, annotations: object[] = []) => ({
  type: "message",
  role: "assistant",
  content: [{ type: "output_text", text, annotations }],
});

const body = (...output: object[]) => ({
  object: "response",
  model: "grok-test-0301",
  status: "completed",
  output,
  usage: { input_tokens: 1000, output_tokens: 100, total_tokens: 1100, cost_in_usd_ticks: 123_400_000 },
});

const USUAL = {
  citations: [],
  results: [],
  queries: [],
  retrieved: [],
  model: "grok-test-0301",
  costUsd: 0.01234,
  tokens: 1100,
  provider: "xai",
  collectionMethod: "api",
};

const LINKED = "Alphapan is good.[[1]](https://a.example/pans) Betacook too.[[2]](https://b.example/)";

testProvider(XAI, {
  "it searches, cites where it links, and says what it billed": {
    question: { persona: "A cook" },
    replies: [
      {
        body: body(
          search({ query: "best pan", num_results: 5 }),
          search({ query: "pan test" }),
          message(LINKED, [
            { type: "url_citation", url: "https://a.example/pans", title: "1", start_index: 17, end_index: 46 },
            { type: "url_citation", url: "https://b.example/", title: "2", start_index: 60, end_index: 85 },
          ]),
        ),
      },
    ],
    answer: {
      ...USUAL,
      text: LINKED,
      citations: [
        { position: 1, url: "https://a.example/pans", title: "1", spans: [{ start: 17, end: 46 }] },
        { position: 2, url: "https://b.example/", title: "2", spans: [{ start: 60, end: 85 }] },
      ],
      queries: ["best pan", "pan test"],
    },
    sent: [
      {
        method: "POST",
        path: "/responses",
        headers: { authorization: "Bearer xai-test" },
        body: {
          model: "grok-test",
          input: [
            {
              role: "system",
              content: "Answer in this language: de.\nThe question is asked in this country: DE.\nWho asks: A cook",
            },
            { role: "user", content: "best phone" },
          ],
          tools: [{ type: "web_search" }],
          store: false,
        },
      },
    ],
  },
  "an answer without citations, by a model that does not say what it billed": {
    replies: [{ body: { ...body(message("Alphapan.")), usage: { input_tokens: 1000, output_tokens: 100 } } }],
    answer: { ...USUAL, text: "Alphapan.", costUsd: 0.0026 },
  },
  "a refusal is an answer": {
    replies: [{ body: body({ type: "message", content: [{ type: "refusal", refusal: "I can't help." }] }) }],
    answer: { ...USUAL, text: "I can't help.", isRefusal: true },
  },
  "an answer without text is none": {
    replies: [{ body: body(search({ query: "best pan" })) }],
    failure: { kind: "malformed", costUsd: 0.01234 },
  },
  "an error with status 200 is one": {
    replies: [{ body: { ...body(), status: "failed", error: { code: "rate_limit_exceeded" } } }],
    failure: { kind: "rate_limited", isRetryable: true },
  },
  "an account without credit is not asked again": {
    replies: [{ status: 429, body: { error: { code: "insufficient_quota" } } }],
    failure: { kind: "out_of_quota", isRetryable: false },
  },
});

test("checks the key at no cost, and prices a prompt by typical usage", async () => {
  const { said, sent } = await runProviderCheck(XAI, [{ body: { id: "grok-test" } }]);
  expect(sent).toMatchObject([{ method: "GET", path: "/models/grok-test" }]);
  expect(said).toEqual([]);
  expect(expectedPrice(XAI)).toEqual({ expectedUsd: expect.closeTo(0.0208, 9) as unknown, maxUsd: null });
  await expect(runProviderCheck(XAI, [{ status: 401 }])).rejects.toMatchObject({ kind: "unauthorized" });
});
