import { z } from "zod";
import { optionalText } from "../../../config/setting-fields.ts";
import { openGuard, type Guard } from "../../guard.ts";
import { resolveCitations, readGemini, type GeminiAnswer } from "../bodies/gemini-body.ts";
import { resolvePages } from "../grounding-redirects.ts";
import { checkModel, httpProvider } from "../http-provider.ts";
import { instructionsFor } from "../instructions.ts";
import type { Question } from "../provider.ts";
import { ProviderError, type FailureKind } from "../provider-error.ts";
import { computePrice, tokenCost, tokenPricesSetting, type PriceLists, type TokenPrices } from "../token-prices.ts";

/** https://ai.google.dev/gemini-api/docs/pricing, without the free monthly searches. */
export const GEMINI_PRICES: PriceLists = {
  "gemini-3.8-flash": [
    { as_of: "2026-10-07", input_per_million: 0.75, output_per_million: 3.75, per_search: 0.014 },
    { as_of: "2027-01-01", input_per_million: 1.5, output_per_million: 7.5, per_search: 0.014 },
  ],
  "gemini-3.5-flash": [{ as_of: "2026-10-07", input_per_million: 1.5, output_per_million: 9, per_search: 0.014 }],
  "gemini-3.5-flash-lite": [
    { as_of: "2026-10-07", input_per_million: 0.3, output_per_million: 2.5, per_search: 0.014 },
  ],
};

const EXPECTED_USAGE = { input: 300, output: 1500, searches: 2 };
/** Assumed, because the API bounds neither; recorded are 308 tokens and 2 searches. */
const MAX_INPUT_TOKENS = 50_000;
const MAX_SEARCHES = 10;

/** Billed once per prompt with searches, not per search. */
const BILLED_BY_PROMPT_PATTERN = /^gemini-[12]\b/;
const DAILY_QUOTA_PATTERN = /"quotaId":\s*"[^"]*PerDay/;
const MAX_REDIRECT_MS = 5000;

export function createGoogleProvider({
  guard = openGuard(),
  redirectMs = MAX_REDIRECT_MS,
}: { guard?: Guard; redirectMs?: number } = {}) {
  return httpProvider({
    name: "google",
    title: "the Google Gemini API",
    serves: { ASSISTANT_D: "api" },
    prefix: "GEMINI",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    timeoutSeconds: 180,
    settings: {
      GEMINI_API_KEY: optionalText("Google Gemini API key for ASSISTANT_D. Without a key ASSISTANT_D is simulated."),
      GEMINI_MODEL: z.string().min(1).default("gemini-3.8-flash").describe("Model that answers the prompts."),
      GEMINI_MAX_OUTPUT_TOKENS: z.coerce
        .number()
        .int()
        .min(1)
        .default(16_000)
        .describe("Maximum tokens of one answer, including thinking tokens."),
      GEMINI_PRICES: tokenPricesSetting("GEMINI_MODEL", GEMINI_PRICES),
    },
    needs: ["GEMINI_API_KEY"],
    costNeeds: "GEMINI_PRICES",
    listPrices: GEMINI_PRICES,
    headers: ({ GEMINI_API_KEY }) => ({ "x-goog-api-key": GEMINI_API_KEY }),
    classifyFailure,
    model: ({ GEMINI_MODEL }) => GEMINI_MODEL,
    price: (settings, { prices }) =>
      computePrice(prices, {
        expectedUsage: EXPECTED_USAGE,
        maxUsage: { input: MAX_INPUT_TOKENS, output: settings.GEMINI_MAX_OUTPUT_TOKENS, searches: MAX_SEARCHES },
      }),
    recordedOn: "2026-08-21",
    async ask(question, { settings, call, prices, signal }) {
      const model = encodeURIComponent(settings.GEMINI_MODEL);
      const { text: rawBody } = await call(`/models/${model}:generateContent`, {
        json: buildRequestBody(settings, question),
      });
      const read = readGemini(rawBody);
      const costUsd = computeCost(read, settings.GEMINI_MODEL, prices);
      if (read.failure) throw new ProviderError(read.failure, { rawBody, costUsd: costUsd ?? 0 });
      const addressOf = await resolvePages(read.pages, { guard, timeoutMs: redirectMs, signal });
      return {
        text: read.text,
        ...resolveCitations(read, addressOf),
        results: [],
        queries: read.queries,
        ...(read.isRefusal ? { isRefusal: true as const } : {}),
        rawBody,
        model: read.model,
        costUsd,
        tokens: read.usage ? read.usage.input + read.usage.output : 0,
      };
    },
    check: checkModel(({ GEMINI_MODEL }) => GEMINI_MODEL),
  });
}

export const geminiProvider = createGoogleProvider();

interface GoogleSettings {
  GEMINI_MODEL: string;
  GEMINI_MAX_OUTPUT_TOKENS: number;
}

/** The API reports a wrong key as status 400, and a daily quota with a wait of seconds. */
function classifyFailure({ status, text }: { status: number; text: string }): FailureKind | undefined {
  if (status === 400 && text.includes('"API_KEY_INVALID"')) return "unauthorized";
  return status === 429 && DAILY_QUOTA_PATTERN.test(text) ? "out_of_quota" : undefined;
}

/** The API accepts a location only as coordinates for other tools, so instructions name it. */
function buildRequestBody(settings: GoogleSettings, question: Question) {
  return {
    systemInstruction: { parts: [{ text: instructionsFor(question) }] },
    contents: [{ role: "user", parts: [{ text: question.prompt }] }],
    tools: [{ googleSearch: {} }],
    generationConfig: { maxOutputTokens: settings.GEMINI_MAX_OUTPUT_TOKENS },
  };
}

function computeCost({ usage, model }: GeminiAnswer, asked: string, prices: TokenPrices | undefined): number | null {
  const isByPrompt = BILLED_BY_PROMPT_PATTERN.test(model ?? asked);
  if (!prices || !usage) return null;
  return tokenCost({ ...usage, searches: isByPrompt ? Math.min(usage.searches, 1) : usage.searches }, prices);
}
