import { z } from "zod";
import type { CapturedCitation } from "../../../core/reading/capture.ts";
import { provider, ProviderError, type Answered, type Question } from "./provider.ts";
import { postToProvider } from "./provider-request.ts";
import { address, json, seconds } from "../../setting-fields.ts";
import { parseJson } from "../../../core/json.ts";

/** US dollars that a model costs. Prices change, so they are configured and never built in. */
const TokenPrices = z.strictObject({
  input_per_million: z.number().min(0),
  output_per_million: z.number().min(0),
  /** For one web search that the model makes. */
  per_search: z.number().min(0).default(0),
});
type TokenPrices = z.output<typeof TokenPrices>;

const settings = z
  .object({
    OPENAI_API_KEY: z
      .string()
      .min(1)
      .optional()
      .describe("OpenAI API key, to ask ASSISTANT_A. Without it ASSISTANT_A is simulated."),
    OPENAI_BASE_URL: address
      .default("https://api.openai.com/v1")
      .describe("Base URL of an OpenAI-compatible Responses API."),
    OPENAI_MODEL: z.string().min(1).default("gpt-5").describe("Model to ask."),
    OPENAI_PRICES: json
      .pipe(TokenPrices)
      .optional()
      .describe(
        "Prices of OPENAI_MODEL in US dollars, as JSON: input_per_million and output_per_million tokens, and per_search. Without them costs are unknown.",
      ),
    OPENAI_REQUESTS_PER_MINUTE: z.coerce
      .number()
      .min(1)
      .optional()
      .describe("Maximum requests per minute. Default: no limit."),
    OPENAI_TOKENS_PER_MINUTE: z.coerce
      .number()
      .min(1)
      .optional()
      .describe("Maximum tokens per minute. Default: no limit."),
    OPENAI_MONTHLY_USD: z.coerce
      .number()
      .min(0)
      .optional()
      .describe(
        "Maximum spend per calendar month (UTC) in US dollars; requires OPENAI_PRICES. Once it is spent, questions fail.",
      ),
    OPENAI_TIMEOUT_SECONDS: seconds.default(180).describe("Time limit of one answer."),
  })
  .refine(({ OPENAI_MONTHLY_USD, OPENAI_PRICES }) => OPENAI_MONTHLY_USD === undefined || OPENAI_PRICES !== undefined, {
    path: ["OPENAI_MONTHLY_USD"],
    message: "needs OPENAI_PRICES to know what is spent",
  });

/** OpenAI Responses with web search, or any address that speaks it. */
export const openai = provider({
  name: "openai",
  serves: ["ASSISTANT_A"],
  method: "api",
  settings,
  configure: ({ OPENAI_API_KEY: apiKey, ...rest }) => (apiKey === undefined ? undefined : { ...rest, apiKey }),
  limits: (configured) => ({
    requestsPerMinute: configured.OPENAI_REQUESTS_PER_MINUTE,
    tokensPerMinute: configured.OPENAI_TOKENS_PER_MINUTE,
    spendCapUsd: configured.OPENAI_MONTHLY_USD,
  }),
  price: () => null,
  async ask(question, configured, { signal }) {
    const rawBody = await postToProvider(`${configured.OPENAI_BASE_URL}/responses`, {
      headers: { authorization: `Bearer ${configured.apiKey}` },
      body: requestBody(configured.OPENAI_MODEL, question),
      timeoutMs: configured.OPENAI_TIMEOUT_SECONDS * 1000,
      signal,
    });
    return readAnswer(rawBody, configured.OPENAI_PRICES);
  },
});

const TextPart = z.object({
  type: z.literal("output_text"),
  text: z.string(),
  annotations: z.array(z.object({ type: z.string() }).loose()).nullish(),
});
const UrlCitation = z.object({
  type: z.literal("url_citation"),
  url: z.string(),
  title: z.string().nullish(),
  start_index: z.number(),
});
const Action = z.object({
  type: z.string(),
  query: z.string().nullish(),
  queries: z.array(z.string()).nullish(),
  url: z.string().nullish(),
  sources: z.array(z.object({ url: z.string() })).nullish(),
});
/** What is read of a Responses body; everything else of it is kept in the raw body alone. */
const ResponseBody = z.object({
  status: z.string().nullish(),
  model: z.string().nullish(),
  output: z.array(
    z.object({
      type: z.string(),
      content: z.array(z.object({ type: z.string() }).loose()).nullish(),
      action: z.object({ type: z.string() }).loose().nullish(),
    }),
  ),
  usage: z.object({ input_tokens: z.number(), output_tokens: z.number() }).nullish(),
});
type ResponseBody = z.output<typeof ResponseBody>;

function requestBody(model: string, { prompt, persona, country, language }: Question) {
  return {
    model,
    input: prompt,
    instructions: [`Answer in this language: ${language}.`, ...(persona === null ? [] : [`Who asks: ${persona}`])].join(
      "\n",
    ),
    tools: [{ type: "web_search", user_location: { type: "approximate", country } }],
    // Pages that are read and not cited are told only where they are asked for.
    include: ["web_search_call.action.sources"],
    store: false,
  };
}

/** Reads a Responses body: text of every message, with the addresses that its annotations cite in their order. */
function readAnswer(rawBody: string, prices: TokenPrices | undefined): Answered {
  const body = parseBody(rawBody);
  if (body.status === "failed" || body.status === "incomplete") {
    throw new ProviderError(`The provider ended its answer as ${body.status}.`, {
      retryable: body.status === "failed",
    });
  }
  const parts = body.output.flatMap((item) =>
    item.type === "message" ? (item.content ?? []).flatMap((part) => TextPart.safeParse(part).data ?? []) : [],
  );
  const text = parts.map((part) => part.text).join("\n\n");
  if (text.trim() === "") throw new ProviderError("The provider's answer has no text.", { retryable: true });
  const { usage } = body;
  return {
    text,
    citations: parts
      .flatMap((part) => citationsOf(part))
      .map((citation, index) => ({ ...citation, position: index + 1 })),
    results: [],
    ...searchesOf(body),
    rawBody,
    model: body.model ?? null,
    costUsd: prices && usage ? costOf(body, usage, prices) : null,
    tokens: usage ? usage.input_tokens + usage.output_tokens : 0,
  };
}

function parseBody(rawBody: string): ResponseBody {
  try {
    return ResponseBody.parse(parseJson(rawBody));
  } catch (error) {
    throw new ProviderError("The provider's answer is not a Responses body.", { retryable: true, cause: error });
  }
}

function citationsOf({ annotations }: z.output<typeof TextPart>): Omit<CapturedCitation, "position">[] {
  return (annotations ?? [])
    .flatMap((annotation) => UrlCitation.safeParse(annotation).data ?? [])
    .toSorted((a, b) => a.start_index - b.start_index)
    .map(({ url, title }) => ({ url, ...(title == null ? {} : { title }) }));
}

/** What was searched for, and the pages that the searches and the opening of pages led to, in their order. */
function searchesOf({ output }: ResponseBody): { queries: string[]; retrieved: CapturedCitation[] } {
  const actions = output.flatMap(({ type, action }) =>
    type === "web_search_call" ? (Action.safeParse(action).data ?? []) : [],
  );
  const searches = actions.filter(({ type }) => type === "search");
  const urls = actions.flatMap(({ url, sources }) => [
    ...(url == null ? [] : [url]),
    ...(sources ?? []).map((one) => one.url),
  ]);
  return {
    queries: searches.flatMap(({ query, queries }) => queries ?? (query == null ? [] : [query])),
    retrieved: [...new Set(urls)].map((url, index) => ({ url, position: index + 1 })),
  };
}

function costOf(
  body: ResponseBody,
  usage: { input_tokens: number; output_tokens: number },
  prices: TokenPrices,
): number {
  const searches = body.output.filter((item) => item.type === "web_search_call" && item.action?.type === "search");
  const tokens = usage.input_tokens * prices.input_per_million + usage.output_tokens * prices.output_per_million;
  return tokens / 1_000_000 + searches.length * prices.per_search;
}
