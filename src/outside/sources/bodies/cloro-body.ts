import { z } from "zod";
import type { CapturedCitation, CapturedProduct } from "../../../../core/reading/capture.ts";
import type { Source } from "../../../../core/sources/sources.ts";
import { groupCitations } from "./cited-pages.ts";
import type { CapturedAnswer } from "../provider.ts";
import { ProviderError } from "../provider-error.ts";
import { parseMarkdownLinks } from "./text-links.ts";

const SourceRowSchema = z.looseObject({ url: z.string(), label: z.string().nullish() });
const ProductSchema = z.looseObject({
  title: z.string(),
  url: z.string().nullish(),
  price: z.string().nullish(),
  merchant: z.string().nullish(),
});
const QueriesField = z.array(z.string()).nullish();

const CapturedAnswerSchema = z.object({
  text: z.string().nullish(),
  markdown: z.string().nullish(),
  model: z.string().nullish(),
  sources: z.array(SourceRowSchema).nullish(),
  citationPills: z.array(SourceRowSchema).nullish(),
  searchQueries: QueriesField,
  search_model_queries: QueriesField,
});
/** Only ChatGPT's product cards are documented. */
const ShoppingSchema = z.object({
  shoppingCards: z.array(z.looseObject({ products: z.array(ProductSchema) })).nullish(),
  inlineProducts: z.array(z.looseObject({ product: ProductSchema })).nullish(),
});
/** Null without an overview. */
const ResultPageSchema = z.union([
  z.object({ aioverview: CapturedAnswerSchema }),
  z.object({ aioverview: z.null().optional(), organicResults: z.array(z.unknown()) }),
]);

/** Google's answers list shopping pages among their sources. */
const GOOGLE_PRODUCT_PATTERN = /^https:\/\/www\.google\.[a-z.]+\/search\?.*(?:prds=|ibp=oshop)/u;

export function readCapture(
  response: unknown,
  { rawBody, source, costUsd }: { rawBody: string; source: Source; costUsd: number | null },
): CapturedAnswer {
  const read = <Shape extends z.ZodType>(shape: Shape): z.output<Shape> => {
    const parsed = shape.safeParse(response);
    if (!parsed.success) throw new ProviderError("malformed", { rawBody, costUsd: costUsd ?? 0, cause: parsed.error });
    return parsed.data;
  };
  const reply = source === "SEARCH_B_AIO" ? read(ResultPageSchema).aioverview : read(CapturedAnswerSchema);
  const base = { results: [], rawBody, costUsd, tokens: 0 };
  if (reply == null) return { ...base, text: "", citations: [], model: null, showedNothing: true };
  const text = [reply.markdown, reply.text].find((one) => one != null && one.trim() !== "") ?? "";
  const rows = [...(reply.citationPills ?? []), ...(reply.sources ?? [])];
  const products = [
    ...(source === "ASSISTANT_A" ? listProducts(read(ShoppingSchema)) : []),
    ...listGoogleProducts(rows),
  ];
  return {
    ...base,
    text,
    citations: listCitations(
      text,
      rows.filter(({ url }) => !GOOGLE_PRODUCT_PATTERN.test(url)),
    ),
    queries: reply.searchQueries ?? reply.search_model_queries ?? [],
    ...(products.length > 0 && { products: products.map((product, index) => ({ ...product, position: index + 1 })) }),
    model: reply.model ?? null,
  };
}

/** Linked sources with their spans first, then other listed sources. The last label counts. */
function listCitations(text: string, rows: readonly z.output<typeof SourceRowSchema>[]): CapturedCitation[] {
  const labels = new Map(rows.flatMap(({ url, label }) => (label == null || label === "" ? [] : [[url, label]])));
  const listed = new Set(rows.map(({ url }) => url));
  const linked = parseMarkdownLinks(text).filter(({ url }) => listed.size === 0 || listed.has(url));
  return groupCitations([
    ...rows.map(({ url }) => ({ url, title: labels.get(url) })),
    ...linked.map(({ url, title, spans: [span] }) => ({ url, title, span })),
  ]);
}

type ShownProduct = Omit<CapturedProduct, "position">;

function listProducts({ shoppingCards, inlineProducts }: z.output<typeof ShoppingSchema>): ShownProduct[] {
  const cards = (shoppingCards ?? []).flatMap(({ products }) => products);
  return [...cards, ...(inlineProducts ?? []).map(({ product }) => product)].map(({ title, url, price, merchant }) => ({
    title,
    ...(url == null ? {} : { url }),
    ...(price == null ? {} : { price }),
    ...(merchant == null ? {} : { seller: merchant }),
  }));
}

function listGoogleProducts(rows: readonly z.output<typeof SourceRowSchema>[]): ShownProduct[] {
  return rows.flatMap(({ url, label }) => (GOOGLE_PRODUCT_PATTERN.test(url) && label ? [{ title: label, url }] : []));
}
