import { z } from "zod";
import { optionalText } from "../../../config/setting-fields.ts";
import { httpProvider } from "../http-provider.ts";
import type { Question } from "../provider.ts";
import { ProviderError } from "../provider-error.ts";
import { readBody } from "../bodies/read-body.ts";
import { readResponses } from "../bodies/responses-body.ts";
import { computePrice, tokenPricesSetting, type PriceLists } from "../token-prices.ts";

/** https://docs.perplexity.ai/docs/getting-started/pricing. Answers report their own cost. */
const PRICE_LISTS: PriceLists = {
  "perplexity/sonar": [{ as_of: "2026-09-27", input_per_million: 0.25, output_per_million: 2.5, per_search: 0.005 }],
};

/** Each step has at most one search; ten steps are the API's max. */
const MAX_STEPS = 5;
const CONTEXT_TOKENS = 128_000;
const EXPECTED_USAGE = { input: 4000, output: 600, searches: 1 };

/** No response has this id, so a request for it fails because of the key or the id. */
const UNKNOWN_RESPONSE_ID = "resp_00000000-0000-4000-8000-000000000000";

const ModelsSchema = z.object({ data: z.array(z.looseObject({ id: z.string() })) });

export const perplexityProvider = httpProvider({
  name: "perplexity",
  title: "the Perplexity Agent API",
  serves: { ASSISTANT_B: "api" },
  prefix: "PERPLEXITY",
  baseUrl: "https://api.perplexity.ai/v1",
  timeoutSeconds: 120,
  settings: {
    PERPLEXITY_API_KEY: optionalText("Perplexity API key for ASSISTANT_B. Without a key ASSISTANT_B is simulated."),
    PERPLEXITY_MODEL: z
      .string()
      .min(1)
      .default("perplexity/sonar")
      .describe(
        "Model that answers the prompts. Models of other vendors are available too, but they are not what Perplexity shows.",
      ),
    PERPLEXITY_MAX_OUTPUT_TOKENS: z.coerce
      .number()
      .int()
      .min(1)
      .default(4096)
      .describe("Maximum tokens of one answer."),
    PERPLEXITY_PRICES: tokenPricesSetting("PERPLEXITY_MODEL", PRICE_LISTS),
  },
  needs: ["PERPLEXITY_API_KEY"],
  listPrices: PRICE_LISTS,
  headers: ({ PERPLEXITY_API_KEY }) => ({ authorization: `Bearer ${PERPLEXITY_API_KEY}` }),
  model: ({ PERPLEXITY_MODEL }) => PERPLEXITY_MODEL,
  price: (settings, { prices }) =>
    computePrice(prices, {
      expectedUsage: EXPECTED_USAGE,
      maxUsage: {
        input: MAX_STEPS * CONTEXT_TOKENS,
        output: MAX_STEPS * settings.PERPLEXITY_MAX_OUTPUT_TOKENS,
        searches: MAX_STEPS,
      },
    }),
  recordedOn: "2026-09-25",
  async ask(question, { settings, call, prices }) {
    const { text } = await call("/agent", { json: buildRequestBody(settings, question) });
    return readResponses(text, { prices });
  },
  async check({ settings, call }) {
    // The model list is public, so a request for a missing response verifies the key.
    const { text } = await call("/models");
    if (!readBody(text, ModelsSchema).data.some(({ id }) => id === settings.PERPLEXITY_MODEL)) {
      throw new ProviderError("rejected", { message: "Perplexity's list of models does not have PERPLEXITY_MODEL." });
    }
    await call(`/responses/${UNKNOWN_RESPONSE_ID}`).catch((error: unknown) => {
      if (!(error instanceof ProviderError) || error.kind !== "rejected") throw error;
    });
    return [];
  },
});

interface PerplexitySettings {
  PERPLEXITY_MODEL: string;
  PERPLEXITY_MAX_OUTPUT_TOKENS: number;
}

function buildRequestBody(settings: PerplexitySettings, { prompt, persona, country, language }: Question) {
  return {
    model: settings.PERPLEXITY_MODEL,
    input: prompt,
    ...(persona === null ? {} : { instructions: `Who asks: ${persona}` }),
    language_preference: language,
    max_output_tokens: settings.PERPLEXITY_MAX_OUTPUT_TOKENS,
    max_steps: MAX_STEPS,
    tools: [{ type: "web_search", user_location: { country } }],
    store: false,
  };
}
