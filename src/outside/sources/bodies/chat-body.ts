import { z } from "zod";
import type { CapturedAnswer } from "../provider.ts";
import { ProviderError, type FailureKind } from "../provider-error.ts";
import { toPage } from "./cited-pages.ts";
import { readBody } from "./read-body.ts";
import { mergeCitations } from "./responses-citations.ts";
import { tokenCost, type TokenPrices } from "../token-prices.ts";

const ListedPageSchema = z.looseObject({ url: z.string(), title: z.string().nullish() });
const ChatMessageSchema = z.looseObject({
  content: z.union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.string().nullish() }))]).nullish(),
  refusal: z.string().nullish(),
});

const ChatBody = z.object({
  model: z.string().nullish(),
  error: z.looseObject({ code: z.union([z.string(), z.number()]).nullish() }).nullish(),
  choices: z.array(z.looseObject({ message: ChatMessageSchema, finish_reason: z.string().nullish() })).nullish(),
  /** Some APIs number these pages `[1]` in the text. */
  citations: z.array(z.union([z.string(), ListedPageSchema])).nullish(),
  search_results: z.array(ListedPageSchema).nullish(),
  usage: z
    .looseObject({
      prompt_tokens: z.number().nullish(),
      completion_tokens: z.number().nullish(),
      /** In US dollars, if the API reports it. */
      cost: z.union([z.number(), z.looseObject({ total_cost: z.number() })]).nullish(),
    })
    .nullish(),
});
type ChatBody = z.output<typeof ChatBody>;

/** Status 200 can carry these codes. */
const KINDS_BY_CODE: Readonly<Record<string, FailureKind>> = {
  "401": "unauthorized",
  "402": "out_of_quota",
  "429": "rate_limited",
  invalid_api_key: "unauthorized",
  insufficient_quota: "out_of_quota",
  rate_limit_exceeded: "rate_limited",
};
/** Some local servers leave reasoning in the text. */
const REASONING_PATTERN = /^\s*<think>.*?<\/think>\s*/su;

/** Citations may be annotations or stand next to the choices. Throws ProviderError. */
export function readChat(rawBody: string, { prices }: { prices: TokenPrices | undefined }): CapturedAnswer {
  const body = readBody(rawBody, ChatBody);
  const costUsd = computeCost(body, prices);
  const details = { rawBody, costUsd: costUsd ?? undefined };
  if (body.error != null) {
    const message = "The provider ended its answer with an error.";
    throw new ProviderError(KINDS_BY_CODE[String(body.error.code)] ?? "unavailable", { ...details, message });
  }
  const [choice] = body.choices ?? [];
  if (!choice) throw new ProviderError("malformed", details);
  const { message, finish_reason: end } = choice;
  if (end === "length" || end === "content_filter") {
    throw new ProviderError(end === "length" ? "cut_off" : "rejected", details);
  }
  const said = getText(message);
  const isRefusal = said === "" && message.refusal != null;
  const text = isRefusal ? (message.refusal ?? "") : said;
  const pages = listPages(body);
  return {
    text,
    citations: mergeCitations([{ text, said: text, start: 0, rawPart: message, isRefusal }], {
      results: pages.map((page, index) => ({ id: String(index + 1), ...page })),
      listedPages: pages,
      rawBody,
    }),
    results: [],
    queries: [],
    retrieved: pages.map((page, index) => ({ ...page, position: index + 1 })),
    ...(isRefusal ? { isRefusal: true as const } : {}),
    rawBody,
    model: body.model ?? null,
    costUsd,
    tokens: (body.usage?.prompt_tokens ?? 0) + (body.usage?.completion_tokens ?? 0),
  };
}

function getText({ content }: z.output<typeof ChatMessageSchema>): string {
  const text =
    typeof content === "string"
      ? content
      : (content ?? []).flatMap((part) => (part.type === "text" ? (part.text ?? "") : [])).join("");
  return text.replace(REASONING_PATTERN, "");
}

function listPages({ citations, search_results: found }: ChatBody): { url: string; title?: string }[] {
  const titles = new Map((found ?? []).map(({ url, title }) => [url, title]));
  const given = citations && citations.length > 0 ? citations : (found ?? []);
  return given.map((one) => {
    const { url, title } = typeof one === "string" ? { url: one } : one;
    return toPage({ url, title: title ?? titles.get(url) });
  });
}

function computeCost({ usage }: ChatBody, prices: TokenPrices | undefined): number | null {
  const billed = typeof usage?.cost === "number" ? usage.cost : usage?.cost?.total_cost;
  if (billed !== undefined) return billed;
  if (usage?.prompt_tokens == null || usage.completion_tokens == null || !prices) return null;
  return tokenCost({ input: usage.prompt_tokens, output: usage.completion_tokens, searches: 0 }, prices);
}
