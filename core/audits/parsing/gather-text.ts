import type { Block, BlockKind, Heading } from "../parsed-page.ts";
import { countWords } from "./count-words.ts";
import type { Gatherer, AppendBounded } from "./gatherer.ts";
import type { CloseCallback, Tag } from "./element-stack.ts";
import { BLOCK_LEVEL, HEADINGS } from "./tag-rules.ts";

const HIDDEN_ELEMENTS = new Set(
  "audio canvas datalist embed iframe math noembed noframes object script select style svg template textarea title video".split(
    " ",
  ),
);
const BLOCK_KINDS_BY_ELEMENT: ReadonlyMap<string, BlockKind> = new Map([
  ["p", "paragraph"],
  ["table", "paragraph"],
  ["li", "list_item"],
  ["td", "cell"],
  ["th", "cell"],
  ["blockquote", "quote"],
  ["pre", "code"],
  ["xmp", "code"],
  ["listing", "code"],
  ["plaintext", "code"],
  ["figcaption", "caption"],
  ["caption", "caption"],
  ["dd", "definition"],
  ["dt", "definition"],
]);
/** Nested paragraphs get the kind of these blocks. */
const INHERITED_KINDS = new Set<BlockKind>(["list_item", "quote", "caption", "definition"]);

/** Ranges of nested elements overlap, so readers limit the length. */
export interface TextRange {
  from: number;
  to: number;
}

export type PageText = ReturnType<typeof gatherText>;
export type ReadRange = ReturnType<PageText["reader"]>;

export function gatherText(push: AppendBounded) {
  const [blocks, headings, pieces]: [Block[], Heading[], string[]] = [[], [], []];
  let [length, hidden, anchors] = [0, 0, 0];
  let [words, unlinked, solid] = [0, 0, 0];
  /** Further white space adds nothing. */
  let endsInSpace = true;
  let kind: BlockKind = "paragraph";
  /** State of the current block. */
  let lines: string[] = [];
  let [line, linked, characters] = ["", 0, 0];
  let start: number | null = null;
  let heading: { level: Heading["level"]; offset: number; imageText: string } | null = null;

  function appendText(text: string) {
    pieces.push(text);
    length += text.length;
    endsInSpace = isSpace(text.charCodeAt(text.length - 1));
  }
  function begin() {
    line = "";
    linked = 0;
    characters = 0;
    start = null;
    lines = [];
    if (!endsInSpace) appendText("\n");
  }
  function breakLine() {
    appendText("\n");
    if (kind === "code") line += "\n";
    else {
      lines.push(collapseSpace(line));
      line = "";
    }
  }
  function flush() {
    if (start !== null) {
      breakLine();
      const text = kind === "code" ? line.trim() : lines.join("\n").trim();
      const count = countWords(text);
      const share = characters === 0 ? 0 : linked / characters;
      words += count;
      unlinked += count * (1 - share);
      const under = headings.length === 0 ? null : headings.length - 1;
      if (text !== "")
        push(blocks, { kind, text, offset: start, heading: under, wordCount: count, linked: share, isInMain: false });
    }
    begin();
  }
  function endHeading() {
    if (!heading) return;
    const own = collapseSpace([...lines, line].join(" "));
    const count = countWords(own);
    words += count;
    unlinked += characters === 0 ? count : count * (1 - linked / characters);
    push(headings, {
      level: heading.level,
      text: own === "" ? heading.imageText : own,
      offset: heading.offset,
      isInMain: false,
    });
    heading = null;
    begin();
  }
  function openSeen({ name, offset, attributes }: Tag): CloseCallback | undefined {
    if (name === "br") {
      if (start !== null && line.trim() === "" && heading === null && kind !== "code") flush();
      else breakLine();
      return undefined;
    }
    if (name === "img" && heading) heading.imageText = (attributes.get("alt") ?? "").trim();
    if (name === "a") {
      anchors += 1;
      return () => (anchors -= 1);
    }
    // A heading inside an unclosed heading starts after it.
    if (heading && HEADINGS.has(name)) endHeading();
    if (heading) {
      if (BLOCK_LEVEL.has(name)) line += " ";
      return undefined;
    }
    if (!BLOCK_LEVEL.has(name)) return undefined;
    flush();
    if (HEADINGS.has(name)) {
      // Safe: the name is one of h1 to h6.
      heading = { level: Number(name[1]) as Heading["level"], offset, imageText: "" };
      return endHeading;
    }
    const before = kind;
    const own = BLOCK_KINDS_BY_ELEMENT.get(name);
    if (own && !(own === "paragraph" && name === "p" && INHERITED_KINDS.has(kind))) kind = own;
    return () => {
      if (heading) line += " ";
      else flush();
      kind = before;
    };
  }
  const gatherer: Gatherer = {
    onTagOpen(tag) {
      // Images and links in a heading may have a label.
      if (heading && hidden === 0) heading.imageText ||= getLabel(tag);
      if (!isHidden(tag)) return hidden === 0 ? openSeen(tag) : undefined;
      hidden += 1;
      const before = hidden === 1 && BLOCK_LEVEL.has(tag.name) ? openSeen({ ...tag, name: "div" }) : undefined;
      return (at) => {
        hidden -= 1;
        before?.(at);
      };
    },
  };
  return {
    ...gatherer,
    blocks,
    headings,
    text(text: string, at: number) {
      if (hidden > 0) return;
      const space = countLeadingSpace(text);
      if (space === text.length && endsInSpace && kind !== "code") return;
      line += text;
      appendText(text);
      characters += text.length;
      if (anchors > 0) linked += text.length;
      if (space === text.length) return;
      solid += 1;
      start ??= at + space;
    },
    isSeen: () => hidden === 0,
    /** Length of the visible text so far, used for ranges. */
    length: () => length,
    /** Number of texts with more than white space. */
    solid: () => solid,
    /** Words in ended blocks; `unlinked` are outside links. */
    counted: () => ({ words, unlinked }),
    /** Call it after the whole HTML was walked. */
    reader() {
      flush();
      const all = pieces.join("");
      return ({ from, to }: TextRange, most: number) =>
        collapseSpace(all.slice(from, Math.min(to, from + 2 * most))).slice(0, most);
    },
  };
}

/** Matches `\s`, with a fast path for common characters. */
const isSpace = (code: number) =>
  code <= 32 ? code === 32 || (code >= 9 && code <= 13) : code >= 0xa0 && /\s/.test(String.fromCharCode(code));

function countLeadingSpace(text: string): number {
  let index = 0;
  while (index < text.length && isSpace(text.charCodeAt(index))) index += 1;
  return index;
}

/** Has a fast path for text that needs no change. */
function collapseSpace(text: string): string {
  let wasSpace = true;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    const isPlainSpace = code === 32;
    if ((isPlainSpace && wasSpace) || (code < 32 && isSpace(code)) || code === 0xa0 || code >= 0x1680)
      return text.replaceAll(/\s+/g, " ").trim();
    wasSpace = isPlainSpace;
  }
  return wasSpace ? text.trim() : text;
}

const getLabel = ({ attributes }: Tag) =>
  attributes.get("aria-hidden")?.toLowerCase() === "true" ? "" : (attributes.get("aria-label") ?? "").trim();

function isHidden({ name, attributes }: Tag): boolean {
  if (HIDDEN_ELEMENTS.has(name)) return true;
  if (attributes.size === 0) return name === "dialog";
  const hidden = attributes.get("hidden");
  return (
    (hidden !== undefined && hidden.toLowerCase() !== "until-found") ||
    attributes.get("aria-hidden")?.toLowerCase() === "true" ||
    (name === "dialog" && !attributes.has("open"))
  );
}
