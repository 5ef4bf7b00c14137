import { z } from "zod";
import type { CapturedCitation } from "../../../../core/reading/capture.ts";
import type { CapturedAnswer } from "../provider.ts";
import { ProviderError, type FailureKind } from "../provider-error.ts";
import { toPage } from "./cited-pages.ts";
import { readBody } from "./read-body.ts";
import { tokenCost, type TokenPrices, type TokenUsage } from "../token-prices.ts";

const SEARCH_TOOL_NAME = "web_search";
const CITATION_TYPE = "web_search_result_location";

const TitleField = z.string().nullish();
const Text = z.looseObject({
  type: z.literal("text"),
  text: z.string(),
  citations: z
    .array(
      z.union([
        z.looseObject({ type: z.literal(CITATION_TYPE), url: z.string(), title: TitleField }),
        otherThan([CITATION_TYPE]).transform(() => null),
      ]),
    )
    .nullish(),
});
const ToolUseSchema = z.looseObject({
  type: z.literal("server_tool_use"),
  name: z.string(),
  input: z.looseObject({ query: z.string().nullish() }),
});
const Found = z.looseObject({
  type: z.literal("web_search_tool_result"),
  content: z.union([
    z.array(z.looseObject({ url: z.string(), title: TitleField })),
    z.looseObject({ error_code: z.string() }).transform(({ error_code }) => error_code),
  ]),
});
const OtherBlockSchema = otherThan(["text", "server_tool_use", "web_search_tool_result"]).transform(
  () => ({ type: "other" }) as const,
);
type ContentBlock = z.output<typeof Text | typeof ToolUseSchema | typeof Found | typeof OtherBlockSchema>;

const MessageBody = z.object({
  model: z.string().nullish(),
  content: z.array(z.union([Text, ToolUseSchema, Found, OtherBlockSchema])),
  stop_reason: z.string(),
  stop_details: z.looseObject({ explanation: z.string().nullish() }).nullish(),
  usage: z.looseObject({
    input_tokens: z.number(),
    cache_creation_input_tokens: z.number().nullish(),
    cache_read_input_tokens: z.number().nullish(),
    output_tokens: z.number(),
    server_tool_use: z.looseObject({ web_search_requests: z.number().nullish() }).nullish(),
  }),
});
const SentContentSchema = z.object({ content: z.array(z.unknown()) });

export interface ModelTurn {
  rawBody: string;
  content: readonly unknown[];
  body: z.output<typeof MessageBody>;
}

const PAUSE_REASON = "pause_turn";
const COMPLETE_REASONS = new Set(["end_turn", "stop_sequence"]);
const CUT_OFF_REASONS = new Set(["max_tokens", "model_context_window_exceeded", PAUSE_REASON]);
/** Failed at the provider, not because of the model's input. */
const FAILED_SEARCHES: Readonly<Record<string, FailureKind>> = {
  unavailable: "unavailable",
  too_many_requests: "rate_limited",
};
const UNEXPLAINED_REFUSAL = "The model refused to answer, and gave no reason.";

export function readTurn(rawBody: string): ModelTurn {
  return { rawBody, body: readBody(rawBody, MessageBody), content: readBody(rawBody, SentContentSchema).content };
}

export function isPaused(turns: readonly ModelTurn[]): boolean {
  return turns.at(-1)?.body.stop_reason === PAUSE_REASON;
}

/** Each turn is billed separately. */
export function sumUsage(turns: readonly ModelTurn[]): TokenUsage {
  const used = { input: 0, output: 0, searches: 0 };
  for (const { body } of turns) {
    const { usage, content } = body;
    const cached = (usage.cache_creation_input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0);
    used.input += usage.input_tokens + cached;
    used.output += usage.output_tokens;
    used.searches += usage.server_tool_use?.web_search_requests ?? content.filter(hasPages).length;
  }
  return used;
}

export function readTurns(
  turns: readonly [...ModelTurn[], ModelTurn],
  prices: TokenPrices | undefined,
): CapturedAnswer {
  const last = turns.at(-1) ?? turns[0];
  const used = sumUsage(turns);
  const costUsd = prices ? tokenCost(used, prices) : null;
  const rawBody = joinRawBodies(turns);
  const blocks = turns.flatMap(({ body }) => body.content);
  const isRefusal = last.body.stop_reason === "refusal";
  requireFinished(last.body.stop_reason, blocks, { rawBody, costUsd: costUsd ?? 0 });
  const { text, citations } = readText(blocks);
  return {
    text: isRefusal && text === "" ? (last.body.stop_details?.explanation ?? UNEXPLAINED_REFUSAL) : text,
    citations,
    results: [],
    ...findSearches(blocks),
    ...(isRefusal ? { isRefusal } : {}),
    rawBody,
    model: last.body.model ?? null,
    costUsd,
    tokens: used.input + used.output,
  };
}

function joinRawBodies(turns: readonly ModelTurn[]): string {
  const [first = "", ...more] = turns.map(({ rawBody }) => rawBody);
  return more.length === 0 ? first : `[${[first, ...more].join(",")}]`;
}

function requireFinished(
  stop: string,
  blocks: readonly ContentBlock[],
  kept: { rawBody: string; costUsd: number },
): void {
  if (CUT_OFF_REASONS.has(stop)) throw new ProviderError("cut_off", kept);
  if (stop === "refusal") return;
  if (!COMPLETE_REASONS.has(stop)) throw new ProviderError("malformed", kept);
  const found = blocks.flatMap((block) => (block.type === "web_search_tool_result" ? [block.content] : []));
  const failure = found.map((content) => (typeof content === "string" ? FAILED_SEARCHES[content] : undefined));
  const kind = failure.find((one) => one !== undefined);
  // People would not receive an answer without its searches.
  if (kind && !blocks.some(hasPages)) {
    throw new ProviderError(kind, { ...kept, message: "The provider's web search failed." });
  }
}

/** An empty line follows a search. A citation applies to its part. */
function readText(blocks: readonly ContentBlock[]): { text: string; citations: CapturedCitation[] } {
  let text = "";
  let follows = true;
  const citations: CapturedCitation[] = [];
  for (const block of blocks) {
    if (block.type === "text") {
      if (!follows && text !== "") text += "\n\n";
      const span = { start: text.length, end: text.length + block.text.length };
      text += block.text;
      for (const cited of block.citations ?? []) {
        if (cited) citations.push({ ...toPage(cited), position: citations.length + 1, spans: [span] });
      }
    }
    follows = block.type === "text";
  }
  return { text, citations };
}

function findSearches(blocks: readonly ContentBlock[]) {
  const queries = blocks.flatMap((block) =>
    block.type === "server_tool_use" && block.name === SEARCH_TOOL_NAME ? (block.input.query ?? []) : [],
  );
  const pages = blocks.flatMap((block) =>
    block.type === "web_search_tool_result" && typeof block.content !== "string" ? block.content : [],
  );
  const found = [...new Map(pages.map((page) => [page.url, toPage(page)])).values()];
  return { queries, retrieved: found.map((page, index) => ({ ...page, position: index + 1 })) };
}

function hasPages(block: ContentBlock): boolean {
  return block.type === "web_search_tool_result" && typeof block.content !== "string";
}

function otherThan(types: readonly string[]) {
  return z.looseObject({ type: z.string().refine((type) => !types.includes(type)) });
}
