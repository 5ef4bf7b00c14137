import type { Source } from "../../../core/sources/sources.ts";
import { GARBLED, PAGES, textFor, type ProviderReply, type Wire } from "../wire.ts";

const MICROS = 10_000;
const ENGINES: Readonly<Record<string, Source>> = {
  google: "SEARCH_B",
  bing_copilot: "SEARCH_A_AIO",
  google_ai_mode: "SEARCH_B_AI_MODE",
};

function searched(body: object): ProviderReply {
  return { body: { search_metadata: { id: "6a", status: "Success" }, ...body }, micros: MICROS };
}

function failed(status: number, error: string): ProviderReply {
  return { status, body: { error } };
}

/** SerpApi: a search is a GET, and its rejections name no wait. */
export const serpapi: Wire = {
  name: "serpapi",
  prefix: "SERPAPI",
  sources: ["SEARCH_B", "SEARCH_A_AIO", "SEARCH_B_AI_MODE"],
  base: "/serpapi",
  env: {
    SERPAPI_API_KEY: "key-0",
    SERPAPI_USD_PER_SEARCH: String(MICROS / 1_000_000),
    SOURCE_SEARCH_A_AIO: "serpapi",
    SOURCE_SEARCH_B: "serpapi",
    SOURCE_SEARCH_B_AI_MODE: "serpapi",
  },
  read({ path, query }) {
    const source = ENGINES[query.get("engine") ?? ""];
    return path === "/search.json" && source ? { source, prompt: query.get("q") ?? "" } : undefined;
  },
  answer(question) {
    if (question.source === "SEARCH_B") {
      const organic_results = PAGES.map((link, at) => ({
        position: at + 1,
        link,
        title: question.prompt,
        snippet: textFor(question),
      }));
      return searched({ organic_results });
    }
    return searched({
      header: "Phones",
      text_blocks: [{ type: "paragraph", snippet: textFor(question), reference_indexes: [0, 1] }],
      references: PAGES.map((link, index) => ({ index, link, title: "A page", source: "web" })),
    });
  },
  says: {
    limited: () => failed(429, "You are exceeding your hourly throughput."),
    quota: () => failed(429, "Your account has run out of searches."),
    down: () => failed(503, "Service unavailable."),
    error: () => ({ body: { search_metadata: { id: "6a", status: "Error" }, error: "…" } }),
    garbled: () => ({ body: GARBLED, micros: MICROS }),
    refusal: () => searched({ error: "There are no results here." }),
    rejected: () => failed(400, "Invalid parameter."),
  },
  ends: { refusal: "not_shown" },
};
