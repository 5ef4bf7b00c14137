import type { Located, MicrodataItem } from "../parsed-page.ts";
import { collectItems } from "./item-collector.ts";
import { readJsonLd } from "./read-json-ld.ts";
import { readMicrodata } from "./read-microdata.ts";
import type { StructuredData } from "./structured-item.ts";

/**
 * The items of a page's structured data, and what is wrong with its form. Blocks of JSON-LD are joined: parts that have the same
 * `@id` are one item, and a reference is the item that it names. Bounded in time and memory whatever the page has.
 */
export function readStructuredData(page: {
  jsonLd: readonly Located[];
  microdata: readonly MicrodataItem[];
}): StructuredData {
  const collector = collectItems();
  for (const block of page.jsonLd) readJsonLd(block, collector);
  readMicrodata(page.microdata, collector);
  return collector.finish();
}
