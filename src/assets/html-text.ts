import { Parser } from "htmlparser2";
import { TooMuch } from "./too-much.ts";

/** Above any real page. Each tag costs the parser time for all open tags. */
const MAX_OPEN = 2000;

const DROPPED_ELEMENTS = new Set([
  "script",
  "style",
  "noscript",
  "template",
  "svg",
  "math",
  "iframe",
  "object",
  "head",
  "title",
]);
const BLOCK_ELEMENTS = new Set(
  "address article aside blockquote body br dd details div dl dt fieldset figcaption figure footer form header hr html li main nav ol p pre section summary table tbody td tfoot th thead tr ul".split(
    " ",
  ),
);
const HEADING_TAG_PATTERN = /^h([1-6])$/;
const VOID_ELEMENTS = new Set([
  "br",
  "hr",
  "img",
  "input",
  "meta",
  "link",
  "area",
  "base",
  "col",
  "embed",
  "source",
  "wbr",
]);

interface OpenElement {
  name: string;
  isDropped: boolean;
  number: number | null;
}

/** One line per block, with Markdown marks. Omits hidden elements. Throws TooMuch. */
export function extractHtmlText(html: string, maxLength: number): string {
  const lines = openLines(maxLength);
  const open: OpenElement[] = [];
  let dropped = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const drops = DROPPED_ELEMENTS.has(name) || "hidden" in attributes;
        if (BLOCK_ELEMENTS.has(name)) lines.end();
        if (!VOID_ELEMENTS.has(name)) open.push({ name, isDropped: drops, number: name === "ol" ? 1 : null });
        if (open.length > MAX_OPEN) throw new TooMuch();
        if (drops && !VOID_ELEMENTS.has(name)) dropped += 1;
        if (dropped > 0) return;
        const level = HEADING_TAG_PATTERN.exec(name)?.[1];
        if (level !== undefined) lines.begin(`${"#".repeat(Number(level))} `);
        else if (name === "li") lines.begin(takeListMarker(open));
      },
      ontext(text) {
        if (dropped === 0) lines.add(text);
      },
      onclosetag(name) {
        const last = open.at(-1);
        if (last?.name === name) {
          open.pop();
          if (last.isDropped) dropped -= 1;
        }
        if (HEADING_TAG_PATTERN.test(name) || BLOCK_ELEMENTS.has(name)) lines.end();
      },
    },
    { decodeEntities: true },
  );
  parser.write(html);
  parser.end();
  return lines.text();
}

function takeListMarker(open: readonly OpenElement[]): string {
  const list = open.findLast(({ name }) => name === "ol" || name === "ul");
  if (!list || list.number === null) return "- ";
  const marker = `${list.number}. `;
  list.number += 1;
  return marker;
}

function openLines(maxLength: number) {
  const lines: string[] = [];
  let [line, length, marker] = ["", 0, ""];
  const end = () => {
    const trimmed = line.replaceAll(/\s+/g, " ").trim();
    if (trimmed !== "" && length < maxLength) {
      lines.push(marker + trimmed);
      length += marker.length + trimmed.length + 1;
    }
    if (trimmed !== "") marker = "";
    line = "";
  };
  return {
    end,
    begin(mark: string) {
      end();
      marker = mark;
    },
    add(text: string) {
      if (length < maxLength) line += text;
    },
    text() {
      end();
      return lines.join("\n");
    },
  };
}
