import { z } from "zod";
import { optionalText } from "../../../config/setting-fields.ts";
import { checkModel, httpProvider, type HttpContext } from "../http-provider.ts";
import { instructionsFor } from "../instructions.ts";
import { isPaused, readTurn, readTurns, sumUsage, type ModelTurn } from "../bodies/messages-body.ts";
import type { CapturedAnswer, Question } from "../provider.ts";
import { ProviderError, type FailureKind } from "../provider-error.ts";
import { computePrice, tokenCost, tokenPricesSetting, type PriceLists, type TokenPrices } from "../token-prices.ts";

/** https://platform.claude.com/docs/en/about-claude/pricing */
const PRICE_LISTS: PriceLists = {
  "claude-sonnet-5-5": [listed({ input: 2, output: 10 })],
  "claude-opus-5-5": [listed({ input: 4, output: 20 })],
  "claude-sonnet-5": [listed({ input: 2, output: 10 })],
  "claude-haiku-4-5": [listed({ input: 1, output: 5 })],
};

function listed({ input, output }: { input: number; output: number }) {
  return { as_of: "2026-10-01", input_per_million: input, output_per_million: output, per_search: 0.01 };
}

/** Includes continuations after pauses. */
const MAX_TURNS = 3;
const EXPECTED_USAGE = { input: 25_000, output: 1500, searches: 2 };
/** Recorded values are 3,000 and 6,500. */
const MAX_QUESTION_TOKENS = 5000;
const MAX_SEARCH_TOKENS = 10_000;

/** The API reports missing credit as an invalid request. */
const OUT_OF_CREDIT_PATTERN = /credit balance is too low|reached your specified API usage limits/;

export const anthropicProvider = httpProvider({
  name: "anthropic",
  title: "the Anthropic Messages API",
  serves: { ASSISTANT_C: "api" },
  prefix: "ANTHROPIC",
  baseUrl: "https://api.anthropic.com/v1",
  timeoutSeconds: 300,
  settings: {
    ANTHROPIC_API_KEY: optionalText("Anthropic API key for ASSISTANT_C. Without a key ASSISTANT_C is simulated."),
    ANTHROPIC_MODEL: z.string().min(1).default("claude-sonnet-5-5").describe("Model that answers the prompts."),
    ANTHROPIC_MAX_OUTPUT_TOKENS: z.coerce
      .number()
      .int()
      .min(1)
      .default(16_000)
      .describe("Maximum tokens of one answer, including thinking tokens."),
    ANTHROPIC_MAX_SEARCHES: z.coerce
      .number()
      .int()
      .min(1)
      .max(20)
      .default(5)
      .describe("Maximum searches for one answer."),
    ANTHROPIC_PRICES: tokenPricesSetting("ANTHROPIC_MODEL", PRICE_LISTS),
  },
  needs: ["ANTHROPIC_API_KEY"],
  costNeeds: "ANTHROPIC_PRICES",
  listPrices: PRICE_LISTS,
  headers: ({ ANTHROPIC_API_KEY }) => ({ "x-api-key": ANTHROPIC_API_KEY, "anthropic-version": "2023-06-01" }),
  classifyFailure: ({ status, text }): FailureKind | undefined =>
    status === 400 && OUT_OF_CREDIT_PATTERN.test(text) ? "out_of_quota" : undefined,
  model: ({ ANTHROPIC_MODEL }) => ANTHROPIC_MODEL,
  price(settings, { prices }) {
    // The last turns may each exceed the remaining searches by one.
    const searches = settings.ANTHROPIC_MAX_SEARCHES + MAX_TURNS - 1;
    const maxUsage = { input: computeMaxInputTokens(searches), output: settings.ANTHROPIC_MAX_OUTPUT_TOKENS, searches };
    return computePrice(prices, { expectedUsage: EXPECTED_USAGE, maxUsage });
  },
  recordedOn: "2026-08-21",
  ask: (question, context) => continueTurns([], question, context),
  check: checkModel(({ ANTHROPIC_MODEL }) => ANTHROPIC_MODEL),
});

interface AnthropicSettings {
  ANTHROPIC_MODEL: string;
  ANTHROPIC_MAX_OUTPUT_TOKENS: number;
  ANTHROPIC_MAX_SEARCHES: number;
}

async function continueTurns(
  earlier: readonly ModelTurn[],
  question: Question,
  context: HttpContext<AnthropicSettings>,
): Promise<CapturedAnswer> {
  const { settings, call, prices } = context;
  let turns: [...ModelTurn[], ModelTurn];
  try {
    const { text } = await call("/messages", { json: buildRequestBody(settings, question, earlier) });
    turns = [...earlier, readTurn(text)];
  } catch (error) {
    throw addBilledCost(error, earlier, prices);
  }
  const hasRoom = sumUsage(turns).output < settings.ANTHROPIC_MAX_OUTPUT_TOKENS && turns.length < MAX_TURNS;
  return hasRoom && isPaused(turns) ? continueTurns(turns, question, context) : readTurns(turns, prices);
}

function addBilledCost(error: unknown, turns: readonly ModelTurn[], prices: TokenPrices | undefined): unknown {
  if (!(error instanceof ProviderError) || turns.length === 0) return error;
  const { kind, message, retryAfterMs, rawBody } = error;
  const costUsd = prices && tokenCost(sumUsage(turns), prices);
  return new ProviderError(kind, { message, retryAfterMs, rawBody, costUsd, cause: error });
}

function buildRequestBody(
  settings: AnthropicSettings,
  { prompt, persona, country, language }: Question,
  turns: readonly ModelTurn[],
) {
  const used = sumUsage(turns);
  const searchesLeft = Math.max(1, settings.ANTHROPIC_MAX_SEARCHES - used.searches);
  const content = turns.flatMap((turn) => turn.content);
  return {
    model: settings.ANTHROPIC_MODEL,
    max_tokens: settings.ANTHROPIC_MAX_OUTPUT_TOKENS - used.output,
    system: instructionsFor({ persona, language }),
    messages: [{ role: "user", content: prompt }, ...(content.length === 0 ? [] : [{ role: "assistant", content }])],
    // Later versions of this tool filter pages by code, which removes citations from answers.
    tools: [
      {
        type: "web_search_20250305",
        name: "web_search",
        max_uses: searchesLeft,
        user_location: { type: "approximate", country },
      },
    ],
  };
}

/** All results are re-read after each search. */
function computeMaxInputTokens(searches: number): number {
  return (searches + 1) * MAX_QUESTION_TOKENS + ((searches * (searches + 1)) / 2) * MAX_SEARCH_TOKENS;
}
