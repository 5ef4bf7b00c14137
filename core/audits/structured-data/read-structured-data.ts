import { MAX_NESTING } from "../../shared/json.ts";
import type { LocatedText, MicrodataItem, ParsedPage } from "../parsed-page.ts";
import { createFormIssue } from "./issues.ts";
import { type ItemCollector, createItemCollector } from "./item-collector.ts";
import { SCHEMA_ORG_CONTEXT, toSchemaName } from "./json-ld-context.ts";
import { readJsonLd } from "./read-json-ld.ts";
import type { StructuredData, StructuredItem } from "./structured-item.ts";
import { validateStructuredData } from "./validate-structured-data.ts";

const CACHED_DATA = new WeakMap<object, StructuredData>();

/** Cached per page. */
export function readValidatedData(page: Pick<ParsedPage, "jsonLd" | "microdata">): StructuredData {
  const known = CACHED_DATA.get(page);
  if (known) return known;
  const read = readStructuredData(page);
  const validated = { items: read.items, issues: validateStructuredData(read) };
  CACHED_DATA.set(page, validated);
  return validated;
}

/** Reads an item with several parents once, which also ends cycles (HTML standard, section 5). */
function readMicrodata(roots: readonly MicrodataItem[], collector: ItemCollector): void {
  const read = new Map<MicrodataItem, StructuredItem>();
  for (const root of roots) {
    const item = readItem(root, 0, { read, collector });
    if (item?.isForeign)
      collector.report(createFormIssue("foreign_context", { offset: root.offset, type: getTypeName(root) }));
  }
}

function readItem(
  source: MicrodataItem,
  depth: number,
  state: { read: Map<MicrodataItem, StructuredItem>; collector: ItemCollector },
): StructuredItem | undefined {
  const known = state.read.get(source);
  if (known || depth >= MAX_NESTING) return known;
  // The id is dropped: microdata ids name global things and do not join items.
  const item = state.collector.beginItem({
    id: null,
    offset: source.offset,
    format: "microdata",
    isTopLevel: depth === 0,
  });
  if (!item) return undefined;
  item.id = source.id;
  state.read.set(source, item);
  // A microdata type is an address; unlike in JSON-LD, a bare name is invalid.
  const names = source.type
    .slice(0, 20)
    .map((name) => (name.includes(":") ? toSchemaName(name, SCHEMA_ORG_CONTEXT) : null));
  item.types = names.filter((name) => name !== null);
  item.isMixed = item.types.length < names.length;
  item.isForeign = item.isMixed && item.types.length === 0;
  for (const { name, value } of source.properties) {
    const property = toSchemaName(name, SCHEMA_ORG_CONTEXT);
    const read = typeof value === "string" ? value : readItem(value, depth + 1, state);
    if (property !== null && read !== undefined) state.collector.addValue(item, property, read);
  }
  return item;
}

const getTypeName = (source: MicrodataItem): string | null => source.type[0]?.split(/[/#]/).at(-1) ?? null;

/** Parts with the same `@id` are one item; references resolve to items. Bounded time and memory. */
export function readStructuredData(page: {
  jsonLd: readonly LocatedText[];
  microdata: readonly MicrodataItem[];
}): StructuredData {
  const collector = createItemCollector();
  for (const block of page.jsonLd) readJsonLd(block, collector);
  readMicrodata(page.microdata, collector);
  return collector.finish();
}
