import { isKnownSite, MAX_SITE_NAME_LENGTH } from "./known-sites.ts";
import { tokenize, type Token } from "./name-tokens.ts";
import { isPlainWord } from "./plain-words.ts";
import { findMasks } from "../reading/aliases/text-masks.ts";

/** Signals that words are a brand name, in display order. */
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

/** Candidate name in a text, without sentence openers and model numbers. */
export interface FoundName {
  nameWords: string[];
  /** Markup around the words; undefined in running text. */
  signal: NameSignal | undefined;
  /** List, table or card strip that contains it; undefined in running text. */
  group: number | undefined;
}

export interface TextNames {
  foundNames: FoundName[];
  lowerCaseWords: Set<string>;
}

interface TextLine {
  text: string;
  tokens: Token[];
  /** Kind of line, and offset of its label. */
  mark: "bullet" | "number" | "row" | "heading" | "plain";
  label: number;
}

const MAX_WORDS = 3;
/** Max capitalised words of a name; longer runs are titles. */
const MAX_CAPITALISED_WORDS = 7;
const MAX_CATEGORY_LENGTH = 60;

const LINE_KIND_PATTERNS: [RegExp, TextLine["mark"]][] = [
  [/^\s*(?:#{1,6}\s+)?(?:\*\*|__)?(?:\d{1,2}[.)]|#\d{1,2}[.:)]?)(?:\*\*|__)?\s+/, "number"],
  [/^\s*[-*•‣◦–]\s+/, "bullet"],
  [/^#{1,6}\s+/, "heading"],
  [/^\s*\|/, "row"],
];
/** Emphasis, quotes, link brackets and signs around a name. */
const DECORATION = /^[^\p{L}\p{N}]{0,8}/u;
/** Text after a complete label: closing emphasis, then a separator or the end of the line. */
const LABEL_END_PATTERN = /^\+?[\])"”'*_¦]*\s*(?:$|[–—:(|,/→•]|-\s|\.\s*$)/;
/** Price, bullet and shop in the text of a product card. */
const CARD_PRICE_PATTERN = /(?:\d\s?[$€£¥]|[$€£¥]\s?\d[\d.,]*)[^•\n]{0,12}•/g;
const SHOP_END_PATTERN = /\+ ?\d*\s?(?:weitere|more|others|plus|autres|más|altri)|(?:&|and|und) (?:more|mehr)/gi;

/**
 * Runs of capitalised words with their signals. Skips addresses and echoes of the prompt. Lines of
 * a result page are no items, since its titles are third-party text.
 */
export function findCandidateNames(
  text: string,
  { prompt, isSearchPage }: { prompt: string; isSearchPage: boolean },
): TextNames {
  const names: TextNames = { foundNames: [], lowerCaseWords: new Set() };
  let group = 0;
  let last = "";
  for (const raw of maskText(text, prompt).split("\n")) {
    if (raw.trim() === "") continue;
    const line = parseLine(raw);
    if (line.mark !== last) group += 1;
    last = line.mark;
    for (const { kind, text: word } of line.tokens) {
      if (kind === "word") for (const part of word.split(/['&+-]/)) names.lowerCaseWords.add(part);
    }
    const items = isSearchPage ? new Map<number, NameSignal>() : findItems(line);
    for (const run of findRuns(line)) {
      const nameWords = trimToName(run);
      if (nameWords.length === 0) continue;
      const signal = run.map(({ start }) => items.get(start)).find((known) => known !== undefined);
      names.foundNames.push({ nameWords, signal: signal ?? findEmphasisSignal(line, run), group: signal && group });
    }
  }
  return names;
}

/** Text with bars in place of masked spans, and plain typographic signs. */
function maskText(text: string, prompt: string): string {
  const lower = text.toLowerCase();
  const masks = findMasks(text, lower.length === text.length ? lower : text, prompt.toLowerCase());
  let from = 0;
  let kept = "";
  for (const { start, end } of masks) {
    kept += `${text.slice(from, start)}¦`;
    from = end;
  }
  return normaliseSigns(kept + text.slice(from));
}

function normaliseSigns(text: string): string {
  return text
    .replaceAll(/[’‘ʼ]/g, "'")
    .replaceAll(/[‐‑]/g, "-")
    .replaceAll(/[\u00A0\u202F]/g, " ");
}

function parseLine(text: string): TextLine {
  const [marker, mark] = LINE_KIND_PATTERNS.find(([pattern]) => pattern.test(text)) ?? [DECORATION, "plain" as const];
  const start = marker.exec(text)?.[0].length ?? 0;
  const label = start + (DECORATION.exec(text.slice(start))?.[0].length ?? 0);
  return { text, mark, label, tokens: tokenize(text) };
}

/** Capitalised words and model numbers joined by a space or "&". */
function findRuns({ text, tokens }: TextLine): Token[][] {
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
  return runs.flatMap((run) => splitAtSites(text, run));
}

/** Splits at names of known sites of several words: "Tom's Guide Zenvora" gives Zenvora. */
function splitAtSites(text: string, run: Token[]): Token[][] {
  const parts: Token[][] = [[]];
  for (let at = 0; at < run.length; at++) {
    const end = findSiteEnd(text, run, at);
    const token = run[at];
    if (end > at) parts.push([]);
    else if (token) parts.at(-1)?.push(token);
    at = end;
  }
  return parts.filter(({ length }) => length > 0);
}

/** Index of the last token of the longest site name that starts at `at`, or `at`. */
function findSiteEnd(text: string, run: readonly Token[], at: number): number {
  const start = run[at]?.start ?? 0;
  let found = at;
  for (let last = at + 1; last < run.length; last++) {
    const name = text.slice(start, run[last]?.end);
    // Bounds the search: no site name is longer.
    if (name.length > MAX_SITE_NAME_LENGTH) break;
    if (isKnownSite(name)) found = last;
  }
  return found;
}

/** From the first word that is not plain to the first model number, without final plain words. */
function trimToName(run: readonly Token[]): string[] {
  if (run.length > MAX_CAPITALISED_WORDS) return [];
  const first = run.findIndex(({ kind, text }) => kind === "name" && !isPlainWord(text));
  if (first === -1) return [];
  const end = run.findIndex(({ kind }, at) => at > first && kind === "model");
  const words = run.slice(first, end === -1 ? undefined : end);
  while (words.length > 0 && isPlainWord(words.at(-1)?.text ?? "")) words.pop();
  // Keeps "&" between two words.
  const [start] = words;
  if (!start || words.length > MAX_WORDS) return [];
  return words.map(({ text }, at) => {
    const before = words[at - 1];
    return before && (words[at]?.start ?? 0) - before.end > 1 ? `& ${text}` : text;
  });
}

/** Names that the line is about, by start, with their signals. */
function findItems(line: TextLine): Map<number, NameSignal> {
  const cards = findCards(line);
  if (cards.size > 0) return cards;
  const direct = findLabelStart(line, line.label);
  if (direct !== undefined) return new Map([[direct, classifySignal(line, direct)]]);
  // "Best overall: Acme", and rows that start with a number.
  const category = /[:|–—]/.exec(line.text.slice(line.label, line.label + MAX_CATEGORY_LENGTH));
  if (!category || line.mark === "plain") return new Map();
  const second = line.label + category.index + 1;
  const behind = second + (DECORATION.exec(line.text.slice(second))?.[0].length ?? 0);
  const start = findLabelStart(line, behind);
  return new Map(start === undefined ? [] : [[start, classifySignal(line, start)]]);
}

/** Start of a run that is the whole label from `from` on. */
function findLabelStart(line: TextLine, from: number): number | undefined {
  const run = findRuns(line).find(([first]) => first?.start === from);
  const last = run?.at(-1);
  if (!run || !last || trimToName(run).length === 0) return undefined;
  return LABEL_END_PATTERN.test(line.text.slice(last.end)) ? from : undefined;
}

function classifySignal({ mark, text }: TextLine, start: number): NameSignal {
  if (mark === "row") return "table_row";
  if (mark === "heading") return "heading";
  if (mark !== "plain") return "list_item";
  return /\s[–—-]\s|:(?:\*\*)?\s/.test(text.slice(start)) ? "list_item" : "heading";
}

function findCards({ text }: TextLine): Map<number, NameSignal> {
  const cards = new Map<number, NameSignal>();
  const prices = [...text.matchAll(CARD_PRICE_PATTERN)];
  if (prices.length < 2) return cards;
  let from = 0;
  for (const price of prices) {
    const shop = [...text.slice(from, price.index).matchAll(SHOP_END_PATTERN)].at(-1);
    const title = from + (shop ? shop.index + shop[0].length : 0);
    cards.set(title + (DECORATION.exec(text.slice(title))?.[0].length ?? 0), "product_card");
    from = price.index + price[0].length;
  }
  return cards;
}

function findEmphasisSignal({ text }: TextLine, run: readonly Token[]): NameSignal | undefined {
  const [first] = run;
  const last = run.at(-1);
  if (!first || !last) return undefined;
  const [before, after] = [text.slice(Math.max(0, first.start - 2), first.start), text.slice(last.end, last.end + 2)];
  return before === after && (before === "**" || before === "__") ? "emphasised" : undefined;
}
