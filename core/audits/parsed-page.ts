// `offset` is 0-based in the HTML. Text is what a reader without scripts sees: no templates,
// noscript, scripts, graphics, form choices or hidden elements.

/** Per list; `isCut` reports dropped entries. */
export const MAX_LIST_ENTRIES = 20_000;

export interface ParsedPage {
  /** From `<html lang>`. */
  language: string | null;
  /** From `<base href>`. */
  baseHref: string | null;
  titles: readonly LocatedText[];
  metas: readonly MetaTag[];
  links: readonly LinkTag[];
  headings: readonly Heading[];
  /** In document order. */
  blocks: readonly Block[];
  anchors: readonly Anchor[];
  images: readonly ImageFacts[];
  tables: readonly TableFacts[];
  lists: readonly { isOrdered: boolean; itemCount: number; offset: number; isInMain: boolean }[];
  times: readonly { datetime: string | null; text: string; offset: number }[];
  quotes: readonly PageQuote[];
  /** Marked by `rel=author`, `itemprop=author`, or a class such as `author` or `byline`. */
  bylines: readonly LocatedText[];
  landmarks: readonly { kind: LandmarkKind; offset: number }[];
  /** Offsets are those of the text. */
  jsonLd: readonly LocatedText[];
  microdata: readonly MicrodataItem[];
  scriptCount: number;
  elementCount: number;
  /** Two Chinese or Japanese characters count as one word. */
  wordCount: number;
  mainWordCount: number;
  /** Basis of the main content, which excludes navigation, page headers and footers, and asides. */
  mainBy: "main" | "article" | "density" | "body";
  /** True for almost no text besides containers that scripts fill. */
  isLikelyAppShell: boolean;
  isCut: boolean;
  /** Lines are 1-based. */
  lineOf: (at: number) => number;
}

export interface LocatedText {
  text: string;
  offset: number;
}

/** `name` is the value of `name`, `property` or `http-equiv`, in lower case. */
export interface MetaTag {
  name: string;
  content: string;
  offset: number;
}

export interface LinkTag {
  rel: readonly string[];
  href: string;
  hreflang: string | null;
  type: string | null;
  offset: number;
}

export interface Heading extends LocatedText {
  level: 1 | 2 | 3 | 4 | 5 | 6;
  isInMain: boolean;
}

export const BLOCK_KINDS = ["paragraph", "list_item", "cell", "quote", "code", "caption", "definition"] as const;
export type BlockKind = (typeof BLOCK_KINDS)[number];

/** `text` has single spaces and a line feed per `br`; code keeps its white space. */
export interface Block extends LocatedText {
  kind: BlockKind;
  isInMain: boolean;
  /** Index of the heading above; null before the first. */
  heading: number | null;
  wordCount: number;
  /** Share of characters, 0 to 1. */
  linked: number;
}

export interface Anchor {
  href: string;
  text: string;
  rel: readonly string[];
  offset: number;
  isInMain: boolean;
}

/** `alt` is null if absent; an empty `alt` or a decorative role marks decoration. */
export interface ImageFacts {
  src: string;
  alt: string | null;
  isDecoration: boolean;
  offset: number;
  isInMain: boolean;
}

export interface TableFacts {
  rowCount: number;
  columnCount: number;
  hasHeader: boolean;
  hasCaption: boolean;
  /** Marked by its role. */
  isLayout: boolean;
  offset: number;
  isInMain: boolean;
}

/** `attribution` is the `cite` element, the footer, the figure caption or the `cite` attribute. */
export interface PageQuote extends LocatedText {
  isInline: boolean;
  attribution: string | null;
  isInMain: boolean;
}

export const LANDMARK_KINDS = ["main", "article", "header", "nav", "footer", "aside"] as const;
export type LandmarkKind = (typeof LANDMARK_KINDS)[number];

/** HTML standard, section 5, without `itemref`. Values have at most 2,000 characters. */
export interface MicrodataItem {
  type: readonly string[];
  id: string | null;
  properties: readonly { name: string; value: string | MicrodataItem; offset: number }[];
  offset: number;
}
