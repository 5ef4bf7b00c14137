// What one walk over a page's HTML gathers, for checks to look at. Positions (`at`) are 0-based offsets in the HTML. Text is what a
// reader without scripts sees: nothing of templates, noscript, scripts, graphics, form choices, or what is marked as hidden.

/** Entries that any list of a page keeps at most; those that follow are left out, and `isCut` says so. */
export const MOST_KEPT = 20_000;

export interface ParsedPage {
  /** Of `<html lang>`. */
  language: string | null;
  /** Of `<base href>`. */
  base: string | null;
  titles: readonly Located[];
  metas: readonly MetaTag[];
  links: readonly LinkTag[];
  headings: readonly Heading[];
  /** Paragraphs, list items, cells, quotes, code: text in document order. */
  blocks: readonly Block[];
  anchors: readonly Anchor[];
  images: readonly ImageFacts[];
  tables: readonly TableFacts[];
  lists: readonly { isOrdered: boolean; items: number; at: number; isInMain: boolean }[];
  times: readonly { datetime: string | null; text: string; at: number }[];
  quotes: readonly Quote[];
  /** Text of elements that are marked as the author's: `rel=author`, `itemprop=author`, or a class such as `author` or `byline`. */
  bylines: readonly Located[];
  landmarks: readonly { kind: LandmarkKind; at: number }[];
  /** Blocks, each where its text begins. */
  jsonLd: readonly Located[];
  microdata: readonly MicrodataItem[];
  scripts: number;
  elements: number;
  /** Words that are seen; and those of the main content. Of Chinese and Japanese two characters count as one word. */
  words: number;
  mainWords: number;
  /** How the main content was told apart: its landmark, or where most of the text stands. Navigation, page headers, page footers and asides are never part of it. */
  mainBy: "main" | "article" | "density" | "body";
  /** True where there is next to no text but containers that scripts fill. */
  looksLikeAppShell: boolean;
  /** True where a list has more than MOST_KEPT entries. */
  isCut: boolean;
  /** 1-based line of a position. */
  lineOf: (at: number) => number;
}

export interface Located {
  text: string;
  at: number;
}

/** `name` is that of `name`, `property` or `http-equiv`, in lower case. */
export interface MetaTag {
  name: string;
  content: string;
  at: number;
}

export interface LinkTag {
  rel: readonly string[];
  href: string;
  hreflang: string | null;
  type: string | null;
  at: number;
}

export interface Heading extends Located {
  level: 1 | 2 | 3 | 4 | 5 | 6;
  isInMain: boolean;
}

export const BLOCK_KINDS = ["paragraph", "list_item", "cell", "quote", "code", "caption", "definition"] as const;
export type BlockKind = (typeof BLOCK_KINDS)[number];

/** `text` has single spaces, and a line feed for each `br`; that of code has its white space. */
export interface Block extends Located {
  kind: BlockKind;
  isInMain: boolean;
  /** Index of the heading that it stands under; null before the first. */
  heading: number | null;
  words: number;
  /** Share of its characters that are linked, 0 to 1. */
  linked: number;
}

export interface Anchor {
  href: string;
  text: string;
  rel: readonly string[];
  at: number;
  isInMain: boolean;
}

/** `alt` is null where the image has none; an empty one says that it is decoration, as `isDecoration` does by role. */
export interface ImageFacts {
  src: string;
  alt: string | null;
  isDecoration: boolean;
  at: number;
  isInMain: boolean;
}

export interface TableFacts {
  rows: number;
  /** Of its longest row. */
  columns: number;
  hasHeader: boolean;
  hasCaption: boolean;
  /** True where its role says that it only lays things out. */
  isLayout: boolean;
  at: number;
  isInMain: boolean;
}

/** A `blockquote` or `q`; `attribution` is the text of its `cite`, footer or figure's caption, or the address of its `cite` attribute. */
export interface Quote extends Located {
  isInline: boolean;
  attribution: string | null;
  isInMain: boolean;
}

export const LANDMARK_KINDS = ["main", "article", "header", "nav", "footer", "aside"] as const;
export type LandmarkKind = (typeof LANDMARK_KINDS)[number];

/** An item of microdata (HTML standard, section 5), without what `itemref` refers to. Values are at most 2,000 characters. */
export interface MicrodataItem {
  type: readonly string[];
  id: string | null;
  properties: readonly { name: string; value: string | MicrodataItem; at: number }[];
  at: number;
}
