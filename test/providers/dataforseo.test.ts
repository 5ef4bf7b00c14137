import { expect, test } from "vitest";
import { SOURCES, type Source } from "../../core/sources/sources.ts";
import { dataforseoProvider } from "../../src/outside/sources/providers/dataforseo.ts";
import {
  createdReply,
  doneReply,
  failedReply,
  ID,
  organic,
  OVERVIEW,
  resultPageReply,
  taskReply,
} from "../dataforseo/replies.ts";
import { testDocsPrices } from "./docs-prices.ts";
import { testProvider } from "./provider-cases.ts";
import { DATAFORSEO } from "./scenes.ts";

const AUTHORIZATION = `Basic ${Buffer.from("login:word").toString("base64")}`;

/** Content of every page. */
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

const asked = (source: Source) => ({ question: { source } });

testProvider(DATAFORSEO, {
  "a page's results by their rank among each other; the task has the place, the language and a tag of ours": {
    question: { prompt: "50% off a+b phone", persona: "A student" },
    env: { DATAFORSEO_PAGES: "3" },
    replies: [
      createdReply,
      taskReply(40602, { message: "Task In Queue." }),
      taskReply(40601, { message: "Task Handed." }),
      resultPageReply(
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
    replies: [createdReply, resultPageReply(organic(1, "acme"))],
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
      replies: [createdReply, resultPageReply(organic(1, "acme"), { ...OVERVIEW, asynchronous_ai_overview: true })],
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
      createdReply,
      resultPageReply({
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
    replies: [createdReply, resultPageReply(organic(1, "acme"))],
    answer: { ...PAGE, showedNothing: true },
  },
  "an overview that the provider did not load is no overview that was not shown": {
    ...asked("SEARCH_B_AIO"),
    replies: [
      createdReply,
      resultPageReply({ ...OVERVIEW, asynchronous_ai_overview: true, markdown: null, items: null }),
    ],
    failure: { kind: "unavailable", isRetryable: true, rawBody: expect.stringContaining("asynchronous") },
  },
  "AI Mode is a conversation, where it can be said who asks; its answer may cite nothing": {
    question: { source: "SEARCH_B_AI_MODE", persona: "A student" },
    replies: [createdReply, resultPageReply({ ...OVERVIEW, markdown: "Acme.", items: null, references: null })],
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
    replies: [createdReply, doneReply({ keyword: "best phone", items_count: 0, items: null })],
    answer: { ...PAGE, showedNothing: true },
  },
  "what ChatGPT shows: several searches, pages that were found, those that are cited, and products": {
    ...asked("ASSISTANT_A"),
    replies: [
      createdReply,
      doneReply({
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
    replies: [createdReply, doneReply({ model: "3 Flash", markdown: "Acme.", sources: null })],
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
    replies: [createdReply, taskReply(40102, { message: "No Search Results." })],
    answer: { ...PAGE, showedNothing: true },
  },
  "an assistant that shows nothing has not answered": {
    ...asked("ASSISTANT_A"),
    replies: [createdReply, taskReply(40102, { message: "No Search Results." })],
    failure: { kind: "unavailable", isRetryable: true },
  },
  "a page of which no result can be read is no page without results": {
    replies: [createdReply, resultPageReply({ type: "natural", rank_group: 1, url: "https://a.example/" })],
    failure: { kind: "malformed", isRetryable: true, rawBody: expect.stringContaining("natural") },
  },
  "a result of another shape": {
    replies: [createdReply, resultPageReply(organic(1, "acme", { url: undefined, link: "https://acme.example/" }))],
    failure: { kind: "malformed", rawBody: expect.stringContaining("link") },
  },
  "a source of another shape": {
    ...asked("ASSISTANT_A"),
    replies: [createdReply, doneReply({ markdown: "Acme.", sources: [{ href: "https://a.example/" }] })],
    failure: { kind: "malformed", rawBody: expect.stringContaining("href") },
  },
  "a task that is done without a result": {
    replies: [createdReply, taskReply(20000)],
    failure: { kind: "malformed" },
  },
  "a country in which nothing is searched for is not asked": {
    question: { country: "RU" },
    replies: [{ status: 500 }],
    failure: { kind: "unsupported", isRetryable: false },
  },
  "a question that is too long is not asked": {
    question: { prompt: `${"phone ".repeat(116)}100%` },
    replies: [{ status: 500 }],
    failure: {
      kind: "rejected",
      isRetryable: false,
      message: "The provider accepts prompts of at most 700 characters.",
    },
  },
  "a place or language that the provider does not know": {
    replies: [taskReply(40501, { message: "Invalid Field: 'language_code'." })],
    failure: { kind: "unsupported", isRetryable: false },
  },
  "another field that it does not take": {
    replies: [taskReply(40501, { message: "Invalid Field: 'depth'." })],
    failure: { kind: "rejected", isRetryable: false, message: "The provider answered with code 40501." },
  },
  "a search engine that failed: the task is over, and another may succeed": {
    replies: [createdReply, taskReply(40101, { message: "Internal SE Server Error." })],
    failure: { kind: "unavailable", isRetryable: true },
  },
  "no login with status 200": { replies: [failedReply(40100)], failure: { kind: "unauthorized", isRetryable: false } },
  "no money with status 200": { replies: [failedReply(40200)], failure: { kind: "out_of_quota", isRetryable: false } },
  "the daily limit of the account": {
    replies: [taskReply(40203)],
    failure: { kind: "out_of_quota", isRetryable: false },
  },
  "too many requests with status 200": {
    replies: [failedReply(40202)],
    failure: { kind: "rate_limited", isRetryable: true },
  },
  "too many at once, of a task": { replies: [taskReply(40209)], failure: { kind: "rate_limited", isRetryable: true } },
  "an error of the provider with status 200": { replies: [failedReply(50000)], failure: { kind: "unavailable" } },
  "401 as the provider says it": {
    replies: [{ ...failedReply(40100), status: 401 }],
    failure: { kind: "unauthorized", isRetryable: false },
  },
  "402 as the provider says it": {
    replies: [{ ...failedReply(40200), status: 402 }],
    failure: { kind: "out_of_quota", isRetryable: false },
  },
});

/** Expected and maximum cost of a prompt per source, for this number of pages. */
const priceAt = (pages: string) => {
  const provider = dataforseoProvider.open({ ...DATAFORSEO.env, DATAFORSEO_PAGES: pages }, { concurrency: 1 });
  return SOURCES.filter((source) => provider?.methods[source]).map((source) => {
    const { expectedUsd, maxUsd } = provider?.price(source) ?? { expectedUsd: 0, maxUsd: 0 };
    return [source, Number(expectedUsd?.toFixed(6)), Number(maxUsd?.toFixed(6))];
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

testDocsPrices(DATAFORSEO);
