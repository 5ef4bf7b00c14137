import { z } from "zod";
import type { CapturedCitation } from "../../../core/reading/capture.ts";
import { ProviderError, type Provider, type ProviderAnswer, type ProviderLimits, type Question } from "./provider.ts";
import { postToProvider } from "./provider-request.ts";

/** US dollars that a model costs. Prices change, so they are configured and never built in. */
export interface TokenPrices {
  input_per_million: number;
  output_per_million: number;
  /** For one web search that the model makes. */
  per_search: number;
}

export interface OpenAiOptions {
  apiKey: string;
  baseUrl: string;
  model: string;
  prices: TokenPrices | null;
  limits: ProviderLimits;
}

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

/** OpenAI Responses with web search, or any address that speaks it. */
export function openAiProvider({ apiKey, baseUrl, model, prices, limits }: OpenAiOptions): Provider {
  return {
    name: "openai",
    limits,
    method: "api",
    async ask(question, { signal }) {
      const rawBody = await postToProvider(`${baseUrl}/responses`, {
        headers: { authorization: `Bearer ${apiKey}` },
        body: requestBody(model, question),
        timeoutMs: limits.timeoutMs,
        signal,
      });
      return readAnswer(rawBody, prices);
    },
  };
}

function requestBody(model: string, { prompt, persona, country, language }: Question) {
  return {
    model,
    input: prompt,
    instructions: [`Answer in this language: ${language}.`, ...(persona === null ? [] : [`Who asks: ${persona}`])].join(
      "\n",
    ),
    tools: [{ type: "web_search", user_location: { type: "approximate", country } }],
    store: false,
  };
}

/** Reads a Responses body: text of every message, with the addresses that its annotations cite in their order. */
function readAnswer(rawBody: string, prices: TokenPrices | null): ProviderAnswer {
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
    rawBody,
    provider: "openai",
    model: body.model ?? null,
    costUsd: prices && usage ? costOf(body, usage, prices) : null,
    tokens: usage ? usage.input_tokens + usage.output_tokens : 0,
    collectionMethod: "api",
  };
}

function parseBody(rawBody: string): ResponseBody {
  try {
    return ResponseBody.parse(JSON.parse(rawBody));
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

function costOf(
  body: ResponseBody,
  usage: { input_tokens: number; output_tokens: number },
  prices: TokenPrices,
): number {
  const searches = body.output.filter((item) => item.type === "web_search_call" && item.action?.type === "search");
  const tokens = usage.input_tokens * prices.input_per_million + usage.output_tokens * prices.output_per_million;
  return tokens / 1_000_000 + searches.length * prices.per_search;
}
