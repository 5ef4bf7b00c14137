import { afterAll, expect, test } from "vitest";
import { openGuard } from "../../src/outside/guard.ts";
import { GEMINI_PRICES, createGoogleProvider } from "../../src/outside/sources/providers/google.ts";
import { findPrices } from "../../src/outside/sources/token-prices.ts";
import { askProvider, runProviderCheck } from "./ask-provider.ts";
import { testDocsPage } from "./docs-page.ts";
import { testProvider } from "./provider-cases.ts";
import { openGoogle, PRICES } from "./scenes.ts";

const { scene: GOOGLE, redirects } = await openGoogle();
afterAll(() => redirects[Symbol.asyncDispose]());

const redirect = (name: string) => `https://vertexaisearch.cloud.google.com/grounding-api-redirect/${name}`;
const chunk = (name: string, title = "site.example") => ({ web: { uri: redirect(name), title } });
const support = (indices: number[], endIndex: number, text?: string, startIndex?: number) => ({
  groundingChunkIndices: indices,
  segment: { ...(startIndex === undefined ? {} : { startIndex }), endIndex, ...(text === undefined ? {} : { text }) },
});
/** 100 tokens in, 50 of them of a search where there are queries, and 20 out. */
const body = (
  parts: object[],
  grounding: { webSearchQueries?: string[]; [more: string]: unknown } = {},
  more: object = {},
) => ({
  candidates: [{ content: { parts, role: "model" }, finishReason: "STOP", groundingMetadata: grounding, index: 0 }],
  modelVersion: "gemini-test-001",
  responseId: "r1",
  usageMetadata: {
    promptTokenCount: grounding.webSearchQueries ? 50 : 100,
    ...(grounding.webSearchQueries ? { toolUsePromptTokenCount: 50 } : {}),
    candidatesTokenCount: 15,
    thoughtsTokenCount: 5,
    totalTokenCount: 120,
  },
  ...more,
});
const ended = (finishReason: string | undefined, parts: object[] = [], more: object = {}) =>
  body([], {}, { candidates: [{ content: { parts }, finishReason, ...more }] });

const USUAL = {
  results: [],
  queries: [],
  retrieved: [],
  citations: [],
  model: "gemini-test-001",
  costUsd: 0.0003,
  tokens: 120,
  provider: "google",
  collectionMethod: "api",
};

const quota = (quotaIds: string[], retryDelay?: string) => ({
  status: 429,
  body: {
    error: {
      code: 429,
      message: "…",
      status: "RESOURCE_EXHAUSTED",
      details: [
        {
          "@type": "type.googleapis.com/google.rpc.QuotaFailure",
          violations: quotaIds.map((quotaId) => ({ quotaId })),
        },
        ...(retryDelay === undefined ? [] : [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay }]),
      ],
    },
  },
});

testProvider(GOOGLE, {
  "the question carries place, language and persona, and never the brands": {
    question: { persona: "A student with little money" },
    replies: [{ body: body([{ text: "Lumora." }]) }],
    answer: { ...USUAL, text: "Lumora." },
    sent: [
      {
        method: "POST",
        path: "/models/gemini-test:generateContent",
        headers: { "x-goog-api-key": "AIza-test", "content-type": "application/json" },
        body: {
          systemInstruction: {
            parts: [
              {
                text: "Answer in this language: de.\nThe question is asked in this country: DE.\nWho asks: A student with little money",
              },
            ],
          },
          contents: [{ role: "user", parts: [{ text: "best phone" }] }],
          tools: [{ googleSearch: {} }],
          generationConfig: { maxOutputTokens: 16_000 },
        },
      },
    ],
  },
  "redirects are resolved at once, and offsets in bytes are places in the text": {
    replies: [
      {
        body: body([{ text: "Größe 😀: Lumora. Vexa ist günstig." }], {
          webSearchQueries: ["beste handys", "", "günstige handys", "beste handys"],
          groundingChunks: [chunk("aaa"), { maps: {} }, chunk("bbb", "Handys im Test"), chunk("ccc")],
          groundingSupports: [
            support([2], 38, "Vexa ist günstig.", 20),
            support([0, 2], 19, "Größe 😀: Lumora"),
            support([1], 7),
          ],
        }),
      },
    ],
    answer: {
      ...USUAL,
      text: "Größe 😀: Lumora. Vexa ist günstig.",
      citations: [
        { position: 1, url: "https://resolved.example/aaa", spans: [{ start: 0, end: 16 }] },
        { position: 2, url: "https://resolved.example/bbb", title: "Handys im Test", spans: [{ start: 0, end: 16 }] },
        { position: 3, url: "https://resolved.example/bbb", title: "Handys im Test", spans: [{ start: 18, end: 35 }] },
      ],
      retrieved: [
        { position: 1, url: "https://resolved.example/aaa" },
        { position: 2, url: "https://resolved.example/bbb", title: "Handys im Test" },
        { position: 3, url: "https://resolved.example/ccc" },
      ],
      queries: ["beste handys", "günstige handys"],
      costUsd: expect.closeTo(0.0203, 10),
    },
  },
  "thoughts are no text, and offsets are of their part": {
    replies: [
      {
        body: body([{ text: "Hm.", thought: true }, { text: "Lumora. " }, { text: "Vexa." }], {
          groundingChunks: [chunk("aaa")],
          groundingSupports: [
            { groundingChunkIndices: [0], segment: { partIndex: 2, startIndex: 0, endIndex: 4, text: "Vexa" } },
            { groundingChunkIndices: [0], segment: { partIndex: 1, endIndex: 6 } },
          ],
        }),
      },
    ],
    answer: {
      ...USUAL,
      text: "Lumora. Vexa.",
      citations: [
        { position: 1, url: "https://resolved.example/aaa", spans: [{ start: 0, end: 6 }] },
        { position: 2, url: "https://resolved.example/aaa", spans: [{ start: 8, end: 12 }] },
      ],
      retrieved: [{ position: 1, url: "https://resolved.example/aaa" }],
    },
  },
  "where offsets do not lead to the words that are cited, the words are found; without them there is no place": {
    replies: [
      {
        body: body([{ text: "Lumora. Vexa." }], {
          groundingChunks: [chunk("aaa")],
          groundingSupports: [
            support([0], 900, "Nothing of it", 3),
            support([0], 6, "Vexa", 1),
            { groundingChunkIndices: [0] },
          ],
        }),
      },
    ],
    answer: {
      ...USUAL,
      text: "Lumora. Vexa.",
      citations: [
        { position: 1, url: "https://resolved.example/aaa", spans: [{ start: 8, end: 12 }] },
        { position: 2, url: "https://resolved.example/aaa" },
        { position: 3, url: "https://resolved.example/aaa" },
      ],
      retrieved: [{ position: 1, url: "https://resolved.example/aaa" }],
    },
  },
  "a redirect that does not say where it leads is the host that is named, and none where no host is": {
    replies: [
      {
        body: body([{ text: "Lumora." }], {
          groundingChunks: [
            chunk("gone", "Lumora.example"),
            chunk("silent", "vexa.example"),
            chunk("page", "shop.example"),
            chunk("script", "news.example"),
            chunk("there", "A page of a host"),
            { web: { uri: "https://www.google.com/search?q=weather+in+San Francisco", title: "Weather" } },
            {
              web: {
                uri: "https://vertexaisearch.cloud.google.com.evil.example/grounding-api-redirect/x",
                title: "E vil",
              },
            },
          ],
        }),
      },
    ],
    answer: {
      ...USUAL,
      text: "Lumora.",
      retrieved: [
        { position: 1, url: "https://lumora.example/" },
        { position: 2, url: "https://vexa.example/" },
        { position: 3, url: "https://shop.example/" },
        { position: 4, url: "https://news.example/" },
        { position: 5, url: redirect("there"), title: "A page of a host" },
        { position: 6, url: "https://www.google.com/search?q=weather+in+San Francisco", title: "Weather" },
        {
          position: 7,
          url: "https://vertexaisearch.cloud.google.com.evil.example/grounding-api-redirect/x",
          title: "E vil",
        },
      ],
    },
  },
  "a search without its results is one that was paid for": {
    replies: [
      {
        body: body([{ text: "Lumora." }], undefined, {
          usageMetadata: { promptTokenCount: 20, toolUsePromptTokenCount: 80, candidatesTokenCount: 20 },
        }),
      },
    ],
    answer: { ...USUAL, text: "Lumora.", costUsd: 0.0103 },
  },
  "models that are billed by the prompt cost one search": {
    replies: [
      {
        body: body([{ text: "Lumora." }], { webSearchQueries: ["a", "b", "c"] }, { modelVersion: "gemini-2.5-flash" }),
      },
    ],
    answer: { ...USUAL, text: "Lumora.", model: "gemini-2.5-flash", queries: ["a", "b", "c"], costUsd: 0.0103 },
  },
  "what is not told of tokens is no cost of nothing": {
    replies: [{ body: body([{ text: "Lumora." }], {}, { usageMetadata: null }) }],
    answer: { ...USUAL, text: "Lumora.", costUsd: null, tokens: 0 },
  },
  "a prompt that is blocked is refused": {
    replies: [
      {
        body: {
          promptFeedback: { blockReason: "PROHIBITED_CONTENT", blockReasonMessage: "The prompt is not allowed." },
          modelVersion: "gemini-test-001",
          usageMetadata: { promptTokenCount: 100, totalTokenCount: 100 },
        },
      },
    ],
    answer: { ...USUAL, text: "The prompt is not allowed.", isRefusal: true, costUsd: 0.0001, tokens: 100 },
  },
  "a blocked prompt without a reason in words is refused": {
    replies: [{ body: { promptFeedback: { blockReason: "OTHER" } } }],
    answer: {
      ...USUAL,
      text: "Google blocked the answer (OTHER).",
      isRefusal: true,
      model: null,
      costUsd: null,
      tokens: 0,
    },
  },
  "an answer that is withheld is refused": {
    replies: [{ body: ended("SAFETY") }],
    answer: { ...USUAL, text: "Google blocked the answer (SAFETY).", isRefusal: true },
  },
  "an answer that is withheld after some words is what it says": {
    replies: [{ body: ended("RECITATION", [{ text: "Lumora is" }], { finishMessage: "…" }) }],
    answer: { ...USUAL, text: "Lumora is", isRefusal: true },
  },
  "an answer that stopped at its limit is cut off, kept and paid for": {
    replies: [{ body: ended("MAX_TOKENS", [{ text: "Half" }]) }],
    failure: { kind: "cut_off", isRetryable: false, costUsd: 0.0003, rawBody: expect.stringContaining("Half") },
  },
  "a language that is not served is told": {
    replies: [{ body: ended("LANGUAGE") }],
    failure: { kind: "unsupported", isRetryable: false },
  },
  "an end that is not known is no answer": {
    replies: [{ body: ended("UNEXPECTED_TOOL_CALL", [{ text: "Lumora" }]) }],
    failure: { kind: "malformed", costUsd: 0.0003 },
  },
  "an answer that does not say that it ended is none": {
    replies: [{ body: ended(undefined, [{ text: "Lumora" }]) }],
    failure: { kind: "malformed" },
  },
  "an answer without text is none": {
    replies: [{ body: body([]) }],
    failure: { kind: "malformed", costUsd: 0.0003 },
  },
  "a source of another shape is no answer without sources": {
    replies: [{ body: body([{ text: "Lumora." }], { groundingChunks: [{ web: { url: "https://a.example/" } }] }) }],
    failure: { kind: "malformed", isRetryable: true, maxAttempts: 2, rawBody: expect.stringContaining("a.example") },
  },
  "a citation of a source that is not in the list is none": {
    replies: [
      { body: body([{ text: "Lumora." }], { groundingChunks: [chunk("aaa")], groundingSupports: [support([1], 6)] }) },
    ],
    failure: { kind: "malformed" },
  },
  "a list of parts of a stream is no answer": {
    replies: [{ body: [body([{ text: "Lumora." }])] }],
    failure: { kind: "malformed" },
  },
  "a quota of a minute is waited for": {
    replies: [quota(["GenerateRequestsPerMinutePerProjectPerModel-FreeTier"], "34.4s")],
    failure: { kind: "rate_limited", isRetryable: true, retryAfterMs: 34_400 },
  },
  "a quota of a day is not asked again, whatever wait stands beside it": {
    replies: [
      quota(
        ["GenerateRequestsPerMinutePerProjectPerModel-FreeTier", "GenerateRequestsPerDayPerProjectPerModel-FreeTier"],
        "47s",
      ),
    ],
    failure: { kind: "out_of_quota", isRetryable: false },
  },
  "a wrong key is told, though the request is said not to be valid": {
    replies: [
      {
        status: 400,
        body: {
          error: {
            code: 400,
            status: "INVALID_ARGUMENT",
            details: [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "API_KEY_INVALID" }],
          },
        },
      },
    ],
    failure: { kind: "unauthorized", isRetryable: false },
  },
  "a request that is not valid is rejected": {
    replies: [{ status: 400, body: { error: { code: 400, status: "INVALID_ARGUMENT", message: "…" } } }],
    failure: { kind: "rejected" },
  },
});

test("requests each redirect once for its target, and never requests a page", async () => {
  const before = redirects.sent.length;
  const chunks = [chunk("one"), chunk("two"), chunk("one"), { web: { uri: "https://plain.example/", title: "P" } }];
  await askProvider(GOOGLE, [{ body: body([{ text: "Lumora." }], { groundingChunks: [...chunks, chunk("gone")] }) }]);
  const asked = redirects.sent.slice(before).map(({ headers, path }) => `${headers.host}${path}`);
  const address = "vertexaisearch.cloud.google.com/grounding-api-redirect/";
  expect(asked.toSorted()).toEqual(["gone", "gone", "one", "two"].map((name) => `${address}${name}`));
});

test("requests redirects through the outbound guard, which rejects names that resolve to internal addresses", async () => {
  const before = redirects.sent.length;
  const inside = openGuard({ resolver: () => Promise.resolve(["127.0.0.1"]) });
  const scene = { ...GOOGLE, declared: createGoogleProvider({ guard: inside, redirectMs: 200 }) };
  const { answer } = await askProvider(scene, [
    { body: body([{ text: "Lumora." }], { groundingChunks: [chunk("aaa")] }) },
  ]);
  expect(answer.retrieved).toEqual([{ position: 1, url: "https://site.example/" }]);
  expect(redirects.sent.length).toBe(before);
});

const MODEL = "gemini-3.8-flash";

const listedOn = (
  day: string,
  ownPrices?: { input_per_million: number; output_per_million: number; per_search: number },
) => findPrices(MODEL, { ownPrices, priceLists: GEMINI_PRICES, day })?.input_per_million;

test("applies list prices from their date, the first also before it, and the operator's own prices first", () => {
  expect([
    listedOn("2026-10-06"),
    listedOn("2026-12-31"),
    listedOn("2027-01-01"),
    listedOn("2026-12-31", PRICES),
  ]).toEqual([0.75, 0.75, 1.5, 1]);
  expect(findPrices("gemini-0", { ownPrices: undefined, priceLists: GEMINI_PRICES })).toBeUndefined();
});

test("a check asks for the model", async () => {
  const { said, sent } = await runProviderCheck(GOOGLE, [{ body: { name: "models/gemini-test" } }]);
  expect(said).toEqual([]);
  expect(sent.map(({ method, path }) => [method, path])).toEqual([["GET", "/models/gemini-test"]]);
  await expect(runProviderCheck(GOOGLE, [{ status: 404 }])).rejects.toMatchObject({ kind: "rejected" });
});

const listed = findPrices(MODEL, { ownPrices: undefined, priceLists: GEMINI_PRICES, day: "2026-10-07" });
testDocsPage(
  { ...GOOGLE, env: { GEMINI_API_KEY: "AIza-test", GEMINI_PRICES: JSON.stringify(listed) } },
  { pricesOf: "2026-10-07" },
);
