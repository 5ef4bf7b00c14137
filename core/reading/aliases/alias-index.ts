import { isCommonWord, opensSentences } from "./common-words.ts";
import { foldText } from "./text-folding.ts";
import { classAt, HANGUL, KATAKANA, LOWER, runEnd, runsOn, UNSPACED, UPPER } from "./word-boundaries.ts";

/**
 * An alias as words and gaps. `gaps[i]` precedes `words[i + 1]`; a gap of " " matches any mix of
 * spaces and hyphens.
 */
export interface Walk {
  /** Catalog index of the brand. */
  brand: number;
  alias: string;
  head: string;
  words: string[];
  casedWords: string[];
  gaps: string[];
  tail: string;
  caseSensitive: boolean;
  /** Marked as case-sensitive by the customer, so its case counts in single-case texts too. */
  marked: boolean;
  /** Short, or a plain word: accepted in glued text only under stricter rules. */
  delicate: boolean;
  /** A plain word: at the start of a sentence it needs another sign that it is a name. */
  ordinary: boolean;
  /** May take inflectional endings: four letters or more, and no plain word. */
  inflects: boolean;
  /** Lower case, then upper case ("iPhone"). */
  camel: boolean;
  /** A word that often opens a sentence that is not about the brand. */
  opener: boolean;
  /** Contains a dot, so that it may match in a bare domain ("Booking.com"). */
  dotted: boolean;
  length: number;
  /** Order among walks with the same first word: longest first, then as given. */
  order: number;
}

/** Walks with the same first word, in order. */
export interface Walks {
  /** Tried at each occurrence of the first word. */
  always: Walk[];
  /** Other walks by the start of their second word; null if there are few. */
  bySecondWord: Map<string, Walk[]> | null;
}

/** Walks by first word, with a bit set of hashes that skips most lookups. */
export interface AliasIndex {
  byFirstWord: Map<string, Walks>;
  firstWordBits: Uint32Array;
  /** In code units; bounds the lookup within a run. */
  longestFirstWord: number;
}

export interface AliasSource {
  brand: number;
  text: string;
  caseSensitive: boolean;
}

const BITS = 1 << 18;

/** Rolling hash over the characters of a word, shared by index and search. */
export function hashStep(hash: number, unit: number): number {
  return (Math.imul(hash, 31) + unit) | 0;
}

export function mayStartAlias(index: AliasIndex, hash: number): boolean {
  const bit = (hash ^ (hash >>> 15)) & (BITS - 1);
  return ((index.firstWordBits[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0;
}

function markFirstWord(bits: Uint32Array, word: string): void {
  let hash = 0;
  for (let i = 0; i < word.length; i += 1) hash = hashStep(hash, word.charCodeAt(i));
  const bit = (hash ^ (hash >>> 15)) & (BITS - 1);
  bits[bit >>> 5] = (bits[bit >>> 5] ?? 0) | (1 << (bit & 31));
}

/** Min length of an alias that takes endings; shorter ones collide with other words. */
const LEAST_INFLECTED = 4;

/**
 * End of the word at `position`: one letter of an unspaced script, else the run of letters and
 * digits.
 */
function wordEnd(text: string, position: number): number {
  const kind = classAt(text, position);
  return isUnspaced(kind) ? position + 1 : runEnd(text, position);
}

function isUnspaced(kind: number): boolean {
  return kind === UNSPACED || kind === HANGUL || kind === KATAKANA;
}

function isWord(text: string, position: number): boolean {
  const kind = classAt(text, position);
  return runsOn(kind) || isUnspaced(kind);
}

function isLetter(text: string, position: number): boolean {
  const kind = classAt(text, position);
  return kind === LOWER || kind === UPPER;
}

/** Returns undefined for an alias without letters and digits. */
function compileWalk({ brand, text, caseSensitive }: AliasSource): Walk | undefined {
  const { cased, lower } = foldText(text.trim());
  const words: string[] = [];
  const casedWords: string[] = [];
  const gaps: string[] = [];
  let between = "";
  for (let i = 0; i < cased.length;) {
    if (!isWord(cased, i)) {
      between += lower.charAt(i);
      i += 1;
      continue;
    }
    const end = wordEnd(cased, i);
    gaps.push(/^[\s-]+$/.test(between) ? " " : between);
    words.push(lower.slice(i, end));
    casedWords.push(cased.slice(i, end));
    between = "";
    i = end;
  }
  const first = words[0];
  if (first === undefined) return undefined;
  const short = cased.length <= 3 && runsOn(classAt(cased, 0));
  const opener = opensSentences(lower);
  const common = opener || isCommonWord(lower);
  return {
    brand,
    alias: text,
    head: (gaps[0] ?? "").trim(),
    words,
    casedWords,
    gaps: gaps.slice(1),
    tail: between.trim(),
    caseSensitive: caseSensitive || short || common,
    marked: caseSensitive,
    delicate: short || common,
    ordinary: common,
    inflects: !common && lower.length >= LEAST_INFLECTED && isLetter(cased, cased.length - 1),
    camel: /^\p{Ll}\p{Lu}/u.test(cased),
    opener,
    dotted: cased.includes("."),
    length: lower.length,
    order: 0,
  };
}

/** Up to this many walks are tried one by one. */
const FEW_WALKS = 8;
/** Length of the second word's prefix that is looked up, in code units. */
export const LONGEST_START = 3;

/** Bounds the walks tried at one position if many names share a first word ("Bank of …"). */
function orderWalks(walks: Walk[]): Walks {
  walks.sort((a, b) => b.length - a.length);
  for (const [order, walk] of walks.entries()) walk.order = order;
  if (walks.length <= FEW_WALKS) return { always: walks, bySecondWord: null };
  const always: Walk[] = [];
  const bySecondWord = new Map<string, Walk[]>();
  for (const walk of walks) {
    const second = walk.words[1];
    if (second === undefined || walk.gaps[0] !== " ") {
      always.push(walk);
      continue;
    }
    const start = second.slice(0, LONGEST_START);
    const alike = bySecondWord.get(start);
    if (alike) alike.push(walk);
    else bySecondWord.set(start, [walk]);
  }
  return { always, bySecondWord };
}

/**
 * Builds the index. Among equal walks the first source wins, so catalog order decides between
 * brands that share an alias.
 */
export function buildAliasIndex(sources: AliasSource[]): AliasIndex {
  const sameFirstWord = new Map<string, Walk[]>();
  const firstWordBits = new Uint32Array(BITS / 32);
  for (const source of sources) {
    const walk = compileWalk(source);
    const first = walk?.words[0];
    if (walk === undefined || first === undefined) continue;
    const walks = sameFirstWord.get(first);
    if (walks) walks.push(walk);
    else sameFirstWord.set(first, [walk]);
    markFirstWord(firstWordBits, first);
  }
  const byFirstWord = new Map([...sameFirstWord].map(([word, walks]) => [word, orderWalks(walks)]));
  let longestFirstWord = 0;
  for (const word of byFirstWord.keys()) longestFirstWord = Math.max(longestFirstWord, word.length);
  return { byFirstWord, firstWordBits, longestFirstWord };
}
