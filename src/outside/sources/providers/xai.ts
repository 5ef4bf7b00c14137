import { z } from "zod";
import { optionalText } from "../../../config/setting-fields.ts";
import { checkModel, httpProvider } from "../http-provider.ts";
import { instructionsFor } from "../instructions.ts";
import { readResponses } from "../bodies/responses-body.ts";
import { tokenPricesSetting, unboundedPrice, type PriceLists } from "../token-prices.ts";

/** https://docs.x.ai/developers/pricing: prompts under 200,000 tokens. */
const PRICE_LISTS: PriceLists = {
  "grok-4.6": [{ as_of: "2026-08-12", input_per_million: 2, output_per_million: 6, per_search: 0.005 }],
  "grok-4.7": [{ as_of: "2026-09-21", input_per_million: 2, output_per_million: 6, per_search: 0.005 }],
};
/** From an answer recorded in 2026-08. */
const EXPECTED_USAGE = { input: 5200, output: 900, searches: 1 };

const UsageSchema = z.looseObject({ cost_in_usd_ticks: z.number().optional() });
const TICKS_PER_USD = 10_000_000_000;

export const xaiProvider = httpProvider({
  name: "xai",
  title: "xAI Responses",
  serves: {},
  mayServe: { ASSISTANT_B: "api", ASSISTANT_C: "api", ASSISTANT_D: "api" },
  prefix: "XAI",
  baseUrl: "https://api.x.ai/v1",
  timeoutSeconds: 180,
  settings: {
    XAI_API_KEY: optionalText("xAI API key. To use it for a source, set SOURCE_…=xai."),
    XAI_MODEL: z.string().min(1).default("grok-4.6").describe("Model that answers the prompts."),
    XAI_PRICES: tokenPricesSetting("XAI_MODEL", PRICE_LISTS),
  },
  needs: ["XAI_API_KEY"],
  listPrices: PRICE_LISTS,
  headers: ({ XAI_API_KEY }) => ({ authorization: `Bearer ${XAI_API_KEY}` }),
  model: ({ XAI_MODEL }) => XAI_MODEL,
  price: (_, { prices }) => unboundedPrice(prices, EXPECTED_USAGE),
  recordedOn: "2026-08",
  async ask(question, { settings, call, prices }) {
    const { text } = await call("/responses", {
      json: {
        model: settings.XAI_MODEL,
        // The API accepts no separate instructions.
        input: [
          { role: "system", content: instructionsFor(question) },
          { role: "user", content: question.prompt },
        ],
        tools: [{ type: "web_search" }],
        store: false,
      },
    });
    return readResponses(text, { prices, billedUsd: findBilledUsd });
  },
  check: checkModel(({ XAI_MODEL }) => XAI_MODEL),
});

function findBilledUsd(usage: object): number | undefined {
  const ticks = UsageSchema.safeParse(usage).data?.cost_in_usd_ticks;
  return ticks === undefined ? undefined : ticks / TICKS_PER_USD;
}
