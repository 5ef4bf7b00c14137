import { parsePage } from "../../core/audits/parse-page.ts";
import type { PageReading } from "./parse5/reference.ts";

const removeSpaces = (text: string) => text.replaceAll(/\s+/g, "");

/** Reading of a page by our parser, for comparison with parse5. */
export function readPage(html: string): PageReading {
  const { titles, headings, anchors, tables, lists, blocks } = parsePage(html);
  return {
    titles: titles.map(({ text }) => removeSpaces(text)),
    headings: headings.map(({ level, text }) => `${level} ${removeSpaces(text)}`),
    links: anchors.map(({ href, text }) => `${href} ${removeSpaces(text)}`),
    tables: tables.map(({ rowCount, columnCount }) => `${rowCount} ${columnCount}`),
    lists: lists.map(({ itemCount }) => itemCount),
    text: [...headings, ...blocks]
      .toSorted((one, other) => one.offset - other.offset)
      .map(({ text }) => removeSpaces(text))
      .join(""),
  };
}
