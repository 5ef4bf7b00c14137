import { z } from "zod";
import type { CapturedProduct } from "../../../../core/reading/capture.ts";
import { groupCitations, listLinkedPages } from "../bodies/cited-pages.ts";
import { ProviderError } from "../provider-error.ts";
import type { CapturedAnswer } from "../provider.ts";
import { listElements, readPart, type ReplyElement } from "./elements.ts";

const Page = z.object({ items: z.array(z.looseObject({ type: z.string() })).nullish() });
const OrganicResultSchema = z.object({
  rank_group: z.number().int().min(1),
  url: z.string(),
  title: z.string().nullish(),
  description: z.string().nullish(),
});
const OverviewSchema = z.object({ markdown: z.string().nullish(), items: z.array(z.looseObject({})).nullish() });
const Block = z.object({ markdown: z.string().nullish(), text: z.string().nullish() });
const ReferenceSchema = z.object({ url: z.string(), title: z.string().nullish() });
const ProductSchema = z.object({
  title: z.string(),
  url: z.string().nullish(),
  seller: z.string().nullish(),
  price: z.object({ displayed_price: z.string().nullish() }).nullish(),
});

const PAGE_ELEMENT_TYPES = new Set(["ai_overview_reference", "ai_overview_organic_element"]);
const PRODUCT_ELEMENT_TYPE = "ai_mode_ai_overview_shopping_element";

type PageContent = Pick<CapturedAnswer, "text" | "citations" | "results" | "products" | "showedNothing">;

const NOT_SHOWN: PageContent = { text: "", citations: [], results: [], showedNothing: true };

/** Ranks continue from page to page. */
export function readResults(page: unknown, rawBody: string): PageContent {
  const items = readItems(page, rawBody);
  if (items.length === 0) return NOT_SHOWN;
  const results = items
    .filter(({ type }) => type === "organic")
    .map((item) => readPart(item, OrganicResultSchema, rawBody))
    .toSorted((a, b) => a.rank_group - b.rank_group)
    .map(({ rank_group: rank, url, title, description }) => ({
      rank,
      url,
      ...(title == null ? {} : { title }),
      ...(description == null ? {} : { snippet: description }),
    }));
  return { text: "", citations: [], results };
}

export function readOverview(page: unknown, rawBody: string): PageContent {
  const overview = readItems(page, rawBody).find(({ type }) => type === "ai_overview");
  return overview ? parseOverview(overview, rawBody) : NOT_SHOWN;
}

export function readAiMode(page: unknown, rawBody: string): PageContent {
  const items = readItems(page, rawBody);
  if (items.length === 0) return NOT_SHOWN;
  const answer = items.find(({ type }) => type === "ai_overview");
  return answer ? parseOverview(answer, rawBody) : { text: "", citations: [], results: [] };
}

function parseOverview(item: ReplyElement, rawBody: string): PageContent {
  const text = readText(item, rawBody);
  if (text === "" && item["asynchronous_ai_overview"] === true) {
    throw new ProviderError("unavailable", { message: "The provider did not load the overview.", rawBody });
  }
  const within = listElements(item);
  const pages = within
    .filter(({ type }) => PAGE_ELEMENT_TYPES.has(String(type)))
    .map((element) => readPart(element, ReferenceSchema, rawBody));
  const products = within
    .filter(({ type }) => type === PRODUCT_ELEMENT_TYPE)
    .map((element, index) => toProduct(readPart(element, ProductSchema, rawBody), index));
  const citations = groupCitations([...pages, ...listLinkedPages(text)]);
  return { text, citations, results: [], ...(products.length > 0 && { products }) };
}

function readText(item: ReplyElement, rawBody: string): string {
  const { markdown, items } = readPart(item, OverviewSchema, rawBody);
  if (markdown != null && markdown.trim() !== "") return markdown;
  return (items ?? [])
    .map((element) => readPart(element, Block, rawBody))
    .flatMap((block) => block.markdown ?? block.text ?? [])
    .join("\n\n");
}

function toProduct({ title, url, seller, price }: z.output<typeof ProductSchema>, index: number): CapturedProduct {
  return {
    position: index + 1,
    title,
    ...(url == null ? {} : { url }),
    ...(price?.displayed_price == null ? {} : { price: price.displayed_price }),
    ...(seller == null ? {} : { seller }),
  };
}

function readItems(page: unknown, rawBody: string) {
  return readPart(page, Page, rawBody).items ?? [];
}
