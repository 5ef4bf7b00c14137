import { z } from "zod";
import { optionalText } from "../../../config/setting-fields.ts";
import { httpProvider } from "../http-provider.ts";
import { instructionsFor } from "../instructions.ts";
import { ProviderError } from "../provider-error.ts";
import { readBody } from "../bodies/read-body.ts";
import { readResponses } from "../bodies/responses-body.ts";
import { tokenPricesSetting, unboundedPrice, type PriceLists } from "../token-prices.ts";

/** https://api-docs.deepseek.com/quick_start/pricing at peak hours, without cache. */
const PRICE_LISTS: PriceLists = {
  "deepseek-flash": [{ as_of: "2026-11-01", input_per_million: 0.3, output_per_million: 1.2, per_search: 0.00075 }],
};
const EXPECTED_USAGE = { input: 20_000, output: 900, searches: 2 };

const BalanceSchema = z.object({
  is_available: z.boolean(),
  balance_infos: z.array(z.looseObject({ currency: z.string(), total_balance: z.string() })),
});

export const deepseekProvider = httpProvider({
  name: "deepseek",
  title: "DeepSeek Responses",
  serves: {},
  mayServe: { ASSISTANT_B: "api", ASSISTANT_C: "api", ASSISTANT_D: "api" },
  prefix: "DEEPSEEK",
  baseUrl: "https://api.deepseek.com",
  timeoutSeconds: 180,
  settings: {
    DEEPSEEK_API_KEY: optionalText("DeepSeek API key. To use it for a source, set SOURCE_…=deepseek."),
    DEEPSEEK_MODEL: z.string().min(1).default("deepseek-flash").describe("Model that answers the prompts."),
    DEEPSEEK_SEARCH_TOOL: z
      .enum(["web_search", "deepseek_web_search", "none"])
      .default("web_search")
      .describe("Type of the search tool that the model can call, or none."),
    DEEPSEEK_PRICES: tokenPricesSetting("DEEPSEEK_MODEL", PRICE_LISTS),
  },
  needs: ["DEEPSEEK_API_KEY"],
  costNeeds: "DEEPSEEK_PRICES",
  listPrices: PRICE_LISTS,
  headers: ({ DEEPSEEK_API_KEY }) => ({ authorization: `Bearer ${DEEPSEEK_API_KEY}` }),
  model: ({ DEEPSEEK_MODEL }) => DEEPSEEK_MODEL,
  price: (_, { prices }) => unboundedPrice(prices, EXPECTED_USAGE),
  recordedOn: "2026-08-15",
  async ask(question, { settings, call, prices }) {
    const { DEEPSEEK_SEARCH_TOOL: type } = settings;
    const { text } = await call("/responses", {
      json: {
        model: settings.DEEPSEEK_MODEL,
        input: question.prompt,
        instructions: instructionsFor(question),
        ...(type === "none" ? {} : { tools: [{ type }] }),
        store: false,
      },
    });
    // The API has no annotations and cites by links in the text.
    return readResponses(text, { prices, citesByLinks: true });
  },
  async check({ call }) {
    const { is_available: isAvailable, balance_infos: balances } = readBody(
      (await call("/user/balance")).text,
      BalanceSchema,
    );
    if (!isAvailable) throw new ProviderError("out_of_quota");
    return balances.map(({ currency, total_balance: left }) => `${left} ${currency} left.`);
  },
});
