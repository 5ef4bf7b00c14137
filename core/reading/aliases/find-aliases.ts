import type { Span } from "../capture.ts";
import { MAX_ENDING_LENGTH } from "./endings.ts";
import { hashStep, MAX_PREFIX_LENGTH, mayStartAlias, type AliasIndex, type CompiledAlias } from "./alias-index.ts";
import type { FoldedText } from "./text-folding.ts";
import { isInsideDomain } from "./text-masks.ts";
import { isKnownSite } from "../../brands/known-sites.ts";
import {
  characterClassAt,
  getCharacterClass,
  canNameEndAt,
  HANGUL,
  KATAKANA,
  LOWER,
  OTHER_CLASS,
  isWordCharacter,
  canCamelCaseNameStartAt,
  canStrictNameStartAt,
  canNameStartAt,
  UPPER,
} from "./word-boundaries.ts";

/** An alias found in a folded text. Offsets are folded, end exclusive. */
export interface FoundAlias {
  walk: CompiledAlias;
  start: number;
  end: number;
}

export interface AliasSearchOptions {
  /** Spans of the text that the search skips. */
  masks: Span[];
  /** Accepts or rejects a candidate; after a rejection a shorter one is tried. */
  accept: (found: FoundAlias) => boolean;
  nameEndings?: ReadonlySet<string>;
  /** True for a text of a single case: only aliases marked by the customer keep their case. */
  isOneCase?: boolean;
}

const NO_ENDINGS: ReadonlySet<string> = new Set();

/** Finds aliases left to right, longest first, without overlaps and outside the masks. */
export function findAliases(text: FoldedText, index: AliasIndex, options: AliasSearchOptions): FoundAlias[] {
  const { masks, accept, nameEndings = NO_ENDINGS, isOneCase = false } = options;
  const found: FoundAlias[] = [];
  const search = { text, index, accept, found, nameEndings, isOneCase };
  let from = 0;
  for (const mask of masks) {
    scan(search, from, mask.start);
    from = mask.end;
  }
  scan(search, from, text.cased.length);
  return found;
}

interface AliasSearch {
  text: FoldedText;
  index: AliasIndex;
  accept: (found: FoundAlias) => boolean;
  found: FoundAlias[];
  nameEndings: ReadonlySet<string>;
  isOneCase: boolean;
}

/** Code unit of "s", the ending allowed in any text. */
const SMALL_S = 0x73;

/** Max length of a run, in code units; longer runs are split, which bounds the time per text. */
const MAX_RUN_LENGTH = 256;

/** Scans the words between two masks, hashing each word while searching its end. */
function scan(search: AliasSearch, from: number, to: number): void {
  const { cased, lower } = search.text;
  for (let i = from; i < to;) {
    const kind = getCharacterClass(cased.charCodeAt(i));
    if (kind === OTHER_CLASS) {
      i += 1;
      continue;
    }
    const limit = isWordCharacter(kind) ? Math.min(to, i + MAX_RUN_LENGTH) : i + 1;
    let hash = hashStep(0, lower.charCodeAt(i));
    let hashBefore = 0;
    let seam = false;
    let before = kind;
    let end = i + 1;
    for (; end < limit; end += 1) {
      const here = getCharacterClass(cased.charCodeAt(end));
      if (!isWordCharacter(here)) break;
      // Starts a part of a run: an upper-case letter or digit after another class, or the first
      // lower-case letter after capitals.
      if (here !== before && (here !== LOWER || (before === UPPER && end > i + 1))) seam = true;
      before = here;
      hashBefore = hash;
      hash = hashStep(hash, lower.charCodeAt(end));
    }
    let match = mayStartAlias(search.index, hash) ? matchAt(search, i, end, to) : undefined;
    if (!match && mayInflect(search, lower.charCodeAt(end - 1), hashBefore)) {
      match = matchInflected(search, i, end, to);
    }
    if (!match && seam) match = matchAtSeams(search, i, end, to);
    if (match) search.found.push(match);
    i = match ? match.end : end;
  }
}

/** Rejects most words fast. `last` is the last code unit, `hashBefore` the hash without it. */
function mayInflect({ index, nameEndings }: AliasSearch, last: number, hashBefore: number): boolean {
  return nameEndings.size > 1 || (last === SMALL_S && mayStartAlias(index, hashBefore));
}

/** Longest alias whose first word is a run without its ending ("Teslas"). */
function matchInflected(search: AliasSearch, start: number, end: number, to: number): FoundAlias | undefined {
  const { lower } = search.text;
  for (let e = end - 1; e > start && end - e <= MAX_ENDING_LENGTH; e -= 1) {
    if (!search.nameEndings.has(lower.slice(e, end))) continue;
    const found = search.index.byFirstWord.has(lower.slice(start, e)) ? matchAt(search, start, e, to) : undefined;
    if (found) return found;
  }
  return undefined;
}

/** First alias, and the longest there, that starts or ends at a seam of a run. */
function matchAtSeams(search: AliasSearch, start: number, end: number, to: number): FoundAlias | undefined {
  const { cased, lower } = search.text;
  for (let s = start; s < end; s += 1) {
    if (s > start && !canNameStartAt(cased, s) && !canCamelCaseNameStartAt(cased, s)) continue;
    let hash = 0;
    let longest: FoundAlias | undefined;
    const furthest = Math.min(end, s + search.index.longestFirstWord);
    for (let e = s + 1; e <= furthest; e += 1) {
      hash = hashStep(hash, lower.charCodeAt(e - 1));
      if (e === end ? s === start : !canNameEndAt(cased, e)) continue;
      if (mayStartAlias(search.index, hash)) longest = matchAt(search, s, e, to) ?? longest;
    }
    if (longest) return longest;
  }
  return undefined;
}

/** Longest alias that matches here with `start` to `end` as its first word. */
function matchAt(search: AliasSearch, wordStart: number, wordEnd: number, to: number): FoundAlias | undefined {
  const { lower } = search.text;
  const walks = search.index.byFirstWord.get(lower.slice(wordStart, wordEnd));
  if (!walks) return undefined;
  let match = matchFirst(search, walks.alwaysTried, { wordStart, wordEnd, to });
  if (walks.bySecondWord === null) return match;
  const second = skipWordGap(lower, " ", wordEnd);
  if (second === undefined) return match;
  for (let length = 1; length <= MAX_PREFIX_LENGTH; length += 1) {
    const alike = walks.bySecondWord.get(lower.slice(second, second + length));
    const found = alike && matchFirst(search, alike, { wordStart, wordEnd, to });
    if (found && !(match && match.walk.searchOrder < found.walk.searchOrder)) match = found;
  }
  return match;
}

function matchFirst(
  search: AliasSearch,
  walks: readonly CompiledAlias[],
  { wordStart, wordEnd, to }: { wordStart: number; wordEnd: number; to: number },
): FoundAlias | undefined {
  for (const walk of walks) {
    const stop = matchAlias(search, walk, wordStart, wordEnd);
    if (stop === undefined || stop > to) continue;
    const found = { walk, start: wordStart - walk.head.length, end: stop };
    if (search.accept(found)) return found;
  }
  return undefined;
}

function matchAlias(search: AliasSearch, walk: CompiledAlias, start: number, firstEnd: number): number | undefined {
  const { cased, lower } = search.text;
  if (start < walk.head.length || !lower.startsWith(walk.head, start - walk.head.length)) return undefined;
  if (!isValidStart(search, walk, start)) return undefined;
  let position = firstEnd;
  let ending = 0;
  for (let i = 0; i < walk.words.length; i += 1) {
    const word = walk.words[i] ?? "";
    if (i > 0) {
      const next = skipWordGap(lower, walk.wordGaps[i - 1] ?? "", position);
      if (next === undefined || !lower.startsWith(word, next)) return undefined;
      position = next + word.length;
    }
    const last = i === walk.words.length - 1;
    if (!(last ? isValidEnd(cased, walk, position) : isRunEnd(cased, position))) {
      ending = last ? measureEnding(search, walk, { start, position }) : 0;
      if (ending === 0) return undefined;
    }
    const matters = walk.isCaseSensitive && (walk.isMarkedCaseSensitive || !search.isOneCase);
    if (matters && cased.slice(position - word.length, position) !== walk.casedWords[i]) return undefined;
  }
  if (!lower.startsWith(walk.trailingSigns, position)) return undefined;
  const end = position + walk.trailingSigns.length + ending;
  return !walk.hasDot && isInsideDomain(cased, start, end) ? undefined : end;
}

/** 0 without an ending. A name in another case than written takes none. */
function measureEnding(
  { text, nameEndings, isOneCase }: AliasSearch,
  walk: CompiledAlias,
  at: { start: number; position: number },
): number {
  if (!walk.canInflect || nameEndings.size === 0 || (!isOneCase && !hasSameInitialCase(text.cased, walk, at.start)))
    return 0;
  let end = at.position;
  while (end - at.position <= MAX_ENDING_LENGTH && isWordCharacter(characterClassAt(text.cased, end))) end += 1;
  return nameEndings.has(text.lower.slice(at.position, end)) ? end - at.position : 0;
}

function hasSameInitialCase(cased: string, walk: CompiledAlias, start: number): boolean {
  return cased.charAt(start) === (walk.casedWords[0] ?? "").charAt(0);
}

function isValidStart({ text: { cased }, found }: AliasSearch, walk: CompiledAlias, start: number): boolean {
  const kind = characterClassAt(cased, start);
  const before = characterClassAt(cased, start - 1);
  if (kind === HANGUL) return before !== HANGUL;
  if (kind === KATAKANA) return before !== KATAKANA;
  if (!isWordCharacter(kind) || !isWordCharacter(before)) return true;
  if (!walk.isStrict)
    return canNameStartAt(cased, start) || (walk.isCamelCase && canCamelCaseNameStartAt(cased, start));
  return (
    canStrictNameStartAt(cased, start) ||
    (kind === UPPER && (isAfterFoundName(found, start) || isAfterKnownSite(cased, start)))
  );
}

/** True if a found name ends at `start`, as in table cells that ran together: "SonyBoseJBL". */
function isAfterFoundName(found: readonly FoundAlias[], start: number): boolean {
  return found.at(-1)?.end === start;
}

/** Known shop glued to a card's title: "StaplesHP Pavilion". */
function isAfterKnownSite(cased: string, start: number): boolean {
  const [site = ""] = /[\p{L}\p{N}.&'-]{3,30}$/u.exec(cased.slice(Math.max(0, start - 30), start)) ?? [];
  return site !== "" && isKnownSite(site.replace(/\.[a-z]{2,3}$/, ""));
}

/** True at the end of a run: next to a character that is no letter or digit. */
function isRunEnd(cased: string, position: number): boolean {
  return !isWordCharacter(characterClassAt(cased, position - 1)) || !isWordCharacter(characterClassAt(cased, position));
}

function isValidEnd(cased: string, walk: CompiledAlias, position: number): boolean {
  if (characterClassAt(cased, position - 1) === KATAKANA) return characterClassAt(cased, position) !== KATAKANA;
  return isRunEnd(cased, position) || (!walk.isStrict && canNameEndAt(cased, position));
}

/** Start of the next word if the alias's gap matches; never crosses the end of a paragraph. */
function skipWordGap(lower: string, gap: string, position: number): number | undefined {
  if (gap !== " ") {
    const bare = gap.trim();
    if (bare === gap) return lower.startsWith(gap, position) ? position + gap.length : undefined;
    const at = skipSpaces(lower, position);
    return lower.startsWith(bare, at) ? skipSpaces(lower, at + bare.length) : undefined;
  }
  let next = position;
  let lines = 0;
  while (next - position < 4 && /[\s-]/.test(lower.charAt(next))) {
    if (lower.charAt(next) === "\n") lines += 1;
    next += 1;
  }
  return next > position && lines < 2 ? next : undefined;
}

function skipSpaces(lower: string, position: number): number {
  let next = position;
  while (lower.charAt(next) === " ") next += 1;
  return next;
}
