import { expect, test } from "vitest";
import { SOURCES, type Source } from "../../core/sources.ts";
import type { ProviderAnswer, Question } from "../../src/outside/sources/provider.ts";
import { dataforseo } from "../../src/outside/sources/providers/dataforseo.ts";
import { QUESTION, type Scene } from "./ask-provider.ts";
import { docsPrices } from "./docs-prices.ts";
import { playing, type Reply } from "./playing.ts";
import { providerCases } from "./provider-cases.ts";
import { recordedBodies } from "./recorded-bodies.ts";

const DATAFORSEO: Scene = {
  declared: dataforseo,
  prefix: "DATAFORSEO",
  env: { DATAFORSEO_LOGIN: "login", DATAFORSEO_PASSWORD: "word" },
  question: { source: "SEARCH_B" },
};
const AUTHORIZATION = `Basic ${Buffer.from("login:word").toString("base64")}`;

const ID = "11231400-0001-0066-0000-000000000001";
/** A body that tells of one task. */
function told(code: number, { message = "Ok.", cost = 0, result = null }: Said = {}): Reply {
  const task = { id: ID, status_code: code, status_message: message, time: "0.1 sec.", cost, result };
  return { body: { status_code: 20000, status_message: "Ok.", cost, tasks_count: 1, tasks: [task] } };
}
interface Said {
  message?: string;
  cost?: number;
  result?: object[] | null;
}
const created = told(20100, { message: "Task Created.", cost: 0.0012 });
const done = (...result: object[]) => told(20000, { result });
const page = (...items: object[]) => done({ keyword: "best phone", items_count: items.length, items });
/** What a body says whose request as a whole failed. */
const failed = (code: number): Reply => ({ body: { status_code: code, status_message: "No.", cost: 0, tasks: null } });

const organic = (rank: number, host: string, more: object = {}) => ({
  type: "organic",
  rank_group: rank,
  rank_absolute: rank + 3,
  url: `https://${host}.example/`,
  title: `${host} phones`,
  description: `All of ${host}.`,
  ...more,
});
const reference = (host: string, title: string | null = null) => ({
  type: "ai_overview_reference",
  url: `https://${host}.example/`,
  title,
});
const OVERVIEW = {
  type: "ai_overview",
  asynchronous_ai_overview: false,
  markdown:
    "Acme is solid.[](https://b.example/) [[1]](https://b.example/)[[2]](https://a.example/x_(y))\n\n![Acme](https://i.example/1.png)\n\n- **Rival**: light.",
  items: [{ type: "ai_overview_element", markdown: "Acme is solid.", references: [reference("b", "B on phones")] }],
  references: [reference("c", "C"), reference("b")],
};

/** Of every page. */
const PAGE = {
  text: "",
  citations: [],
  results: [],
  model: null,
  costUsd: 0,
  tokens: 0,
  provider: "dataforseo",
  collectionMethod: "serp_provider",
};

const REDUCED = { how: "reduced" } as const;
const asked = (source: Source) => ({ question: { source } });

providerCases(DATAFORSEO, {
  "a page's results by their rank among each other; the task has the place, the language and a tag of ours": {
    question: { prompt: "50% off a+b phone", persona: "A student" },
    env: { DATAFORSEO_PAGES: "3" },
    replies: [
      created,
      told(40602, { message: "Task In Queue." }),
      told(40601, { message: "Task Handed." }),
      page(
        { type: "paid", rank_group: 1, url: "https://ad.example/" },
        organic(2, "rival", { title: null, description: null }),
        OVERVIEW,
        organic(1, "acme"),
        organic(21, "acme"),
      ),
    ],
    answer: {
      ...PAGE,
      results: [
        { rank: 1, url: "https://acme.example/", title: "acme phones", snippet: "All of acme." },
        { rank: 2, url: "https://rival.example/" },
        { rank: 21, url: "https://acme.example/", title: "acme phones", snippet: "All of acme." },
      ],
    },
    sent: [
      {
        method: "POST",
        path: "/serp/google/organic/task_post",
        headers: { authorization: AUTHORIZATION, "content-type": "application/json" },
        body: [
          {
            keyword: "50%25 off a%2Bb phone",
            location_code: 2276,
            language_code: "de",
            depth: 30,
            max_crawl_pages: 3,
            tag: "key-1",
          },
        ],
      },
      { method: "GET", path: `/serp/google/organic/task_get/advanced/${ID}`, body: undefined },
      { method: "GET" },
      { method: "GET" },
    ],
  },
  "Bing is another path": {
    question: { source: "SEARCH_A", country: "TW", language: "zh-TW" },
    replies: [created, page(organic(1, "acme"))],
    answer: {
      ...PAGE,
      results: [{ rank: 1, url: "https://acme.example/", title: "acme phones", snippet: "All of acme." }],
    },
    sent: [
      {
        path: "/serp/bing/organic/task_post",
        body: [
          {
            keyword: "best phone",
            location_code: 2158,
            language_code: "zh-TW",
            depth: 10,
            max_crawl_pages: 1,
            tag: "key-1",
          },
        ],
      },
    ],
  },
  "an overview with its links where they stand, and the references that have none; those that are loaded later are asked for":
    {
      ...asked("SEARCH_B_AIO"),
      replies: [created, page(organic(1, "acme"), { ...OVERVIEW, asynchronous_ai_overview: true })],
      answer: {
        ...PAGE,
        text: OVERVIEW.markdown,
        citations: [
          {
            position: 1,
            url: "https://b.example/",
            title: "B on phones",
            spans: [
              { start: 14, end: 36 },
              { start: 37, end: 62 },
            ],
          },
          { position: 2, url: "https://a.example/x_(y)", spans: [{ start: 62, end: 92 }] },
          { position: 3, url: "https://c.example/", title: "C" },
        ],
      },
      sent: [
        {
          path: "/serp/google/organic/task_post",
          body: [
            {
              keyword: "best phone",
              location_code: 2276,
              language_code: "de",
              load_async_ai_overview: true,
              depth: 10,
              max_crawl_pages: 1,
              tag: "key-1",
            },
          ],
        },
      ],
    },
  "Bing's overview: the text of its elements where there is none as a whole, the result that it shows, and products": {
    ...asked("SEARCH_A_AIO"),
    replies: [
      created,
      page({
        type: "ai_overview",
        markdown: null,
        items: [
          { type: "ai_overview_element", markdown: null, text: "Acme." },
          { type: "ai_overview_organic_element", title: "Acme", url: "https://acme.example/", snippet: "S" },
          {
            type: "ai_overview_shopping",
            markdown: "Buy:",
            items: [
              {
                type: "ai_mode_ai_overview_shopping_element",
                title: "Acme 1",
                url: "https://shop.example/1",
                price: { current: 49.9, displayed_price: "$49.90" },
                seller: "Shop",
              },
              { type: "ai_mode_ai_overview_shopping_element", title: "Acme 2", url: null, price: null, seller: null },
            ],
          },
        ],
        references: null,
      }),
    ],
    answer: {
      ...PAGE,
      text: "Acme.\n\nBuy:",
      citations: [{ position: 1, url: "https://acme.example/", title: "Acme" }],
      products: [
        { position: 1, title: "Acme 1", url: "https://shop.example/1", price: "$49.90", seller: "Shop" },
        { position: 2, title: "Acme 2" },
      ],
    },
    sent: [{ path: "/serp/bing/organic/task_post", body: [{ depth: 10, max_crawl_pages: 1 }] }],
  },
  "a page without an overview is not shown, and no failure": {
    ...asked("SEARCH_B_AIO"),
    replies: [created, page(organic(1, "acme"))],
    answer: { ...PAGE, notShown: true },
  },
  "an overview that the provider did not load is no overview that was not shown": {
    ...asked("SEARCH_B_AIO"),
    replies: [created, page({ ...OVERVIEW, asynchronous_ai_overview: true, markdown: null, items: null })],
    failure: { kind: "unavailable", retryable: true, rawBody: expect.stringContaining("asynchronous") },
  },
  "AI Mode is a conversation, where it can be said who asks; its answer may cite nothing": {
    question: { source: "SEARCH_B_AI_MODE", persona: "A student" },
    replies: [created, page({ ...OVERVIEW, markdown: "Acme.", items: null, references: null })],
    answer: { ...PAGE, text: "Acme." },
    sent: [
      {
        path: "/serp/google/ai_mode/task_post",
        body: [{ keyword: "A student\n\nbest phone", location_code: 2276, language_code: "de", tag: "key-1" }],
      },
    ],
  },
  "AI Mode that shows nothing": {
    ...asked("SEARCH_B_AI_MODE"),
    replies: [created, done({ keyword: "best phone", items_count: 0, items: null })],
    answer: { ...PAGE, notShown: true },
  },
  "what ChatGPT shows: several searches, pages that were found, those that are cited, and products": {
    ...asked("ASSISTANT_A"),
    replies: [
      created,
      done({
        model: "gpt-9",
        markdown: "**Acme** wins ([B](https://b.example/)).",
        sources: [
          { type: "source", url: "https://a.example/", title: "A" },
          { type: "source", url: "https://b.example/", title: "B on phones" },
        ],
        search_results: [{ type: "chatgpt_search_result", url: "https://c.example/", title: "C" }],
        fan_out_queries: ["phones 2026", "phone test"],
        items: [
          { type: "chat_gpt_text", markdown: "**Acme** wins" },
          {
            type: "chat_gpt_products",
            items: [
              { type: "chat_gpt_products_element", title: "Acme 1", price: 49.9, currency: "USD", url: null },
              { type: "chat_gpt_products_element", title: "Acme 2", price: null, url: "https://shop.example/2" },
            ],
          },
        ],
      }),
    ],
    answer: {
      ...PAGE,
      text: "**Acme** wins ([B](https://b.example/)).",
      citations: [
        { position: 1, url: "https://b.example/", title: "B on phones", spans: [{ start: 15, end: 38 }] },
        { position: 2, url: "https://a.example/", title: "A" },
      ],
      retrieved: [{ position: 1, url: "https://c.example/", title: "C" }],
      queries: ["phones 2026", "phone test"],
      products: [
        { position: 1, title: "Acme 1", price: "49.9 USD" },
        { position: 2, title: "Acme 2", url: "https://shop.example/2" },
      ],
      model: "gpt-9",
      collectionMethod: "capture",
    },
    sent: [
      {
        path: "/ai_optimization/chat_gpt/llm_scraper/task_post",
        body: [
          { keyword: "best phone", location_code: 2276, language_code: "de", force_web_search: true, tag: "key-1" },
        ],
      },
      { path: `/ai_optimization/chat_gpt/llm_scraper/task_get/advanced/${ID}` },
    ],
  },
  "what Gemini shows, without sources": {
    question: { source: "ASSISTANT_D", persona: "A student" },
    replies: [created, done({ model: "3 Flash", markdown: "Acme.", sources: null })],
    answer: {
      ...PAGE,
      text: "Acme.",
      retrieved: [],
      queries: [],
      model: "3 Flash",
      collectionMethod: "capture",
    },
    sent: [
      {
        path: "/ai_optimization/gemini/llm_scraper/task_post",
        body: [{ keyword: "A student\n\nbest phone", location_code: 2276, language_code: "de", tag: "key-1" }],
      },
    ],
  },
  "a search that finds nothing shows nothing": {
    replies: [created, told(40102, { message: "No Search Results." })],
    answer: { ...PAGE, notShown: true },
  },
  "an assistant that shows nothing has not answered": {
    ...asked("ASSISTANT_A"),
    replies: [created, told(40102, { message: "No Search Results." })],
    failure: { kind: "unavailable", retryable: true },
  },
  "a page of which no result can be read is no page without results": {
    replies: [created, page({ type: "natural", rank_group: 1, url: "https://a.example/" })],
    failure: { kind: "malformed", retryable: true, rawBody: expect.stringContaining("natural") },
  },
  "a result of another shape": {
    replies: [created, page(organic(1, "acme", { url: undefined, link: "https://acme.example/" }))],
    failure: { kind: "malformed", rawBody: expect.stringContaining("link") },
  },
  "a source of another shape": {
    ...asked("ASSISTANT_A"),
    replies: [created, done({ markdown: "Acme.", sources: [{ href: "https://a.example/" }] })],
    failure: { kind: "malformed", rawBody: expect.stringContaining("href") },
  },
  "a task that is done without a result": {
    replies: [created, told(20000)],
    failure: { kind: "malformed" },
  },
  "a country in which nothing is searched for is not asked": {
    question: { country: "RU" },
    replies: [{ status: 500 }],
    failure: { kind: "unsupported", retryable: false },
  },
  "a question that is too long is not asked": {
    question: { prompt: `${"phone ".repeat(116)}100%` },
    replies: [{ status: 500 }],
    failure: { kind: "rejected", retryable: false, message: "The provider takes questions of up to 700 characters." },
  },
  "a place or language that the provider does not know": {
    replies: [told(40501, { message: "Invalid Field: 'language_code'." })],
    failure: { kind: "unsupported", retryable: false },
  },
  "another field that it does not take": {
    replies: [told(40501, { message: "Invalid Field: 'depth'." })],
    failure: { kind: "rejected", retryable: false, message: "The provider answered with code 40501." },
  },
  "a search engine that failed: the task is over, and another may succeed": {
    replies: [created, told(40101, { message: "Internal SE Server Error." })],
    failure: { kind: "unavailable", retryable: true },
  },
  "no login with status 200": { replies: [failed(40100)], failure: { kind: "unauthorized", retryable: false } },
  "no money with status 200": { replies: [failed(40200)], failure: { kind: "out_of_quota", retryable: false } },
  "the daily limit of the account": {
    replies: [told(40203)],
    failure: { kind: "out_of_quota", retryable: false },
  },
  "too many requests with status 200": { replies: [failed(40202)], failure: { kind: "rate_limited", retryable: true } },
  "too many at once, of a task": { replies: [told(40209)], failure: { kind: "rate_limited", retryable: true } },
  "an error of the provider with status 200": { replies: [failed(50000)], failure: { kind: "unavailable" } },
  "401 as the provider says it": {
    replies: [{ ...failed(40100), status: 401 }],
    failure: { kind: "unauthorized", retryable: false },
  },
  "402 as the provider says it": {
    replies: [{ ...failed(40200), status: 402 }],
    failure: { kind: "out_of_quota", retryable: false },
  },
});

/** The provider at this address. */
function openAt(url: string) {
  const provider = dataforseo.open({ DATAFORSEO_BASE_URL: url, ...DATAFORSEO.env }, { concurrency: 1 });
  if (!provider?.tasks || !provider.check) throw new Error("DataForSEO is not configured");
  return { ...provider, tasks: provider.tasks, check: provider.check };
}
const { signal } = new AbortController();
const question: Question = { ...QUESTION, source: "SEARCH_B" };

const ago = (ms: number) => ({ key: "key-1", begunAt: new Date(Date.now() - ms).toISOString() });

test("what a task costs is told with its submission; while it waits a refusal says nothing of it", async () => {
  await using server = await playing([
    created,
    told(40202),
    failed(50000),
    { status: 503 },
    told(40602),
    told(40101, { cost: 0.002 }),
  ]);
  const { tasks } = openAt(server.url);
  const state = await tasks.submit(question, ago(0), { signal });
  expect(state).toEqual({ state: "pending", task: ID, costUsd: 0.0012 });
  const poll = () => tasks.poll(ID, question, { signal });
  await expect(poll()).rejects.toMatchObject({ kind: "rate_limited" });
  await expect(poll()).rejects.toMatchObject({ kind: "unavailable" });
  await expect(poll()).rejects.toMatchObject({ kind: "unavailable" });
  expect(await poll()).toEqual({ state: "pending", task: ID, costUsd: 0 });
  expect(await poll()).toMatchObject({ state: "failed", error: { kind: "unavailable", costUsd: 0 } });
});

test("a result that cannot be read is asked for again, and one that the provider has not got is another task", async () => {
  const notLoaded = { ...OVERVIEW, asynchronous_ai_overview: true, markdown: null, items: null };
  await using server = await playing([page(organic(1, "acme", { url: 7 })), page(), page(notLoaded)]);
  const { tasks } = openAt(server.url);
  await expect(tasks.poll(ID, question, { signal })).rejects.toMatchObject({ kind: "malformed" });
  expect(await tasks.poll(ID, question, { signal })).toMatchObject({ state: "answered", answer: { notShown: true } });
  const overview: Question = { ...question, source: "SEARCH_B_AIO" };
  expect(await tasks.poll(ID, overview, { signal })).toMatchObject({ state: "failed", error: { kind: "unavailable" } });
});

test("its check is free, and says what is left; wrong credentials are told", async () => {
  await using server = await playing([
    done({ login: "login", money: { total: 50, balance: 12.345 } }),
    { ...failed(40100), status: 401 },
  ]);
  const { check } = openAt(server.url);
  expect(await check({ signal })).toEqual(["12.35 US dollars are left"]);
  await expect(check({ signal })).rejects.toMatchObject({ kind: "unauthorized" });
  expect(server.sent.map(({ method, path }) => `${method} ${path}`)).toEqual(Array(2).fill("GET /appendix/user_data"));
});

/** What a question to each source is expected to cost, and costs at most, where so many pages are read. */
const priceAt = (pages: string) => {
  const provider = dataforseo.open({ ...DATAFORSEO.env, DATAFORSEO_PAGES: pages }, { concurrency: 1 });
  return SOURCES.filter((source) => provider?.methods[source]).map((source) => {
    const { expectedUsd, mostUsd } = provider?.price(source) ?? { expectedUsd: 0, mostUsd: 0 };
    return [source, Number(expectedUsd?.toFixed(6)), Number(mostUsd?.toFixed(6))];
  });
};

test("prices by source: pages after the first cost less, an operator in the question five times as much", () => {
  expect(priceAt("1")).toEqual([
    ["SEARCH_A", 0.0006, 0.003],
    ["SEARCH_A_AIO", 0.0006, 0.003],
    ["ASSISTANT_A", 0.0012, 0.0012],
    ["SEARCH_B", 0.0006, 0.003],
    ["SEARCH_B_AIO", 0.0012, 0.0036],
    ["SEARCH_B_AI_MODE", 0.0012, 0.0012],
    ["ASSISTANT_D", 0.0012, 0.0012],
  ]);
  expect(priceAt("10")[0]).toEqual(["SEARCH_A", 0.00465, 0.02325]);
});

/** How many results, cited pages, pages that were found, and searches an answer has. */
const holding = (...counts: [number, number, number, number]) => ({
  holds: ({ results, citations, retrieved = [], queries = [] }: ProviderAnswer) =>
    expect([results, citations, retrieved, queries].map((rows) => rows.length)).toEqual(counts),
});
const read = (source: Source, at: string, ...counts: [number, number, number, number]) => ({
  ...REDUCED,
  at,
  question: { source },
  ...holding(...counts),
});
const OCTOBER = "2025-10";
const AUGUST = "2026-08-18";
const MODELS = "2026-08-21";

docsPrices(DATAFORSEO);

recordedBodies(DATAFORSEO, "dataforseo", {
  bodies: {
    "google-organic-task-post.json": {
      ...read("SEARCH_B", OCTOBER, 1, 0, 0, 0),
      followers: ["google-organic-task-get-advanced.features.json"],
    },
    "google-organic-task-get-advanced.all-item-types.json": read("SEARCH_B_AIO", OCTOBER, 0, 4, 0, 0),
    "google-organic-live-advanced.ai-overview-2026-08.json": read("SEARCH_B_AIO", AUGUST, 0, 5, 0, 0),
    "google-organic-live-advanced.ai-overview-async-loaded.json": read("SEARCH_B_AIO", AUGUST, 0, 5, 0, 0),
    "google-organic-live-advanced.ai-overview-async-not-loaded.json": {
      ...REDUCED,
      at: AUGUST,
      question: { source: "SEARCH_B_AIO" },
      failure: { kind: "unavailable" },
    },
    "google-organic-live-advanced.no-ai-overview.json": {
      ...REDUCED,
      at: AUGUST,
      question: { source: "SEARCH_B_AIO" },
      answer: { text: "", notShown: true },
    },
    "google-organic-live-regular.json": read("SEARCH_B", OCTOBER, 2, 0, 0, 0),
    "google-ai-mode-task-post.json": {
      ...read("SEARCH_B_AI_MODE", OCTOBER, 0, 4, 0, 0),
      followers: ["google-ai-mode-task-get-advanced.json"],
    },
    "google-ai-mode-live-advanced.json": read("SEARCH_B_AI_MODE", OCTOBER, 0, 4, 0, 0),
    "bing-organic-live-advanced.json": read("SEARCH_A_AIO", MODELS, 0, 4, 0, 0),
    "llm-scraper-chat-gpt-live-advanced.json": {
      ...read("ASSISTANT_A", MODELS, 0, 2, 1, 2),
      answer: { model: "gpt-5-5", costUsd: 0.004, collectionMethod: "capture" },
    },
    "llm-scraper-gemini-live-advanced.json": read("ASSISTANT_D", MODELS, 0, 2, 0, 0),
    "error-200-task-40101-internal-se-server-error-billed.json": {
      ...REDUCED,
      at: "2026-07-23",
      failure: { kind: "unavailable", costUsd: 0.002 },
    },
    "error-200-task-40102-no-search-results.json": {
      ...REDUCED,
      at: "2026",
      answer: { notShown: true, costUsd: 0.002 },
    },
    "error-200-task-40501-invalid-field.json": { ...REDUCED, at: "2026", failure: { kind: "unsupported" } },
    "error-200-task-40602-task-in-queue.json": {
      ...read("SEARCH_B_AI_MODE", OCTOBER, 0, 4, 0, 0),
      followers: ["google-ai-mode-task-get-advanced.json"],
    },
    "error-401-unauthorized.http.json": { ...REDUCED, at: "2026", failure: { kind: "unauthorized" } },
  },
  unread: {
    "google-organic-tasks-ready.json": "tasks are asked for by their id",
    "google-ai-mode-tasks-ready.json": "tasks are asked for by their id",
    "serp-id-list.json": "a list of tasks, which holds no answer",
    "llm-responses-chat-gpt-live.json": "models are asked by their own interfaces",
    "llm-responses-chat-gpt-models.json": "models are asked by their own interfaces",
    "keywords-google-ads-search-volume-live.json": "no answer of a source",
    "keywords-google-trends-explore-live.json": "no answer of a source",
    "ai-keyword-search-volume-live.json": "no answer of a source",
  },
});
