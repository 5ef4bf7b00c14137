import type { MicrodataItem } from "../parsed-page.ts";
import type { PageText, ReadRange, TextRange } from "./gather-text.ts";
import type { Gatherer } from "./gatherer.ts";
import type { CloseCallback, Tag } from "./element-stack.ts";

const MAX_ITEMS = 2000;
const MAX_PROPERTIES = 5000;
const MAX_NESTING = 16;
const MAX_VALUE_LENGTH = 2000;

/** HTML standard, section 5.2.4. */
const VALUE_ATTRIBUTE_BY_ELEMENT: ReadonlyMap<string, string> = new Map([
  ["meta", "content"],
  ["audio", "src"],
  ["embed", "src"],
  ["iframe", "src"],
  ["img", "src"],
  ["source", "src"],
  ["track", "src"],
  ["video", "src"],
  ["a", "href"],
  ["area", "href"],
  ["link", "href"],
  ["object", "data"],
  ["data", "value"],
  ["meter", "value"],
  ["time", "datetime"],
]);

type OpenItem = Omit<MicrodataItem, "properties"> & {
  properties: { name: string; value: string | TextRange | OpenItem; offset: number }[];
};

/** Includes hidden items; text values contain only visible text. */
export function gatherMicrodata(text: PageText) {
  const items: OpenItem[] = [];
  const open: OpenItem[] = [];
  let [itemCount, propertyCount] = [0, 0];

  function openItem({ offset, attributes }: Tag): OpenItem | undefined {
    if (!attributes.has("itemscope") || itemCount >= MAX_ITEMS || open.length >= MAX_NESTING) return undefined;
    itemCount += 1;
    const id = attributes.get("itemid")?.trim() ?? null;
    return { type: parseNames(attributes.get("itemtype")), id, properties: [], offset };
  }
  /** For elements that are no item; `close` ends a text value. */
  function openValue({ name, attributes }: Tag): { value: string | TextRange; close?: CloseCallback } {
    const attribute = VALUE_ATTRIBUTE_BY_ELEMENT.get(name);
    // Engines accept `content` on any element, as in the examples of schema.org.
    const attributeValue =
      (attribute === undefined ? undefined : attributes.get(attribute)) ?? attributes.get("content");
    if (attributeValue !== undefined || (attribute !== undefined && name !== "time"))
      return { value: (attributeValue ?? "").trim().slice(0, MAX_VALUE_LENGTH) };
    const value = { from: text.length(), to: text.length() };
    return {
      value,
      close: () => {
        value.to = text.length();
      },
    };
  }
  const gatherer: Gatherer = {
    onTagOpen(tag) {
      const { offset, attributes } = tag;
      if (attributes.size === 0 || !(attributes.has("itemprop") || attributes.has("itemscope"))) return undefined;
      const names = parseNames(attributes.get("itemprop"));
      const holder = open.at(-1);
      const item = openItem(tag);
      const said = item || !holder || names.length === 0 ? undefined : openValue(tag);
      const value = item ?? said?.value;
      if (holder && value !== undefined)
        // One name per item, so that nested items do not multiply.
        for (const name of item ? names.slice(0, 1) : names) {
          if (propertyCount >= MAX_PROPERTIES) break;
          propertyCount += 1;
          holder.properties.push({ name, value, offset });
        }
      if (!item) return said?.close;
      if (!attributes.has("itemprop")) items.push(item);
      open.push(item);
      return () => {
        const index = open.lastIndexOf(item);
        if (index >= 0) open.splice(index, 1);
      };
    },
  };
  return {
    ...gatherer,
    /** Call it after the whole HTML was walked. */
    gathered(read: ReadRange): MicrodataItem[] {
      const finish = (item: OpenItem): MicrodataItem => ({
        ...item,
        properties: item.properties.map(({ name, value, offset }) => ({
          name,
          offset,
          value: typeof value === "string" ? value : "from" in value ? read(value, MAX_VALUE_LENGTH) : finish(value),
        })),
      });
      return items.map(finish);
    },
  };
}

const parseNames = (value: string | undefined) =>
  (value ?? "")
    .split(/\s+/)
    .filter((name) => name !== "")
    .slice(0, 10);
