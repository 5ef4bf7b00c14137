import { z } from "zod";
import { optionalText } from "../../../config/setting-fields.ts";
import { httpProvider } from "../http-provider.ts";
import type { FailureKind } from "../provider-error.ts";
import { readBody } from "../bodies/read-body.ts";
import { ENGINES } from "../serpapi/engines.ts";
import { createSearches } from "../serpapi/searches.ts";

const AccountSchema = z.object({
  total_searches_left: z.number(),
  account_rate_limit_per_hour: z.number().nullish(),
});

export const serpapiProvider = httpProvider({
  name: "serpapi",
  title: "SerpApi",
  serves: {
    SEARCH_A: "serp_provider",
    SEARCH_B: "serp_provider",
    SEARCH_B_AIO: "serp_provider",
    SEARCH_B_AI_MODE: "serp_provider",
  },
  // Copilot Search accepts neither country nor language.
  mayServe: { SEARCH_A_AIO: "serp_provider" },
  prefix: "SERPAPI",
  baseUrl: "https://serpapi.com",
  timeoutSeconds: 120,
  settings: {
    SERPAPI_API_KEY: optionalText("SerpApi key, for search engines."),
    SERPAPI_USD_PER_SEARCH: z.coerce
      .number()
      .min(0)
      .optional()
      .describe("Price of one search in your SerpApi plan, in US dollars. Without it costs are unknown."),
    SERPAPI_PAGES: z.coerce
      .number()
      .int()
      .min(1)
      .max(10)
      .default(1)
      .describe("Result pages to fetch for each prompt to SEARCH_A and SEARCH_B. Each page is billed as a search."),
  },
  needs: ["SERPAPI_API_KEY"],
  costNeeds: "SERPAPI_USD_PER_SEARCH",
  headers: () => ({}),
  query: ({ SERPAPI_API_KEY }) => ({ api_key: SERPAPI_API_KEY }),
  classifyFailure,
  price({ SERPAPI_USD_PER_SEARCH, SERPAPI_PAGES }, { source }) {
    const searches = ENGINES[source]?.maxSearches(SERPAPI_PAGES) ?? 0;
    const usd = SERPAPI_USD_PER_SEARCH === undefined ? null : SERPAPI_USD_PER_SEARCH * searches;
    return { expectedUsd: usd, maxUsd: usd };
  },
  recordedOn: "2026-09-27",
  async ask(question, { settings, call }) {
    const engine = ENGINES[question.source];
    if (!engine) throw new Error(`serpapi does not serve ${question.source}`);
    const { search, billedSoFar } = createSearches(call, settings.SERPAPI_USD_PER_SEARCH);
    const read = await engine.read(question, search, settings.SERPAPI_PAGES);
    return { ...read, ...billedSoFar(), model: null, tokens: 0 };
  },
  async check({ call }) {
    const { text } = await call("/account.json");
    const { total_searches_left: left, account_rate_limit_per_hour: hourly } = readBody(text, AccountSchema);
    return [`${left} searches are left`, ...(hourly == null ? [] : [`at most ${hourly} searches an hour`])];
  },
});

/** A 429 means too many searches per hour, or none left. */
function classifyFailure({ status, text }: { status: number; text: string }): FailureKind | undefined {
  if (status === 429 && /run out of searches|searches for the month/iu.test(text)) return "out_of_quota";
  return status === 400 && /unsupported/iu.test(text) ? "unsupported" : undefined;
}
