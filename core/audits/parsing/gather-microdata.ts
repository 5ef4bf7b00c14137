import type { MicrodataItem } from "../parsed-page.ts";
import type { PageText, ReadRange, TextRange } from "./gather-text.ts";
import type { Gatherer } from "./gatherer.ts";
import type { Close, Tag } from "./open-elements.ts";

/** Items and properties of a page, and items within each other, that are kept at most. */
const MOST_ITEMS = 2000;
const MOST_PROPERTIES = 5000;
const MOST_WITHIN = 16;
const MOST_VALUE = 2000;

/** The attribute that says the value of an element (HTML standard, section 5.2.4). */
const VALUE_IN: ReadonlyMap<string, string> = new Map([
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
  properties: { name: string; value: string | TextRange | OpenItem; at: number }[];
};

/** Items of microdata, also where they are hidden; values that are text are what is seen of it. */
export function gatherMicrodata(text: PageText) {
  const items: OpenItem[] = [];
  const open: OpenItem[] = [];
  let [itemCount, propertyCount] = [0, 0];

  function openItem({ at, attributes }: Tag): OpenItem | undefined {
    if (!attributes.has("itemscope") || itemCount >= MOST_ITEMS || open.length >= MOST_WITHIN) return undefined;
    itemCount += 1;
    const id = attributes.get("itemid")?.trim() ?? null;
    return { type: namesOf(attributes.get("itemtype")), id, properties: [], at };
  }
  /** The value of an element that is no item, and what ends it where that is its text. */
  function openValue({ name, attributes }: Tag): { value: string | TextRange; close?: Close } {
    const attribute = VALUE_IN.get(name);
    // Engines read `content` of any element, as the examples of schema.org have it.
    const said = (attribute === undefined ? undefined : attributes.get(attribute)) ?? attributes.get("content");
    if (said !== undefined || (attribute !== undefined && name !== "time"))
      return { value: (said ?? "").trim().slice(0, MOST_VALUE) };
    const value = { from: text.length(), to: text.length() };
    return {
      value,
      close: () => {
        value.to = text.length();
      },
    };
  }
  const gatherer: Gatherer = {
    open(tag) {
      const { at, attributes } = tag;
      if (attributes.size === 0 || !(attributes.has("itemprop") || attributes.has("itemscope"))) return undefined;
      const names = namesOf(attributes.get("itemprop"));
      const holder = open.at(-1);
      const item = openItem(tag);
      const said = item || !holder || names.length === 0 ? undefined : openValue(tag);
      const value = item ?? said?.value;
      if (holder && value !== undefined)
        // An item stands under one name, so that items within each other do not multiply.
        for (const name of item ? names.slice(0, 1) : names) {
          if (propertyCount >= MOST_PROPERTIES) break;
          propertyCount += 1;
          holder.properties.push({ name, value, at });
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
    /** What was gathered, once the walk is over. Items are at most MOST_WITHIN deep. */
    gathered(read: ReadRange): MicrodataItem[] {
      const finish = (item: OpenItem): MicrodataItem => ({
        ...item,
        properties: item.properties.map(({ name, value, at }) => ({
          name,
          at,
          value: typeof value === "string" ? value : "from" in value ? read(value, MOST_VALUE) : finish(value),
        })),
      });
      return items.map(finish);
    },
  };
}

const namesOf = (value: string | undefined) =>
  (value ?? "")
    .split(/\s+/)
    .filter((name) => name !== "")
    .slice(0, 10);
