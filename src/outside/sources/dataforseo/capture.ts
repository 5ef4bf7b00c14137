import { z } from "zod";
import { citationsOf, pagesLinkedIn } from "../bodies/cited-pages.ts";
import type { Answered } from "../provider.ts";
import { elementsIn, readPart } from "./elements.ts";

const Source = z.object({ url: z.string(), title: z.string().nullish() });
const Captured = z.object({
  model: z.string().nullish(),
  markdown: z.string().nullish(),
  /** Pages that the answer cites. */
  sources: z.array(Source).nullish(),
  /** Pages that were found, cited or not. */
  search_results: z.array(Source).nullish(),
  fan_out_queries: z.array(z.string()).nullish(),
  items: z.array(z.looseObject({ type: z.string() })).nullish(),
});
const Product = z.object({
  title: z.string(),
  url: z.string().nullish(),
  price: z.number().nullish(),
  currency: z.string().nullish(),
});

type Read = Pick<Answered, "text" | "citations" | "results" | "retrieved" | "queries" | "products" | "model">;

/** Reads an assistant's answer as the consumer product shows it. */
export function readCapture(captured: unknown, rawBody: string): Read {
  const { model, markdown, sources, search_results, fan_out_queries, items } = readPart(captured, Captured, rawBody);
  const text = markdown ?? "";
  const products = elementsIn(items)
    .filter(({ type }) => type === "chat_gpt_products_element")
    .map((element) => readPart(element, Product, rawBody));
  return {
    text,
    citations: citationsOf([...(sources ?? []), ...pagesLinkedIn(text)]),
    results: [],
    retrieved: citationsOf(search_results ?? []),
    queries: fan_out_queries ?? [],
    ...(products.length > 0 && { products: products.map(productOf) }),
    model: model ?? null,
  };
}

function productOf({ title, url, price, currency }: z.output<typeof Product>, index: number) {
  return {
    position: index + 1,
    title,
    ...(url == null ? {} : { url }),
    ...(price == null ? {} : { price: [price, currency ?? []].flat().join(" ") }),
  };
}
