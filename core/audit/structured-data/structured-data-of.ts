import type { ParsedPage } from "../parsed-page.ts";
import { readStructuredData } from "./read-structured-data.ts";
import type { StructuredData } from "./structured-item.ts";
import { validateStructuredData } from "./validate-structured-data.ts";

const READ = new WeakMap<object, StructuredData>();

/** The items of a page and everything that is wrong with them; read once, however many checks ask. */
export function structuredDataOf(page: Pick<ParsedPage, "jsonLd" | "microdata">): StructuredData {
  const known = READ.get(page);
  if (known) return known;
  const read = readStructuredData(page);
  const validated = { items: read.items, issues: validateStructuredData(read) };
  READ.set(page, validated);
  return validated;
}
