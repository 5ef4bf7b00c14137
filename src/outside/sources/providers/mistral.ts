import { z } from "zod";
import { optionalText } from "../../../config/setting-fields.ts";
import { getFailureKindByStatus } from "../../../../core/sources/provider-failures.ts";
import type { CapturedCitation } from "../../../../core/reading/capture.ts";
import { decodeJson } from "../../decode-json.ts";
import { checkModel, httpProvider } from "../http-provider.ts";
import { instructionsFor } from "../instructions.ts";
import type { CapturedAnswer } from "../provider.ts";
import { ProviderError } from "../provider-error.ts";
import { toPage } from "../bodies/cited-pages.ts";
import { readBody } from "../bodies/read-body.ts";
import { tokenCost, tokenPricesSetting, unboundedPrice, type TokenPrices } from "../token-prices.ts";

/** From a published answer whose search read 3,900 of the input tokens. */
const EXPECTED_USAGE = { input: 4100, output: 200, searches: 1 };

const ContentChunkSchema = z.looseObject({
  type: z.string(),
  text: z.string().nullish(),
  title: z.string().nullish(),
  url: z.string().nullish(),
});
const OutputEntrySchema = z.looseObject({
  type: z.string(),
  name: z.string().nullish(),
  arguments: z.string().nullish(),
  content: z.union([z.string(), z.array(ContentChunkSchema)]).nullish(),
  model: z.string().nullish(),
});
const ConversationBody = z.object({
  outputs: z.array(OutputEntrySchema),
  usage: z
    .looseObject({
      prompt_tokens: z.number().nullish(),
      completion_tokens: z.number().nullish(),
      total_tokens: z.number().nullish(),
      connector_tokens: z.number().nullish(),
      connectors: z.record(z.string(), z.number()).nullish(),
    })
    .nullish(),
});
type ConversationBody = z.output<typeof ConversationBody>;
/** Status 200 can carry this error; its code is an HTTP status. */
const ErrorReplySchema = z.object({ type: z.literal("conversation.response.error"), code: z.number() });
const SearchArgumentsSchema = z.union([z.object({ query: z.string() }), z.object({ url: z.string() })]);

export const mistralProvider = httpProvider({
  name: "mistral",
  title: "Mistral Conversations",
  serves: {},
  mayServe: { ASSISTANT_B: "api", ASSISTANT_C: "api", ASSISTANT_D: "api" },
  prefix: "MISTRAL",
  baseUrl: "https://api.mistral.ai/v1",
  timeoutSeconds: 180,
  settings: {
    MISTRAL_API_KEY: optionalText("Mistral API key. To use it for a source, set SOURCE_…=mistral."),
    MISTRAL_MODEL: z.string().min(1).default("mistral-medium-latest").describe("Model that answers the prompts."),
    MISTRAL_PRICES: tokenPricesSetting("MISTRAL_MODEL"),
  },
  needs: ["MISTRAL_API_KEY"],
  costNeeds: "MISTRAL_PRICES",
  headers: ({ MISTRAL_API_KEY }) => ({ authorization: `Bearer ${MISTRAL_API_KEY}` }),
  model: ({ MISTRAL_MODEL }) => MISTRAL_MODEL,
  price: (_, { prices }) => unboundedPrice(prices, EXPECTED_USAGE),
  recordedOn: "2026-07-15",
  async ask(question, { settings, call, prices }) {
    const { text } = await call("/conversations", {
      json: {
        model: settings.MISTRAL_MODEL,
        inputs: question.prompt,
        instructions: instructionsFor(question),
        tools: [{ type: "web_search" }],
        store: false,
      },
    });
    return readConversation(text, prices);
  },
  check: checkModel(({ MISTRAL_MODEL }) => MISTRAL_MODEL),
});

function readConversation(rawBody: string, prices: TokenPrices | undefined): CapturedAnswer {
  const errorReply = ErrorReplySchema.safeParse(decodeJson(rawBody)).data;
  if (errorReply) throw new ProviderError(getFailureKindByStatus(errorReply.code), { rawBody });
  const { outputs, usage } = readBody(rawBody, ConversationBody);
  const textParts = extractTextAndCitations(outputs);
  const { queries, pages } = findSearches(outputs, rawBody);
  return {
    ...textParts,
    results: [],
    queries,
    retrieved: pages.map((url, index) => ({ url, position: index + 1 })),
    rawBody,
    model: outputs.findLast(({ type, model }) => type === "message.output" && model != null)?.model ?? null,
    costUsd: prices && usage ? computeCost(usage, prices) : null,
    tokens: usage?.total_tokens ?? 0,
  };
}

/** References stand between text parts, each after the part that it supports. */
function extractTextAndCitations(outputs: ConversationBody["outputs"]): Pick<CapturedAnswer, "text" | "citations"> {
  let text = "";
  const citations: CapturedCitation[] = [];
  for (const { type, content } of outputs) {
    if (type !== "message.output" || content == null) continue;
    let gap = text === "" ? "" : "\n\n";
    let span: { start: number; end: number } | undefined;
    for (const chunk of typeof content === "string" ? [{ type: "text", text: content }] : content) {
      if (chunk.type === "text" && chunk.text != null && chunk.text !== "") {
        const start = text.length + gap.length;
        text += gap + chunk.text;
        span = { start, end: text.length };
        gap = "";
      }
      if (chunk.type !== "tool_reference" || !("url" in chunk) || chunk.url == null) continue;
      const page = toPage({ url: chunk.url, title: chunk.title });
      citations.push({ position: citations.length + 1, ...page, ...(span && { spans: [span] }) });
    }
  }
  return { text, citations };
}

/** A search reports its query as JSON or as plain text. */
function findSearches(outputs: ConversationBody["outputs"], rawBody: string): { queries: string[]; pages: string[] } {
  const queries: string[] = [];
  const pages: string[] = [];
  for (const { type, name, arguments: text } of outputs) {
    if (type !== "tool.execution" || !name?.startsWith("web_search") || text == null) continue;
    const json = decodeJson(text);
    if (typeof json !== "object" || json === null) {
      queries.push(text);
      continue;
    }
    const called = SearchArgumentsSchema.safeParse(json);
    if (!called.success) throw new ProviderError("malformed", { rawBody, cause: called.error });
    if ("query" in called.data) queries.push(called.data.query);
    else pages.push(called.data.url);
  }
  return { queries, pages };
}

/** Tokens that the search feeds into the model count as input. */
function computeCost(usage: NonNullable<ConversationBody["usage"]>, prices: TokenPrices): number | null {
  if (usage.prompt_tokens == null || usage.completion_tokens == null) return null;
  const searches = Object.entries(usage.connectors ?? {})
    .filter(([name]) => name.startsWith("web_search"))
    .reduce((sum, [, calls]) => sum + calls, 0);
  const input = usage.prompt_tokens + (usage.connector_tokens ?? 0);
  return tokenCost({ input, output: usage.completion_tokens, searches }, prices);
}
