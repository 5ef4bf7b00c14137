import { expect, test } from "vitest";
import type { Source } from "../../core/sources/sources.ts";
import { serpapiProvider } from "../../src/outside/sources/providers/serpapi.ts";
import { askProvider, QUESTION } from "./ask-provider.ts";
import { startFakeProvider, type Reply } from "./fake-provider.ts";
import { testProvider } from "./provider-cases.ts";
import { USD, SERPAPI, TEXT, at } from "./serpapi-cases.ts";

/** A search that succeeded. */
const found = (body: object): Reply => ({ body: { search_metadata: { id: "6a", status: "Success" }, ...body } });

const organic = (position: number, host: string, more: object = {}) => ({
  position,
  link: `https://${host}.example/`,
  title: `${host} phones`,
  snippet: `All of ${host}.`,
  ...more,
});

const row = (rank: number, host: string) => ({
  rank,
  url: `https://${host}.example/`,
  title: `${host} phones`,
  snippet: `All of ${host}.`,
});

const reference = (index: number, host: string, title?: string) => ({
  index,
  link: `https://${host}.example/`,
  title,
  source: host,
});

const NONE = found({ error: "Google hasn't returned any results for this query." });

const PAGE = {
  text: "",
  citations: [],
  results: [],
  model: null,
  costUsd: USD,
  tokens: 0,
  provider: "serpapi",
  collectionMethod: "serp_provider",
};

const OVERVIEW = {
  text_blocks: [
    { type: "paragraph", snippet: "Acme wins.", reference_indexes: [1, 7] },
    { type: "video", link: "https://video.example/" },
    { type: "heading", snippet: "Others" },
    {
      type: "list",
      list: [
        { snippet: "Acme 1: solid.", reference_indexes: [0] },
        {
          title: "Rival:",
          snippet: "light, says B.",
          snippet_links: [{ text: "B", link: "https://b.example/" }],
          list: [{ snippet: "cool", reference_indexes: [1] }],
        },
      ],
    },
  ],
  references: [reference(0, "a"), reference(1, "b", "B on phones"), reference(2, "a", "A"), reference(3, "c", "C")],
};

const CITED = [
  {
    position: 1,
    url: "https://b.example/",
    title: "B on phones",
    spans: [at("Acme wins."), { start: TEXT.indexOf("B.\n"), end: TEXT.indexOf("B.\n") + 1 }, at("  - cool")],
  },
  { position: 2, url: "https://a.example/", title: "A", spans: [at("- Acme 1: solid.")] },
  { position: 3, url: "https://c.example/", title: "C" },
];

const asked = (source: Source) => ({ question: { source } });

/** The address of a search with its parameters. */
const path = (parameters: Record<string, string>) =>
  `/search.json?${new URLSearchParams({ api_key: "key-0", ...parameters }).toString()}`;

const GOOGLE = { engine: "google", q: "best phone", gl: "de", hl: "de", no_cache: "true" };

testProvider(SERPAPI, {
  "a page's results in their order; it is fresh, so that each run is one of its own": {
    question: { persona: "A student" },
    replies: [found({ organic_results: [organic(1, "acme"), { position: 2, link: "https://rival.example/" }] })],
    answer: { ...PAGE, results: [row(1, "acme"), { rank: 2, url: "https://rival.example/" }] },
    sent: [{ method: "GET", path: path(GOOGLE), body: undefined }],
  },
  "further pages, whose ranks go on, until there are no more": {
    env: { SERPAPI_PAGES: "5" },
    question: { country: "GB", language: "pt-BR" },
    replies: [
      found({
        organic_results: [organic(1, "a"), organic(2, "b")],
        serpapi_pagination: { current: 1, next: "https://elsewhere.example/search.json?engine=google&q=x&start=10" },
      }),
      found({
        organic_results: [organic(1, "c")],
        serpapi_pagination: { next: "https://elsewhere.example/search.json?engine=google&q=x&start=20&api_key=z" },
      }),
      NONE,
    ],
    answer: { ...PAGE, results: [row(1, "a"), row(2, "b"), row(3, "c")], costUsd: 3 * USD },
    sent: [
      { path: path({ ...GOOGLE, gl: "uk", hl: "pt-br" }) },
      { path: path({ engine: "google", q: "x", start: "10", no_cache: "true" }) },
      { path: path({ engine: "google", q: "x", start: "20", no_cache: "true" }) },
    ],
  },
  "Bing is asked for a market": {
    question: { source: "SEARCH_A", country: "AT", language: "de-AT" },
    replies: [found({ copilot_answer: {}, organic_results: [organic(1, "acme")] })],
    answer: { ...PAGE, results: [row(1, "acme")] },
    sent: [{ path: path({ engine: "bing", q: "best phone", mkt: "de-AT", no_cache: "true" }) }],
  },
  "an overview in blocks: each page with the blocks that rest on it, its links, and pages without a place": {
    ...asked("SEARCH_B_AIO"),
    replies: [found({ ai_overview: { ...OVERVIEW, page_token: "t" }, organic_results: [organic(1, "acme")] })],
    answer: { ...PAGE, text: TEXT, citations: CITED },
    sent: [{ path: path(GOOGLE) }],
  },
  "an overview that the page loads later is a second search, at once": {
    ...asked("SEARCH_B_AIO"),
    replies: [
      found({ ai_overview: { page_token: "token==", serpapi_link: "https://elsewhere.example/" } }),
      found({ ai_overview: OVERVIEW }),
    ],
    answer: { ...PAGE, text: TEXT, citations: CITED, costUsd: 2 * USD },
    sent: [{ path: path(GOOGLE) }, { path: path({ engine: "google_ai_overview", page_token: "token==" }) }],
  },
  "a later overview that came to nothing is not shown": {
    ...asked("SEARCH_B_AIO"),
    replies: [found({ ai_overview: { page_token: "t" } }), NONE],
    answer: { ...PAGE, showedNothing: true, costUsd: 2 * USD },
  },
  "a later overview that fails has cost the page": {
    ...asked("SEARCH_B_AIO"),
    replies: [found({ ai_overview: { page_token: "t" } }), { status: 503, headers: { "retry-after": "3" } }],
    failure: { kind: "unavailable", isRetryable: true, retryAfterMs: 3000, costUsd: USD },
  },
  "an overview that Google could not make is not shown": {
    ...asked("SEARCH_B_AIO"),
    replies: [found({ ai_overview: { error: "Can't generate an AI overview right now. Try again later." } })],
    answer: { ...PAGE, showedNothing: true },
  },
  "a page without an overview, and a search without a page": {
    ...asked("SEARCH_B_AIO"),
    replies: [found({ organic_results: [organic(1, "acme")] })],
    answer: { ...PAGE, showedNothing: true },
  },
  "a search that finds nothing shows nothing": { replies: [NONE], answer: { ...PAGE, showedNothing: true } },
  "AI Mode: a conversation, with tables, what folds out, and code": {
    question: { source: "SEARCH_B_AI_MODE", persona: "A student" },
    replies: [
      found({
        text_blocks: [
          {
            type: "expandable",
            title: "More",
            text_blocks: [
              { type: "paragraph", snippet: "Acme." },
              { type: "image" },
              { type: "paragraph", snippet: "B." },
            ],
          },
          {
            type: "table",
            table: [
              ["Model", "Weight"],
              ["Acme 1", "1 kg"],
            ],
          },
          {
            type: "comparison",
            product_labels: ["Acme 1", "Rival"],
            comparison: [{ feature: "Weight", values: ["1 kg", "2 kg"] }],
          },
          { type: "code_block", code: "n/a" },
          { type: "paragraph", snippet: "A link.", snippet_links: [{ text: "elsewhere", link: "https://a.example/" }] },
        ],
      }),
    ],
    answer: {
      ...PAGE,
      text: [
        "More\n\nAcme.\n\nB.",
        "| Model | Weight |\n|---|---|\n| Acme 1 | 1 kg |",
        "|  | Acme 1 | Rival |\n|---|---|---|\n| Weight | 1 kg | 2 kg |",
        "```\nn/a\n```",
        "A link.",
      ].join("\n\n"),
      citations: [{ position: 1, url: "https://a.example/" }],
    },
    sent: [{ path: path({ ...GOOGLE, engine: "google_ai_mode", q: "A student\n\nbest phone" }) }],
  },
  "AI Mode that shows nothing": {
    ...asked("SEARCH_B_AI_MODE"),
    replies: [NONE],
    answer: { ...PAGE, showedNothing: true },
  },
  "Copilot Search takes no place": {
    ...asked("SEARCH_A_AIO"),
    replies: [
      found({
        header: "Phones",
        text_blocks: [
          { type: "paragraph", snippet: "Acme.", reference_indexes: [0] },
          { type: "table", headers: ["Model"], table: [["Acme 1"]] },
        ],
        references: [reference(0, "a", "A")],
      }),
    ],
    answer: {
      ...PAGE,
      text: "### Phones\n\nAcme.\n\n| Model |\n|---|\n| Acme 1 |",
      citations: [{ position: 1, url: "https://a.example/", title: "A", spans: [{ start: 12, end: 17 }] }],
    },
    sent: [{ path: path({ engine: "bing_copilot", q: "best phone", no_cache: "true" }) }],
  },
  "a block that must hold text and holds none is no answer without it": {
    ...asked("SEARCH_B_AI_MODE"),
    replies: [found({ text_blocks: [{ type: "paragraph", body: "Acme." }] })],
    failure: { kind: "malformed", isRetryable: true, rawBody: expect.stringContaining("Acme.") },
  },
  "an overview without text": {
    ...asked("SEARCH_B_AIO"),
    replies: [found({ ai_overview: { blocks: ["Acme."] } })],
    failure: { kind: "malformed", costUsd: USD },
  },
  "a result of another shape has cost its search": {
    replies: [found({ organic_results: [{ position: 1, url: "https://acme.example/" }] })],
    failure: { kind: "malformed", costUsd: USD, rawBody: expect.stringContaining("acme.example") },
  },
  "results that stand elsewhere": {
    replies: [found({ results: [organic(1, "acme")] })],
    failure: { kind: "malformed", costUsd: USD },
  },
  "a search that failed with status 200 costs nothing": {
    replies: [{ body: { search_metadata: { status: "Error" }, error: "We couldn't get valid results." } }],
    failure: { kind: "unavailable", isRetryable: true, costUsd: 0 },
  },
  "a search that is not over": {
    replies: [{ body: { search_metadata: { status: "Processing" } } }],
    failure: { kind: "unavailable", isRetryable: true, costUsd: 0 },
  },
  "a search that failed with its status": {
    replies: [{ status: 503, body: { search_metadata: { status: "Error" }, error: "Proxy timeout" } }],
    failure: { kind: "unavailable", isRetryable: true },
  },
  "a key that is not known": {
    replies: [{ status: 401, body: { error: "Invalid API key. Your API key should be here: …" } }],
    failure: { kind: "unauthorized", isRetryable: false },
  },
  "an account that is gone": { replies: [{ status: 403 }], failure: { kind: "unauthorized", isRetryable: false } },
  "a 429 of an account without searches is not asked again": {
    replies: [{ status: 429, body: { error: "Your account has run out of searches." } }],
    failure: { kind: "out_of_quota", isRetryable: false, retryAfterMs: undefined },
  },
  "a 429 of too many searches in an hour is": {
    replies: [{ status: 429, body: { error: "You are exceeding your hourly throughput limit." } }],
    failure: { kind: "rate_limited", isRetryable: true },
  },
  "a country or language that is not served": {
    replies: [{ status: 400, body: { error: "Unsupported `zz` country - gl parameter." } }],
    failure: { kind: "unsupported", isRetryable: false },
  },
  "a parameter that is missing": {
    replies: [{ status: 400, body: { error: "Missing query `q` parameter." } }],
    failure: { kind: "rejected", isRetryable: false },
  },
});

test("stores all response bodies of a prompt, and reports an unknown cost without a price", async () => {
  const replies = [found({ ai_overview: { page_token: "t" } }), found({ ai_overview: OVERVIEW })];
  const question = { source: "SEARCH_B_AIO" as const };
  const { answer } = await askProvider({ ...SERPAPI, env: { SERPAPI_API_KEY: "key-0" }, question }, replies);
  expect(JSON.parse(answer.rawBody)).toEqual(replies.map(({ body }) => body));
  expect(answer.costUsd).toBeNull();
  const price = serpapiProvider.open({ SERPAPI_API_KEY: "key-0" }, { concurrency: 1 })?.price("SEARCH_B");
  expect(price).toEqual({ expectedUsd: null, maxUsd: null });
  expect(() => serpapiProvider.settings.parse({ SERPAPI_MONTHLY_USD: "1" })).toThrow("needs SERPAPI_USD_PER_SEARCH");
});

test("waits for the rate limit before each request of a prompt", async () => {
  // Fault: a second page was requested at once although the minute's limit was reached.
  await using server = await startFakeProvider([
    found({ ai_overview: { page_token: "t" } }),
    found({ ai_overview: OVERVIEW }),
  ]);
  const provider = serpapiProvider.open({ SERPAPI_BASE_URL: server.url, SERPAPI_API_KEY: "key-0" }, { concurrency: 1 });
  const sentBefore: number[] = [];
  const beforeRequest = async () => sentBefore.push(server.sent.length);
  const { signal } = new AbortController();
  await provider?.ask?.({ ...QUESTION, source: "SEARCH_B_AIO" }, { signal, beforeRequest });
  expect([sentBefore, server.sent.length]).toEqual([[0, 1], 2]);
});

test.each([
  ["zh-TW", "zh-tw"],
  ["zh", "zh-cn"],
  ["pt-PT", "pt-pt"],
  ["en-GB", "en"],
])("Google is asked in %s as %s", async (language, hl) => {
  const scene = { ...SERPAPI, question: { source: "SEARCH_B" as const, language } };
  const { sent } = await askProvider(scene, [found({ organic_results: [organic(1, "acme")] })]);
  expect(sent.map((one) => new URLSearchParams(one.path).get("hl"))).toEqual([hl]);
});

test("checks the key at no cost, and reports the remaining searches", async () => {
  await using server = await startFakeProvider([
    { body: { plan_name: "Developer", total_searches_left: 4958, account_rate_limit_per_hour: 1000 } },
    { body: { total_searches_left: 0 } },
    { status: 401 },
  ]);
  const provider = serpapiProvider.open({ SERPAPI_BASE_URL: server.url, ...SERPAPI.env }, { concurrency: 1 });
  const check = () => provider?.check?.({ signal: new AbortController().signal });
  expect(await check()).toEqual(["4958 searches are left", "at most 1000 searches an hour"]);
  expect(await check()).toEqual(["0 searches are left"]);
  await expect(check()).rejects.toMatchObject({ kind: "unauthorized" });
  expect(server.sent.map((one) => one.path)).toEqual(Array(3).fill("/account.json?api_key=key-0"));
});
