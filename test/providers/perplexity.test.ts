import { expect, test } from "vitest";
import { perplexityProvider } from "../../src/outside/sources/providers/perplexity.ts";
import { runProviderCheck, type Scene } from "./ask-provider.ts";
import { testProvider } from "./provider-cases.ts";

const PERPLEXITY: Scene = {
  declared: perplexityProvider,
  prefix: "PERPLEXITY",
  env: { PERPLEXITY_API_KEY: "pplx-test" },
  question: { source: "ASSISTANT_B" },
};

const message = (text: string, annotations: object[] = []) => ({
  type: "message",
  id: "msg_1",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text, annotations }],
});

const found = (id: number, url: string, title: string) => ({ id, url, title, snippet: "…", source: "web" });

const search = (queries: string[], ...results: object[]) => ({ type: "search_results", queries, results });

const USAGE = {
  input_tokens: 3000,
  output_tokens: 200,
  total_tokens: 3200,
  tool_calls_details: { search_web: { invocation: 1 } },
};

const COST = { currency: "USD", input_cost: 0.00075, output_cost: 0.0005, tool_calls_cost: 0.005, total_cost: 0.00625 };

const body = (output: object[], more: object = {}) => ({
  id: "resp_1",
  object: "response",
  created_at: 1_790_000_000,
  model: "perplexity/sonar",
  status: "completed",
  error: null,
  output,
  usage: { ...USAGE, cost: COST },
  ...more,
});

const USUAL = {
  results: [],
  queries: [],
  retrieved: [],
  model: "perplexity/sonar",
  costUsd: 0.00625,
  tokens: 3200,
  provider: "perplexity",
  collectionMethod: "api",
};

testProvider(PERPLEXITY, {
  "the question names the model, and carries place, language and persona, and never the brands": {
    question: { persona: "A student with little money" },
    replies: [{ body: body([message("Lumora.")]) }],
    answer: { ...USUAL, text: "Lumora.", citations: [] },
    sent: [
      {
        method: "POST",
        path: "/agent",
        headers: { authorization: "Bearer pplx-test", "content-type": "application/json" },
        body: {
          model: "perplexity/sonar",
          input: "best phone",
          instructions: "Who asks: A student with little money",
          language_preference: "de",
          max_output_tokens: 4096,
          max_steps: 5,
          tools: [{ type: "web_search", user_location: { country: "DE" } }],
          store: false,
        },
      },
    ],
  },
  "marks in the text are citations, each page of the searches was read, whatever else the answer holds": {
    replies: [
      {
        body: body([
          search(
            ["best phones", "phone tests"],
            found(1, "https://tests.example/phones", "Phone tests"),
            found(2, "https://lumora.example/", "Lumora"),
          ),
          search(["phones under 300"], found(3, "https://shop.example/300", "Cheap phones")),
          { type: "fetch_url_results", contents: [{ url: "https://x.example/", title: "X", snippet: "…" }] },
          { type: "unknown", item_name: "new_thing", payload: {} },
          message("Lumora is best[2][1]. Vexa is cheap[3], and [9] is none, nor [2](https://link.example/)."),
        ]),
      },
    ],
    answer: {
      ...USUAL,
      text: "Lumora is best[2][1]. Vexa is cheap[3], and [9] is none, nor [2](https://link.example/).",
      citations: [
        { position: 1, url: "https://lumora.example/", title: "Lumora", spans: [{ start: 14, end: 17 }] },
        { position: 2, url: "https://tests.example/phones", title: "Phone tests", spans: [{ start: 17, end: 20 }] },
        { position: 3, url: "https://shop.example/300", title: "Cheap phones", spans: [{ start: 35, end: 38 }] },
      ],
      queries: ["best phones", "phone tests", "phones under 300"],
      retrieved: [
        { position: 1, url: "https://tests.example/phones", title: "Phone tests" },
        { position: 2, url: "https://lumora.example/", title: "Lumora" },
        { position: 3, url: "https://shop.example/300", title: "Cheap phones" },
      ],
    },
  },
  "annotations are citations too": {
    replies: [
      {
        body: body([
          message("Lumora is best.", [
            { type: "url_citation", url: "https://a.example/", title: "A", start_index: 0, end_index: 15 },
          ]),
        ]),
      },
    ],
    answer: {
      ...USUAL,
      text: "Lumora is best.",
      citations: [{ position: 1, url: "https://a.example/", title: "A", spans: [{ start: 0, end: 15 }] }],
    },
  },
  "a mark that could be either of two pages is no answer with a guessed source": {
    replies: [
      {
        body: body([
          search(["a"], found(1, "https://a.example/", "A")),
          search(["b"], found(1, "https://b.example/", "B")),
          message("Lumora[1]."),
        ]),
      },
    ],
    failure: { kind: "malformed", rawBody: expect.stringContaining("b.example") },
  },
  "an answer of pages found twice under one number cites that page": {
    replies: [
      {
        body: body([
          search(["a"], found(1, "https://a.example/", "A")),
          search(["b"], found(1, "https://a.example/", "A")),
          message("Lumora[1]."),
        ]),
      },
    ],
    answer: {
      ...USUAL,
      text: "Lumora[1].",
      citations: [{ position: 1, url: "https://a.example/", title: "A", spans: [{ start: 6, end: 9 }] }],
      queries: ["a", "b"],
      retrieved: [{ position: 1, url: "https://a.example/", title: "A" }],
    },
  },
  "a cost that is not told is that of the list: 3,000 tokens in, 200 out and a search": {
    replies: [{ body: body([search(["a"]), message("Lumora.")], { usage: USAGE }) }],
    answer: { ...USUAL, text: "Lumora.", citations: [], queries: ["a"], costUsd: 0.00625 },
  },
  "nothing is made up for a model without a list": {
    env: { PERPLEXITY_MODEL: "other/model" },
    replies: [{ body: body([message("Lumora.")], { model: "other/model", usage: USAGE }) }],
    answer: { ...USUAL, text: "Lumora.", citations: [], model: "other/model", costUsd: null },
    sent: [{ body: { model: "other/model" } }],
  },
  "results of another shape are no answer without sources": {
    replies: [{ body: body([{ type: "search_results", results: [{ id: 1, link: "https://a.example/" }] }]) }],
    failure: { kind: "malformed", isRetryable: true, maxAttempts: 2, rawBody: expect.stringContaining("link") },
  },
  "an answer without text is none, and was billed": {
    replies: [{ body: body([search(["a"])]) }],
    failure: { kind: "malformed", costUsd: 0.00625 },
  },
  "an answer that stopped at its limit is cut off": {
    replies: [
      {
        body: body([message("Half")], {
          status: "incomplete",
          incomplete_details: { reason: "max_output_tokens" },
        }),
      },
    ],
    failure: { kind: "cut_off", isRetryable: false, costUsd: 0.00625 },
  },
  "a limit that is told with status 200 is one": {
    replies: [
      { body: body([], { status: "failed", error: { code: "rate_limit_exceeded", message: "…" }, usage: null }) },
    ],
    failure: { kind: "rate_limited", isRetryable: true, costUsd: 0 },
  },
  "a failure that is told with status 200 may be over later": {
    replies: [{ body: body([], { status: "failed", error: { message: "…", type: "internal" }, usage: null }) }],
    failure: { kind: "unavailable", isRetryable: true },
  },
});

const MODELS = { body: { object: "list", data: [{ id: "perplexity/sonar", object: "model", created: 0 }] } };

const NOT_THERE = { status: 404, body: { error: { message: "not found" } } };

test("a check asks for the list of models and a response that is not there, and for no answer", async () => {
  const { said, sent } = await runProviderCheck(PERPLEXITY, [MODELS, NOT_THERE]);
  expect(said).toEqual([]);
  expect(sent.map(({ method, path }) => [method, path])).toEqual([
    ["GET", "/models"],
    ["GET", "/responses/resp_00000000-0000-4000-8000-000000000000"],
  ]);
});

test.each([
  ["a wrong key", [MODELS, { status: 401 }], "unauthorized"],
  ["a model that is not offered", [{ body: { object: "list", data: [] } }], "rejected"],
  ["a list of another shape", [{ body: {} }], "malformed"],
  ["a service that is down", [MODELS, { status: 503 }], "unavailable"],
])("a check finds %s", async (_title, replies, kind) => {
  await expect(runProviderCheck(PERPLEXITY, replies)).rejects.toMatchObject({ kind });
});
