import { expect, test } from "vitest";
import { askProvider, runProviderCheck, expectedPrice } from "./ask-provider.ts";
import { testProvider } from "./provider-cases.ts";
import { DEEPSEEK } from "./deepseek-cases.ts";

const message = (text: string) => ({ type: "message", content: [{ type: "output_text", annotations: [], text }] });

const body = (...output: object[]) => ({
  object: "response",
  status: "completed",
  model: "deepseek-test",
  error: null,
  output,
  usage: { input_tokens: 10_000, output_tokens: 500, total_tokens: 10_500 },
});

const USUAL = {
  citations: [],
  results: [],
  queries: [],
  retrieved: [],
  model: "deepseek-test",
  costUsd: 0.0036,
  tokens: 10_500,
  provider: "deepseek",
  collectionMethod: "api",
};

const LINKED =
  "**Alphapan** leads ([Pan test](https://a.example/test_(2026))), ![chart](https://a.example/c.png) see [b](https://b.example/).";

testProvider(DEEPSEEK, {
  "several searches, opened pages without the marker of their call, and links in the text as citations": {
    replies: [
      {
        body: body(
          { type: "reasoning", content: [{ type: "reasoning_text", text: "I should search." }] },
          { type: "web_search_call", action: { type: "search", queries: ["pans", "best pans", "ws_call_id=call_00"] } },
          {
            type: "web_search_call",
            action: { type: "open_page", url: "https://a.example/test_(2026)#ws_call_id=c1" },
          },
          message(LINKED),
        ),
      },
    ],
    answer: {
      ...USUAL,
      text: LINKED,
      citations: [
        { position: 1, url: "https://a.example/test_(2026)", title: "Pan test", spans: [{ start: 20, end: 61 }] },
        { position: 2, url: "https://b.example/", title: "b", spans: [{ start: 102, end: 125 }] },
      ],
      queries: ["pans", "best pans"],
      retrieved: [{ position: 1, url: "https://a.example/test_(2026)" }],
      costUsd: 0.00435,
    },
    sent: [
      {
        method: "POST",
        path: "/responses",
        headers: { authorization: "Bearer sk-test" },
        body: {
          model: "deepseek-flash",
          input: "best phone",
          instructions: "Answer in this language: de.\nThe question is asked in this country: DE.",
          tools: [{ type: "web_search" }],
          store: false,
        },
      },
    ],
  },
  "an answer without citations": {
    replies: [{ body: body(message("Alphapan.")) }],
    answer: { ...USUAL, text: "Alphapan." },
  },
  "a refusal is an answer": {
    replies: [{ body: body({ type: "message", content: [{ type: "refusal", refusal: "I can't help." }] }) }],
    answer: { ...USUAL, text: "I can't help.", isRefusal: true },
  },
  "an answer that stopped at its limit is cut off": {
    replies: [
      { body: { ...body(message("Al")), status: "incomplete", incomplete_details: { reason: "max_output_tokens" } } },
    ],
    failure: { kind: "cut_off", isRetryable: false, costUsd: 0.0036 },
  },
  "an error with status 200 is one": {
    replies: [{ body: { ...body(), status: "failed", error: { code: "server_error" } } }],
    failure: { kind: "unavailable", isRetryable: true },
  },
  "an account without balance is not asked again": {
    replies: [{ status: 402, body: { error: { message: "Insufficient Balance" } } }],
    failure: { kind: "out_of_quota", isRetryable: false },
  },
});

test("sends the prompt without a search tool when the model has none", async () => {
  const env = { ...DEEPSEEK.env, DEEPSEEK_SEARCH_TOOL: "none" };
  const { answer, sent } = await askProvider({ ...DEEPSEEK, env }, [{ body: body(message("Alphapan.")) }]);
  expect(answer.text).toBe("Alphapan.");
  expect(sent[0]?.body).not.toHaveProperty("tools");
});

test("checks the key at no cost, reports the remaining balance, and prices a prompt by typical usage", async () => {
  const { said, sent } = await runProviderCheck(DEEPSEEK, [
    {
      body: { is_available: true, balance_infos: [{ currency: "USD", total_balance: "12.50", granted_balance: "0" }] },
    },
  ]);
  expect([said, sent]).toMatchObject([["12.50 USD left."], [{ method: "GET", path: "/user/balance" }]]);
  expect(expectedPrice(DEEPSEEK)).toEqual({ expectedUsd: 0.00858, maxUsd: 0.05 });
  const spent = runProviderCheck(DEEPSEEK, [{ body: { is_available: false, balance_infos: [] } }]);
  await expect(spent).rejects.toMatchObject({ kind: "out_of_quota" });
});
