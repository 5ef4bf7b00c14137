import { z } from "zod";
import { type Source, isResultPageSource } from "../../../../core/sources/sources.ts";
import { groupCitations, listLinkedPages } from "../bodies/cited-pages.ts";
import type { CapturedAnswer, Price } from "../provider.ts";
import { listElements, readPart } from "./elements.ts";
import { readAiMode, readOverview, readResults } from "./page.ts";

const Source = z.object({ url: z.string(), title: z.string().nullish() });
const ScrapedAnswerSchema = z.object({
  model: z.string().nullish(),
  markdown: z.string().nullish(),
  sources: z.array(Source).nullish(),
  search_results: z.array(Source).nullish(),
  fan_out_queries: z.array(z.string()).nullish(),
  items: z.array(z.looseObject({ type: z.string() })).nullish(),
});
const ProductSchema = z.object({
  title: z.string(),
  url: z.string().nullish(),
  price: z.number().nullish(),
  currency: z.string().nullish(),
});

type CaptureContent = Pick<
  CapturedAnswer,
  "text" | "citations" | "results" | "retrieved" | "queries" | "products" | "model"
>;

function readCapture(captured: unknown, rawBody: string): CaptureContent {
  const { model, markdown, sources, search_results, fan_out_queries, items } = readPart(
    captured,
    ScrapedAnswerSchema,
    rawBody,
  );
  const text = markdown ?? "";
  const products = listElements(items)
    .filter(({ type }) => type === "chat_gpt_products_element")
    .map((element) => readPart(element, ProductSchema, rawBody));
  return {
    text,
    citations: groupCitations([...(sources ?? []), ...listLinkedPages(text)]),
    results: [],
    retrieved: groupCitations(search_results ?? []),
    queries: fan_out_queries ?? [],
    ...(products.length > 0 && { products: products.map(toProduct) }),
    model: model ?? null,
  };
}

function toProduct({ title, url, price, currency }: z.output<typeof ProductSchema>, index: number) {
  return {
    position: index + 1,
    title,
    ...(url == null ? {} : { url }),
    ...(price == null ? {} : { price: [price, currency ?? []].flat().join(" ") }),
  };
}

export interface Surface {
  path: string;
  taskListPath: "/serp/id_list" | "/ai_optimization/id_list";
  /** Normal priority, one page. Dated in docs/providers/dataforseo.md. */
  usd: number;
  maxPromptLength: number;
  readResult: (
    result: unknown,
    rawBody: string,
  ) => Partial<CapturedAnswer> & Pick<CapturedAnswer, "text" | "citations" | "results">;
  asked?: object;
}

const SERP_DEFAULTS = { taskListPath: "/serp/id_list", maxPromptLength: 700 } as const;
const CAPTURE_DEFAULTS = {
  taskListPath: "/ai_optimization/id_list",
  maxPromptLength: 2000,
  usd: 0.0012,
  readResult: readCapture,
} as const;
const ORGANIC_USD = 0.0006;
/** Surcharge for an overview that loads later; refunded without one. */
const LATE_OVERVIEW_USD = 0.0006;
/** Applies to a prompt with a search operator, such as `site:`. */
const OPERATOR_FACTOR = 5;
/** Relative to the first page. */
const NEXT_PAGE_SHARE = 0.75;

const GOOGLE_ORGANIC = { ...SERP_DEFAULTS, path: "/serp/google/organic", usd: ORGANIC_USD };
const BING_ORGANIC = { ...SERP_DEFAULTS, path: "/serp/bing/organic", usd: ORGANIC_USD };
const SURFACES_BY_SOURCE: Partial<Record<Source, Surface>> = {
  SEARCH_A: { ...BING_ORGANIC, readResult: readResults },
  SEARCH_A_AIO: { ...BING_ORGANIC, readResult: readOverview },
  SEARCH_B: { ...GOOGLE_ORGANIC, readResult: readResults },
  SEARCH_B_AIO: { ...GOOGLE_ORGANIC, readResult: readOverview, asked: { load_async_ai_overview: true } },
  SEARCH_B_AI_MODE: { ...SERP_DEFAULTS, path: "/serp/google/ai_mode", usd: 0.0012, readResult: readAiMode },
  ASSISTANT_A: {
    ...CAPTURE_DEFAULTS,
    path: "/ai_optimization/chat_gpt/llm_scraper",
    asked: { force_web_search: true },
  },
  ASSISTANT_D: { ...CAPTURE_DEFAULTS, path: "/ai_optimization/gemini/llm_scraper" },
};

export function getSurface(source: Source): Surface {
  const surface = SURFACES_BY_SOURCE[source];
  if (!surface) throw new Error(`dataforseo does not serve ${source}`);
  return surface;
}

export function isSearchPage({ taskListPath }: Surface): boolean {
  return taskListPath === "/serp/id_list";
}

export function computePrice(source: Source, pages: number): Price {
  const { usd, path } = getSurface(source);
  const read = usd * (isResultPageSource(source) ? 1 + NEXT_PAGE_SHARE * (pages - 1) : 1);
  const later = source === "SEARCH_B_AIO" ? LATE_OVERVIEW_USD : 0;
  return { expectedUsd: read + later, maxUsd: read * (path.endsWith("/organic") ? OPERATOR_FACTOR : 1) + later };
}
