import { isKnownSite, LONGEST_SITE_TEXT } from "./known-sites.ts";
import { tokensOf, type Token } from "./name-tokens.ts";
import { isPlainWord } from "./plain-words.ts";
import { maskedStretches } from "../reading/aliases/text-masks.ts";

/** What speaks for some words being a brand's name, in the order in which it is shown. */
export const NAME_SIGNALS = [
  "list_item",
  "table_row",
  "heading",
  "product_card",
  "emphasised",
  "cited_domain",
  "ranked_beside_known_brands",
  "several_answers",
  "several_sources",
] as const;
export type NameSignal = (typeof NAME_SIGNALS)[number];

/** Words that may be a name, as they stand in a text: without what only opens a sentence, and without model numbers. */
export interface FoundName {
  words: string[];
  /** How the words stand there; undefined in running text. */
  signal: NameSignal | undefined;
  /** Which list, table or strip of cards they are an item of; undefined in running text. */
  group: number | undefined;
}

export interface TextNames {
  names: FoundName[];
  plain: Set<string>;
}

interface Line {
  text: string;
  tokens: Token[];
  /** What the line is, and where its label starts. */
  mark: "bullet" | "number" | "row" | "heading" | "plain";
  label: number;
}

const MOST_WORDS = 3;
/** Longer runs of capitalised words are titles. */
const MOST_CAPITALS = 7;
const LONGEST_CATEGORY = 60;

const MARKS: [RegExp, Line["mark"]][] = [
  [/^\s*(?:#{1,6}\s+)?(?:\*\*|__)?(?:\d{1,2}[.)]|#\d{1,2}[.:)]?)(?:\*\*|__)?\s+/, "number"],
  [/^\s*[-*•‣◦–]\s+/, "bullet"],
  [/^#{1,6}\s+/, "heading"],
  [/^\s*\|/, "row"],
];
/** What may stand around a name without being part of it: emphasis, quotes, brackets of a link, signs. */
const DECORATION = /^[^\p{L}\p{N}]{0,8}/u;
/** Text that follows a complete label: closing emphasis, then a separator or the end of the line. */
const LABEL_END = /^\+?[\])"”'*_¦]*\s*(?:$|[–—:(|,/→•]|-\s|\.\s*$)/;
/** A price, then a bullet and the shop: how product cards read once their boxes are gone. */
const CARD_PRICE = /(?:\d\s?[$€£¥]|[$€£¥]\s?\d[\d.,]*)[^•\n]{0,12}•/g;
const SHOP_END = /\+ ?\d*\s?(?:weitere|more|others|plus|autres|más|altri)|(?:&|and|und) (?:more|mehr)/gi;

/**
 * The runs of capitalised words of a text, with what speaks for each. Addresses and the prompt's echo are not read. Of a
 * page of results no line is an item: its titles are other people's.
 */
export function namesIn(text: string, { prompt, page }: { prompt: string; page: boolean }): TextNames {
  const found: TextNames = { names: [], plain: new Set() };
  let group = 0;
  let last = "";
  for (const raw of readable(text, prompt).split("\n")) {
    if (raw.trim() === "") continue;
    const line = lineOf(raw);
    if (line.mark !== last) group += 1;
    last = line.mark;
    for (const { kind, text: word } of line.tokens) {
      if (kind === "word") for (const part of word.split(/['&+-]/)) found.plain.add(part);
    }
    const items = page ? new Map<number, NameSignal>() : itemsOf(line);
    for (const run of runsOf(line)) {
      const words = nameOf(run);
      if (words.length === 0) continue;
      const signal = run.map(({ start }) => items.get(start)).find((known) => known !== undefined);
      found.names.push({ words, signal: signal ?? emphasis(line, run), group: signal && group });
    }
  }
  return found;
}

/** The text with a bar in the place of what is not read, and typographic signs made plain. */
function readable(text: string, prompt: string): string {
  const lower = text.toLowerCase();
  const masks = maskedStretches(text, lower.length === text.length ? lower : text, prompt.toLowerCase());
  let from = 0;
  let kept = "";
  for (const { start, end } of masks) {
    kept += `${text.slice(from, start)}¦`;
    from = end;
  }
  return plainSigns(kept + text.slice(from));
}

function plainSigns(text: string): string {
  return text
    .replaceAll(/[’‘ʼ]/g, "'")
    .replaceAll(/[‐‑]/g, "-")
    .replaceAll(/[\u00A0\u202F]/g, " ");
}

function lineOf(text: string): Line {
  const [marker, mark] = MARKS.find(([pattern]) => pattern.test(text)) ?? [DECORATION, "plain" as const];
  const start = marker.exec(text)?.[0].length ?? 0;
  const label = start + (DECORATION.exec(text.slice(start))?.[0].length ?? 0);
  return { text, mark, label, tokens: tokensOf(text) };
}

/** Capitalised words and model numbers with nothing but a space or "&" between them. */
function runsOf({ text, tokens }: Line): Token[][] {
  const runs: Token[][] = [];
  let last: Token | undefined;
  for (const token of tokens) {
    if (token.kind !== "word") {
      const between = last && text.slice(last.end, token.start);
      const joined = between === " " || (between === " & " && last?.kind === "name");
      const run = joined && last?.kind !== "word" ? runs.at(-1) : undefined;
      if (run) run.push(token);
      else runs.push([token]);
    }
    last = token;
  }
  return runs.flatMap((run) => withoutSites(text, run));
}

/**
 * What is left of a run before and after the name of a known site, where that has several words: "Tom's Guide Zenvora" names
 * Zenvora alone, and "Google Pixel" is left as it is.
 */
function withoutSites(text: string, run: Token[]): Token[][] {
  const parts: Token[][] = [[]];
  for (let at = 0; at < run.length; at++) {
    const end = endOfSite(text, run, at);
    const token = run[at];
    if (end > at) parts.push([]);
    else if (token) parts.at(-1)?.push(token);
    at = end;
  }
  return parts.filter(({ length }) => length > 0);
}

/** The last token of the longest name of a site that begins at `at`; `at` itself where none of several words does. */
function endOfSite(text: string, run: readonly Token[], at: number): number {
  const start = run[at]?.start ?? 0;
  let found = at;
  for (let last = at + 1; last < run.length; last++) {
    const name = text.slice(start, run[last]?.end);
    // However long the run is, no longer text can be such a name.
    if (name.length > LONGEST_SITE_TEXT) break;
    if (isKnownSite(name)) found = last;
  }
  return found;
}

/** The name in a run: from its first word that is not plain to its first model number, without plain words at its end. */
function nameOf(run: readonly Token[]): string[] {
  if (run.length > MOST_CAPITALS) return [];
  const first = run.findIndex(({ kind, text }) => kind === "name" && !isPlainWord(text));
  if (first === -1) return [];
  const end = run.findIndex(({ kind }, at) => at > first && kind === "model");
  const words = run.slice(first, end === -1 ? undefined : end);
  while (words.length > 0 && isPlainWord(words.at(-1)?.text ?? "")) words.pop();
  // The words as they stand: "&" between two of them is theirs.
  const [start] = words;
  if (!start || words.length > MOST_WORDS) return [];
  return words.map(({ text }, at) => {
    const before = words[at - 1];
    return before && (words[at]?.start ?? 0) - before.end > 1 ? `& ${text}` : text;
  });
}

/** By their starts the names that the line is about, and what they are there. */
function itemsOf(line: Line): Map<number, NameSignal> {
  const cards = cardsOf(line);
  if (cards.size > 0) return cards;
  const direct = labelAt(line, line.label);
  if (direct !== undefined) return new Map([[direct, signalOf(line, direct)]]);
  // "Best overall: Acme", and a row that starts with its number.
  const category = /[:|–—]/.exec(line.text.slice(line.label, line.label + LONGEST_CATEGORY));
  if (!category || line.mark === "plain") return new Map();
  const second = line.label + category.index + 1;
  const behind = second + (DECORATION.exec(line.text.slice(second))?.[0].length ?? 0);
  const start = labelAt(line, behind);
  return new Map(start === undefined ? [] : [[start, signalOf(line, start)]]);
}

/** The start of a run that is the whole label from `from` on: its end closes the label. */
function labelAt(line: Line, from: number): number | undefined {
  const run = runsOf(line).find(([first]) => first?.start === from);
  const last = run?.at(-1);
  if (!run || !last || nameOf(run).length === 0) return undefined;
  return LABEL_END.test(line.text.slice(last.end)) ? from : undefined;
}

function signalOf({ mark, text }: Line, start: number): NameSignal {
  if (mark === "row") return "table_row";
  if (mark === "heading") return "heading";
  if (mark !== "plain") return "list_item";
  return /\s[–—-]\s|:(?:\*\*)?\s/.test(text.slice(start)) ? "list_item" : "heading";
}

function cardsOf({ text }: Line): Map<number, NameSignal> {
  const cards = new Map<number, NameSignal>();
  const prices = [...text.matchAll(CARD_PRICE)];
  if (prices.length < 2) return cards;
  let from = 0;
  for (const price of prices) {
    const shop = [...text.slice(from, price.index).matchAll(SHOP_END)].at(-1);
    const title = from + (shop ? shop.index + shop[0].length : 0);
    cards.set(title + (DECORATION.exec(text.slice(title))?.[0].length ?? 0), "product_card");
    from = price.index + price[0].length;
  }
  return cards;
}

function emphasis({ text }: Line, run: readonly Token[]): NameSignal | undefined {
  const [first] = run;
  const last = run.at(-1);
  if (!first || !last) return undefined;
  const [before, after] = [text.slice(Math.max(0, first.start - 2), first.start), text.slice(last.end, last.end + 2)];
  return before === after && (before === "**" || before === "__") ? "emphasised" : undefined;
}
