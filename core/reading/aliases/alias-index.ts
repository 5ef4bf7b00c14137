import { isCommonWord, isSentenceOpener } from "./common-words.ts";
import { foldText } from "./text-folding.ts";
import {
  characterClassAt,
  HANGUL,
  KATAKANA,
  LOWER,
  findRunEnd,
  isWordCharacter,
  UNSPACED,
  UPPER,
} from "./word-boundaries.ts";

/** `gaps[i]` precedes `words[i + 1]`; a gap of " " matches any mix of spaces and hyphens. */
export interface CompiledAlias {
  /** Catalog index of the brand. */
  brand: number;
  aliasText: string;
  head: string;
  words: string[];
  casedWords: string[];
  wordGaps: string[];
  trailingSigns: string;
  isCaseSensitive: boolean;
  /** Marked as case-sensitive by the customer, so its case counts in single-case texts too. */
  isMarkedCaseSensitive: boolean;
  /** True for a short name or plain word, which glued text accepts only under stricter rules. */
  isStrict: boolean;
  /** At the start of a sentence, a plain word needs another sign that it is a name. */
  isPlainWord: boolean;
  /** True if the alias may take inflectional endings: four letters or more, and no plain word. */
  canInflect: boolean;
  /** True if a capital follows a lower-case letter ("iPhone"). */
  isCamelCase: boolean;
  /** True for a word that often opens a sentence that is not about the brand. */
  isSentenceOpener: boolean;
  /** True if the alias contains a dot, so that it may match in a bare domain ("Booking.com"). */
  hasDot: boolean;
  aliasLength: number;
  /** Order among aliases with the same first word: longest first, then as given. */
  searchOrder: number;
}

/** Aliases with the same first word, in order. */
export interface FirstWordAliases {
  /** Aliases tried at each occurrence of the first word. */
  alwaysTried: CompiledAlias[];
  /** Other aliases by the start of their second word; null if there are few. */
  bySecondWord: Map<string, CompiledAlias[]> | null;
}

/** Aliases by first word, with a bit set of hashes that skips most lookups. */
export interface AliasIndex {
  byFirstWord: Map<string, FirstWordAliases>;
  firstWordBits: Uint32Array;
  /** Length of the longest first word, in code units; bounds the lookup within a run. */
  longestFirstWord: number;
}

export interface AliasSource {
  brand: number;
  text: string;
  isCaseSensitive: boolean;
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
const MIN_INFLECTED_LENGTH = 4;

/** One letter of an unspaced script, else the run of letters and digits. */
function findWordEnd(text: string, position: number): number {
  const kind = characterClassAt(text, position);
  return isUnspaced(kind) ? position + 1 : findRunEnd(text, position);
}

function isUnspaced(kind: number): boolean {
  return kind === UNSPACED || kind === HANGUL || kind === KATAKANA;
}

function isWord(text: string, position: number): boolean {
  const kind = characterClassAt(text, position);
  return isWordCharacter(kind) || isUnspaced(kind);
}

function isLetter(text: string, position: number): boolean {
  const kind = characterClassAt(text, position);
  return kind === LOWER || kind === UPPER;
}

/** Returns undefined for an alias without letters and digits. */
function compileAlias({ brand, text, isCaseSensitive }: AliasSource): CompiledAlias | undefined {
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
    const end = findWordEnd(cased, i);
    gaps.push(/^[\s-]+$/.test(between) ? " " : between);
    words.push(lower.slice(i, end));
    casedWords.push(cased.slice(i, end));
    between = "";
    i = end;
  }
  const first = words[0];
  if (first === undefined) return undefined;
  const short = cased.length <= 3 && isWordCharacter(characterClassAt(cased, 0));
  const opener = isSentenceOpener(lower);
  const common = opener || isCommonWord(lower);
  return {
    brand,
    aliasText: text,
    head: (gaps[0] ?? "").trim(),
    words,
    casedWords,
    wordGaps: gaps.slice(1),
    trailingSigns: between.trim(),
    isCaseSensitive: isCaseSensitive || short || common,
    isMarkedCaseSensitive: isCaseSensitive,
    isStrict: short || common,
    isPlainWord: common,
    canInflect: !common && lower.length >= MIN_INFLECTED_LENGTH && isLetter(cased, cased.length - 1),
    isCamelCase: /^\p{Ll}\p{Lu}/u.test(cased),
    isSentenceOpener: opener,
    hasDot: cased.includes("."),
    aliasLength: lower.length,
    searchOrder: 0,
  };
}

/** Up to this many aliases are tried one by one. */
const MAX_UNINDEXED_ALIASES = 8;
/** Length of the second word's prefix that is looked up, in code units. */
export const MAX_PREFIX_LENGTH = 3;

/** Bounds the aliases tried at one position if many names share a first word ("Bank of …"). */
function groupAliases(walks: CompiledAlias[]): FirstWordAliases {
  walks.sort((a, b) => b.aliasLength - a.aliasLength);
  for (const [order, walk] of walks.entries()) walk.searchOrder = order;
  if (walks.length <= MAX_UNINDEXED_ALIASES) return { alwaysTried: walks, bySecondWord: null };
  const alwaysTried: CompiledAlias[] = [];
  const bySecondWord = new Map<string, CompiledAlias[]>();
  for (const walk of walks) {
    const second = walk.words[1];
    if (second === undefined || walk.wordGaps[0] !== " ") {
      alwaysTried.push(walk);
      continue;
    }
    const start = second.slice(0, MAX_PREFIX_LENGTH);
    const alike = bySecondWord.get(start);
    if (alike) alike.push(walk);
    else bySecondWord.set(start, [walk]);
  }
  return { alwaysTried, bySecondWord };
}

/** Among equal aliases the first source wins, so catalog order decides between brands. */
export function buildAliasIndex(sources: AliasSource[]): AliasIndex {
  const sameFirstWord = new Map<string, CompiledAlias[]>();
  const firstWordBits = new Uint32Array(BITS / 32);
  for (const source of sources) {
    const walk = compileAlias(source);
    const first = walk?.words[0];
    if (walk === undefined || first === undefined) continue;
    const walks = sameFirstWord.get(first);
    if (walks) walks.push(walk);
    else sameFirstWord.set(first, [walk]);
    markFirstWord(firstWordBits, first);
  }
  const byFirstWord = new Map([...sameFirstWord].map(([word, walks]) => [word, groupAliases(walks)]));
  let longestFirstWord = 0;
  for (const word of byFirstWord.keys()) longestFirstWord = Math.max(longestFirstWord, word.length);
  return { byFirstWord, firstWordBits, longestFirstWord };
}
