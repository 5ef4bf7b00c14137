import { z } from "zod";
import { decodeJson } from "../../decode-json.ts";
import type { CapturedAnswer } from "../provider.ts";
import { ProviderError, type FailureKind } from "../provider-error.ts";
import { toPage } from "./cited-pages.ts";
import { readBody } from "./read-body.ts";
import { mergeCitations, type SearchResult, type TextPart } from "./responses-citations.ts";
import { parseMarkdownLinks } from "./text-links.ts";
import { tokenCost, type TokenPrices } from "../token-prices.ts";

const MessagePartSchema = z.looseObject({
  type: z.string(),
  text: z.string().nullish(),
  refusal: z.string().nullish(),
});
const MessageSchema = z.looseObject({ content: z.array(MessagePartSchema), phase: z.string().nullish() });
const SearchResultSchema = z.looseObject({
  id: z.union([z.string(), z.number()]).nullish(),
  url: z.string(),
  title: z.string().nullish(),
});
const SearchResultsSchema = z.object({ results: z.array(SearchResultSchema), queries: z.array(z.string()).nullish() });
const SearchActionSchema = z.looseObject({
  type: z.string().nullish(),
  query: z.string().nullish(),
  queries: z.array(z.string()).nullish(),
  url: z.string().nullish(),
  sources: z.array(z.looseObject({ url: z.string().nullish() })).nullish(),
});
/** Some APIs report the search query as JSON in `arguments`. */
const Arguments = z.object({ query: z.string() });

const ResponseBody = z.object({
  status: z.string().nullish(),
  model: z.string().nullish(),
  error: z.looseObject({ code: z.union([z.string(), z.number()]).nullish() }).nullish(),
  incomplete_details: z.looseObject({ reason: z.string().nullish() }).nullish(),
  output: z.array(
    z.looseObject({ type: z.string(), action: SearchActionSchema.nullish(), arguments: z.string().nullish() }),
  ),
  /** Compatible APIs may list their sources next to the output. */
  citations: z.array(z.union([z.string(), z.looseObject({ url: z.string(), title: z.string().nullish() })])).nullish(),
  tool_usage: z.looseObject({ web_search: z.looseObject({ num_requests: z.number() }).nullish() }).nullish(),
  usage: z
    .looseObject({
      input_tokens: z.number(),
      output_tokens: z.number(),
      /** In US dollars, if the API reports it. */
      cost: z.union([z.number(), z.looseObject({ total_cost: z.number() })]).nullish(),
    })
    .nullish(),
});
type ResponseBody = z.output<typeof ResponseBody>;

/** Status 200 can carry these codes. */
const KINDS_BY_CODE: Readonly<Record<string, FailureKind>> = {
  insufficient_quota: "out_of_quota",
  rate_limit_exceeded: "rate_limited",
  invalid_api_key: "unauthorized",
};
/** One compatible model leaves this marker among its queries and at the end of opened URLs. */
const NO_QUERY_PATTERN = /^ws_call_id=/;
const CALL_MARK_PATTERN = /#ws_call_id=[^]*$/;

interface ReadOptions {
  prices: TokenPrices | undefined;
  billedUsd?: (usage: object) => number | undefined;
  /** The API has no annotations and cites by links in the text. */
  citesByLinks?: boolean;
}

export function readResponses(
  rawBody: string,
  { prices, billedUsd, citesByLinks = false }: ReadOptions,
): CapturedAnswer {
  const body = readBody(rawBody, ResponseBody);
  const { usage } = body;
  const billed =
    usage && (billedUsd?.(usage) ?? (typeof usage.cost === "number" ? usage.cost : usage.cost?.total_cost));
  const costUsd = billed ?? (prices && usage ? computeCost(body, usage, prices) : null);
  requireFinished(body, { rawBody, costUsd });
  const parts = readParts(body, rawBody);
  const searches = findSearches(body, rawBody);
  const text = parts.map((part) => part.text).join("");
  const cited = mergeCitations(parts, { ...searches, listedPages: body.citations ?? [], rawBody });
  const linked = citesByLinks && cited.length === 0 ? parseMarkdownLinks(text) : [];
  return {
    text,
    citations: [...cited, ...linked.map((link, index) => ({ ...link, position: index + 1 }))],
    results: [],
    queries: searches.queries,
    retrieved: searches.retrieved,
    ...(parts.some(({ isRefusal }) => isRefusal) ? { isRefusal: true as const } : {}),
    rawBody,
    model: body.model ?? null,
    costUsd,
    tokens: usage ? usage.input_tokens + usage.output_tokens : 0,
  };
}

function requireFinished(body: ResponseBody, billed: { rawBody: string; costUsd: number | null }): void {
  const { status, error, incomplete_details: incomplete } = body;
  const details = { rawBody: billed.rawBody, costUsd: billed.costUsd ?? undefined };
  if (status === "incomplete") {
    const isLimit = incomplete?.reason !== "content_filter";
    throw new ProviderError(isLimit ? "cut_off" : "rejected", {
      ...details,
      message: `The provider ended its answer as incomplete (${isLimit ? "a limit of its length" : "its content filter"}).`,
    });
  }
  if (error == null && (status == null || status === "completed")) return;
  throw new ProviderError(KINDS_BY_CODE[String(error?.code)] ?? "unavailable", {
    ...details,
    message: "The provider ended its answer with an error.",
  });
}

/** An empty line separates messages. */
function readParts({ output }: ResponseBody, rawBody: string): TextPart[] {
  const messages = output.filter(({ type }) => type === "message").map((item) => parseMessage(item, rawBody));
  const final = messages.filter(({ phase }) => phase !== "commentary");
  let start = 0;
  return (final.length > 0 ? final : messages).flatMap(({ content }, message) =>
    content.flatMap((rawPart, at) => {
      const said =
        rawPart.type === "refusal" ? rawPart.refusal : rawPart.type === "output_text" ? rawPart.text : undefined;
      if (said == null) return [];
      const text = `${message > 0 && at === 0 ? "\n\n" : ""}${said}`;
      const read = {
        text,
        start: start + text.length - said.length,
        said,
        rawPart,
        isRefusal: rawPart.type === "refusal",
      };
      start += text.length;
      return [read];
    }),
  );
}

function parseMessage(item: object, rawBody: string): z.output<typeof MessageSchema> {
  const message = MessageSchema.safeParse(item);
  if (!message.success) throw new ProviderError("malformed", { rawBody, cause: message.error });
  return message.data;
}

function findSearches({ output }: ResponseBody, rawBody: string) {
  const results: SearchResult[] = [];
  const queries: string[] = [];
  const urls: { url: string; title?: string }[] = [];
  for (const item of output) {
    if (item.type === "search_results") {
      const read = SearchResultsSchema.safeParse(item);
      if (!read.success) throw new ProviderError("malformed", { rawBody, cause: read.error });
      results.push(...read.data.results.map((page) => ({ id: String(page.id ?? ""), ...toPage(page) })));
      queries.push(...(read.data.queries ?? []));
    }
    if (item.type !== "web_search_call") continue;
    const { action } = item;
    const model = Arguments.safeParse(decodeJson(item.arguments ?? "")).data?.query;
    if (action == null || action.type === "search") {
      queries.push(...(action?.queries ?? [action?.query ?? model].flatMap((query) => query ?? [])));
    }
    if (action?.url != null) urls.push({ url: action.url.replace(CALL_MARK_PATTERN, "") });
    urls.push(...(action?.sources ?? []).flatMap(({ url }) => (url == null ? [] : { url })));
  }
  const pages = new Map([...urls, ...results].map((page) => [page.url, toPage(page)]));
  return {
    results,
    queries: queries.filter((query) => !NO_QUERY_PATTERN.test(query)),
    retrieved: [...pages.values()].map((page, index) => ({ ...page, position: index + 1 })),
  };
}

function computeCost(
  { output, tool_usage: toolUsage }: ResponseBody,
  usage: { input_tokens: number; output_tokens: number },
  prices: TokenPrices,
): number {
  const searches = output.filter(({ type, action }) => {
    return type === "web_search_call" && (action?.type == null || action.type === "search");
  });
  const counted = searches.length || output.filter(({ type }) => type === "search_results").length;
  const used = { input: usage.input_tokens, output: usage.output_tokens };
  return tokenCost({ ...used, searches: toolUsage?.web_search?.num_requests ?? counted }, prices);
}
