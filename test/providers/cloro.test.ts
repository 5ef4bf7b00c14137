import { expect, test } from "vitest";
import { stepTask } from "../../src/jobs/collect/ask-task.ts";
import { cloroProvider } from "../../src/outside/sources/providers/cloro.ts";
import { askProvider, runProviderCheck, settleAnswer, expectedPrice, QUESTION, type Scene } from "./ask-provider.ts";
import { startFakeProvider, type Reply } from "./fake-provider.ts";
import { testProvider } from "./provider-cases.ts";

const CLORO: Scene = {
  declared: cloroProvider,
  prefix: "CLORO",
  env: { CLORO_API_KEY: "sk_test", CLORO_USD_PER_CREDIT: "0.001" },
};

const ID = "b27a21e1-0000-4000-8000-000000000001";

const task = (status: string, more: object = {}) => ({ body: { success: true, task: { id: ID, status }, ...more } });

const SUBMITTED = task("QUEUED", { credits: { creditsToCharge: 7, creditsCharged: null } });

const done = (response: object, creditsCharged = 7) => task("COMPLETED", { credits: { creditsCharged }, response });

const shown = (response: object) => [SUBMITTED, done(response)];

const failed = (error: unknown) => [SUBMITTED, task("FAILED", { credits: { creditsCharged: 0 }, response: { error } })];

const USUAL = {
  citations: [],
  results: [],
  queries: [],
  model: null,
  costUsd: 0.007,
  tokens: 0,
  provider: "cloro",
  collectionMethod: "capture",
};

const LINKED =
  "**Alphapan 24** leads. [Pan test](https://a.example/test) Betacook follows. [B](https://b.example/) [2](https://a.example/test)";

const SHOP = "https://www.google.com/search?q=product&prds=pvt:hg,productid:12&ibp=oshop";

testProvider(CLORO, {
  "ChatGPT: searches, sources with their places in the text, and products, after it was queued and under way": {
    question: { persona: "A cook" },
    replies: [
      SUBMITTED,
      task("PROCESSING"),
      task("RUNNING"),
      done({
        model: "gpt-5-5",
        text: "Alphapan 24 leads. Betacook follows.",
        markdown: LINKED,
        searchQueries: ["best pan 2026", "pan test"],
        sources: [
          { position: 1, url: "https://c.example/", label: "Not linked" },
          { position: 2, url: "https://a.example/test", label: "Pans tested" },
        ],
        citationPills: [
          { citationPillId: 0, url: "https://a.example/test", label: "Pans tested", domain: "a.example", position: 2 },
          { citationPillId: 1, url: "https://b.example/", label: "", domain: "b.example", position: 3 },
        ],
        shoppingCards: [
          {
            tags: [],
            products: [{ title: "Alphapan 24", url: "https://shop.example/1", price: "$57.00", merchant: "Shop" }],
          },
        ],
        inlineProducts: [{ product: { title: "Betacook Pro", price: null }, render_as: "inline" }],
        map: [],
      }),
    ],
    answer: {
      ...USUAL,
      text: LINKED,
      citations: [
        {
          position: 1,
          url: "https://a.example/test",
          title: "Pans tested",
          spans: [
            { start: 23, end: 57 },
            { start: 100, end: 127 },
          ],
        },
        { position: 2, url: "https://b.example/", title: "B", spans: [{ start: 76, end: 99 }] },
        { position: 3, url: "https://c.example/", title: "Not linked" },
      ],
      queries: ["best pan 2026", "pan test"],
      products: [
        { position: 1, title: "Alphapan 24", url: "https://shop.example/1", price: "$57.00", seller: "Shop" },
        { position: 2, title: "Betacook Pro" },
      ],
      model: "gpt-5-5",
    },
    sent: [
      {
        method: "POST",
        path: "/v1/async/task",
        headers: { authorization: "Bearer sk_test" },
        body: {
          taskType: "CHATGPT",
          idempotencyKey: "key-1",
          payload: {
            prompt: "Who asks: A cook\n\nbest phone",
            country: "DE",
            include: { markdown: true, searchQueries: true, shopping: true },
          },
        },
      },
      { method: "GET", path: `/v1/async/task/${ID}`, body: undefined },
      { method: "GET", path: `/v1/async/task/${ID}` },
      { method: "GET", path: `/v1/async/task/${ID}` },
    ],
  },
  "Gemini: an answer without sources, and without a word of what was billed": {
    question: { source: "ASSISTANT_D" },
    replies: [SUBMITTED, task("COMPLETED", { response: { text: "Alphapan.", sources: [] } })],
    answer: { ...USUAL, text: "Alphapan.", costUsd: null },
    sent: [{ body: { taskType: "GEMINI", payload: { prompt: "best phone", include: { markdown: true } } } }],
  },
  "Perplexity: what it searched for, and not what it suggests to ask next": {
    question: { source: "ASSISTANT_B" },
    replies: shown({
      text: "Alphapan.",
      sources: [{ position: 1, url: "https://a.example/", label: "A" }],
      search_model_queries: ["pans"],
      related_queries: ["What about Betacook?"],
      shoppingCards: [{ name: "of another shape" }],
    }),
    answer: {
      ...USUAL,
      text: "Alphapan.",
      citations: [{ position: 1, url: "https://a.example/", title: "A" }],
      queries: ["pans"],
    },
    sent: [{ body: { taskType: "PERPLEXITY" } }],
  },
  "AI Mode: links into Google's shopping pages are products and no sources": {
    question: { source: "SEARCH_B_AI_MODE" },
    replies: shown({
      text: "Alphapan.",
      sources: [
        { url: "https://a.example/", label: "A" },
        { url: SHOP, label: "Alphapan 24" },
      ],
    }),
    answer: {
      ...USUAL,
      text: "Alphapan.",
      citations: [{ position: 1, url: "https://a.example/", title: "A" }],
      products: [{ position: 1, title: "Alphapan 24", url: SHOP }],
      collectionMethod: "serp_provider",
    },
    sent: [{ body: { taskType: "AIMODE" } }],
  },
  "AI Overview: its sources, and not the links that stand beside it": {
    question: { source: "SEARCH_B_AIO" },
    replies: shown({
      organicResults: [],
      aioverview: {
        text: "Alphapan.",
        markdown: "**Alphapan.**",
        sources: [{ url: "https://a.example/", label: "A" }],
        relatedLinks: [{ url: "https://b.example/", label: "B" }],
      },
    }),
    answer: {
      ...USUAL,
      text: "**Alphapan.**",
      citations: [{ position: 1, url: "https://a.example/", title: "A" }],
      collectionMethod: "serp_provider",
    },
    sent: [
      {
        body: { taskType: "GOOGLE", payload: { query: "best phone", include: { aioverview: { markdown: true } } } },
      },
    ],
  },
  "AI Overview: where Google shows none, that is the answer": {
    question: { source: "SEARCH_B_AIO" },
    replies: shown({ organicResults: [{ position: 1 }], aioverview: null }),
    answer: {
      text: "",
      citations: [],
      results: [],
      model: null,
      costUsd: 0.007,
      tokens: 0,
      showedNothing: true,
      provider: "cloro",
      collectionMethod: "serp_provider",
    },
  },
  "a refusal is the text that is shown": {
    replies: shown({ text: "I can't help with that.", sources: [] }),
    answer: { ...USUAL, text: "I can't help with that." },
  },
  "a page of another shape is no overview that was not shown": {
    question: { source: "SEARCH_B_AIO" },
    replies: shown({ overview: { text: "Alphapan." } }),
    failure: { kind: "malformed", rawBody: expect.stringContaining("overview") },
  },
  "a source of another shape is no answer without sources": {
    replies: shown({ text: "Alphapan.", sources: [{ link: "https://a.example/" }] }),
    failure: {
      kind: "malformed",
      isRetryable: true,
      maxAttempts: 2,
      costUsd: 0.007,
      rawBody: expect.stringContaining("link"),
    },
  },
  "an answer without text is none": {
    replies: shown({ text: " ", sources: [] }),
    failure: { kind: "malformed", costUsd: 0.007 },
  },
  "a task that failed there may succeed later, and was not billed": {
    replies: failed({ code: "INTERNAL_SERVER_ERROR", message: "Maximum retries exceeded" }),
    failure: { kind: "unavailable", isRetryable: true, costUsd: 0, rawBody: expect.stringContaining("Maximum") },
  },
  "a task that failed with a word alone": {
    replies: failed("Maximum retries exceeded"),
    failure: { kind: "unavailable", isRetryable: true },
  },
  "a task that ran out of credits is not asked again": {
    replies: failed({ code: "INSUFFICIENT_CREDITS" }),
    failure: { kind: "out_of_quota", isRetryable: false },
  },
  "a country that is not served is not asked again": {
    replies: failed({ code: "UnsupportedInputError", message: "aioverview is not available in this country" }),
    failure: { kind: "unsupported", isRetryable: false },
  },
  "a country that is refused at once is not asked again": {
    replies: [{ status: 400, body: { success: false, error: { code: "UnsupportedInputError" } } }],
    failure: { kind: "unsupported", isRetryable: false },
  },
  "a task that expired before it was asked for is lost": {
    replies: [SUBMITTED, { status: 404, body: { error: { code: "NOT_FOUND" } } }],
    failure: { kind: "rejected", isRetryable: false },
  },
  "an account without credits is not asked again": {
    replies: [{ status: 403, body: { success: false, error: { code: "INSUFFICIENT_CREDITS" } } }],
    failure: { kind: "out_of_quota", isRetryable: false },
  },
  "a full queue is asked again later": {
    replies: [{ status: 429, body: { success: false, error: { code: "QUEUE_LIMIT_EXCEEDED" } } }],
    failure: { kind: "rate_limited", isRetryable: true },
  },
  "a question that it took without a word of it is not paid for twice, and counts as paid": {
    replies: [{ status: 409, body: { success: false, error: { code: "RESOURCE_ALREADY_EXISTS" } } }],
    failure: {
      kind: "unavailable",
      isRetryable: false,
      costUsd: 0.007,
      message: "The provider accepted the prompt before, but its response was lost: the answer cannot be fetched.",
    },
  },
});

test("checks the key at no cost, reports the remaining credit, and prices a prompt by its price list", async () => {
  const credits = { remaining: 12_000, perCycle: 50_000, cycleResetsAt: "2026-12-01T00:00:00.000Z" };
  const { said, sent } = await runProviderCheck(CLORO, [{ body: credits }]);
  expect(sent).toMatchObject([{ method: "GET", path: "/v1/credits" }]);
  expect(said).toEqual(["12000 credits left until 2026-12-01."]);
  expect(expectedPrice(CLORO)).toEqual({ expectedUsd: 0.007, maxUsd: 0.007 });
  const unpriced = { ...CLORO, env: { CLORO_API_KEY: "sk_test" } };
  expect((await runProviderCheck(unpriced, [{ body: { remaining: 0 } }])).said).toEqual(["0 credits left."]);
  expect(expectedPrice(unpriced)).toEqual({ expectedUsd: null, maxUsd: null });
  const outcome = await settleAnswer(askProvider(unpriced, shown({ text: "Alphapan." })));
  expect(outcome.answer).toMatchObject({ text: "Alphapan.", costUsd: null });
});

test("resubmits a task without a response under its key, and fails with its cost if cloro has the key already", async () => {
  const of = { newId: () => "another", now: () => "2026-11-01T08:00:30.000Z", beginTask: () => Promise.resolve(true) };
  const unknown = { provider: "cloro", key: "key-1", begunAt: "2026-11-01T08:00:00.000Z", task: null, costUsd: 0 };
  const step = async (reply: Reply) => {
    await using server = await startFakeProvider([reply]);
    const provider = cloroProvider.open({ ...CLORO.env, CLORO_BASE_URL: server.url }, { concurrency: 1 });
    if (!provider?.tasks) throw new Error("cloro takes no tasks");
    const signal = new AbortController().signal;
    const taken = await stepTask(provider, QUESTION, { ...of, submission: unknown, signal });
    return { taken, keys: server.sent.map(({ body }) => (body as { idempotencyKey: string }).idempotencyKey) };
  };
  expect(await step(SUBMITTED)).toMatchObject({
    taken: { kind: "waiting", submission: { ...unknown, task: ID } },
    keys: ["key-1"],
  });
  expect(await step({ status: 409 })).toMatchObject({
    taken: { kind: "failed", error: { isRetryable: false, costUsd: 0.007 } },
    keys: ["key-1"],
  });
});
