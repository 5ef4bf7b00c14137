import type { Anchor, ImageFacts, ParsedPage, TableFacts } from "../parsed-page.ts";
import type { PageText } from "./gather-text.ts";
import { parseTokens, type Gatherer, type AppendBounded } from "./gatherer.ts";
import type { Tag } from "./element-stack.ts";

const MAX_SPAN = 1000;
interface OpenTable {
  facts: TableFacts;
  cellCount: number;
}
type ListFacts = ParsedPage["lists"][number];

export function gatherParts(text: PageText, push: AppendBounded) {
  const anchors: (Omit<Anchor, "text"> & { from: number; to: number; label: string })[] = [];
  const [images, tables, lists]: [ImageFacts[], TableFacts[], ListFacts[]] = [[], [], []];
  const [openTables, openLists]: [OpenTable[], { itemCount: number }[]] = [[], []];

  function openAnchor({ offset, attributes }: Tag) {
    const from = text.length();
    const href = (attributes.get("href") ?? "").trim();
    const label = (attributes.get("aria-label") ?? "").trim();
    const anchor = { href, rel: parseTokens(attributes.get("rel")), offset, isInMain: false, from, to: from, label };
    push(anchors, anchor);
    return () => {
      anchor.to = text.length();
    };
  }
  function openTable({ offset, attributes }: Tag) {
    const isLayout = ["presentation", "none"].includes(getRole(attributes));
    const facts = {
      rowCount: 0,
      columnCount: 0,
      hasHeader: false,
      hasCaption: false,
      isLayout,
      offset,
      isInMain: false,
    };
    push(tables, facts);
    openTables.push({ facts, cellCount: 0 });
    return () => void openTables.pop();
  }
  function openList({ name, offset }: Tag) {
    const list = { isOrdered: name === "ol", itemCount: 0, offset, isInMain: false };
    push(lists, list);
    openLists.push(list);
    return () => void openLists.pop();
  }
  const gatherer: Gatherer = {
    onTagOpen(tag) {
      if (!text.isSeen()) return undefined;
      const { name, attributes } = tag;
      if ((name === "a" || name === "area") && attributes.has("href")) return openAnchor(tag);
      if (name === "img") push(images, toImageFacts(tag));
      else if (name === "table") return openTable(tag);
      else if (name === "tr" || name === "td" || name === "th" || name === "caption") {
        const table = openTables.at(-1);
        if (table) openTablePart(tag, table);
      } else if (name === "ul" || name === "ol") return openList(tag);
      else if (name === "li") {
        const list = openLists.at(-1);
        if (list) list.itemCount += 1;
      }
      return undefined;
    },
  };
  return { ...gatherer, anchors, images, tables, lists };
}

const getRole = (attributes: Tag["attributes"]) => attributes.get("role")?.trim().toLowerCase() ?? "";

function toImageFacts({ offset, attributes }: Tag): ImageFacts {
  const sizes = [attributes.get("width"), attributes.get("height")];
  const isPixel = sizes.every((size) => size !== undefined && /^\s*[01](px)?\s*$/.test(size));
  return {
    src: (attributes.get("src") ?? attributes.get("data-src") ?? "").trim().slice(0, 2000),
    alt: attributes.get("alt") ?? attributes.get("aria-label") ?? attributes.get("title") ?? null,
    isDecoration: isPixel || ["presentation", "none"].includes(getRole(attributes)),
    offset,
    isInMain: false,
  };
}

function openTablePart({ name, attributes }: Tag, table: OpenTable) {
  const { facts } = table;
  if (name === "tr") {
    facts.rowCount += 1;
    table.cellCount = 0;
  } else if (name === "caption") facts.hasCaption = true;
  else {
    const span = Number.parseInt(attributes.get("colspan") ?? "1", 10);
    table.cellCount += span > 0 ? Math.min(span, MAX_SPAN) : 1;
    facts.columnCount = Math.max(facts.columnCount, table.cellCount);
    if (name === "th") facts.hasHeader = true;
  }
}
