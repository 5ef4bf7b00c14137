import type { Span } from "../capture.ts";
import { LONGEST_ENDING } from "./endings.ts";
import { hashStep, LONGEST_START, mayStartAlias } from "./alias-index.ts";
import type { AliasIndex, Walk } from "./alias-index.ts";
import type { FoldedText } from "./text-folding.ts";
import { insideSiteName } from "./text-masks.ts";
import { isKnownSite } from "../../brands/known-sites.ts";
import {
  classAt,
  classOf,
  endsAtSeam,
  HANGUL,
  KATAKANA,
  LOWER,
  OTHER,
  runsOn,
  startsAtLateSeam,
  startsAtPlainSeam,
  startsAtSeam,
  UPPER,
} from "./word-boundaries.ts";

/** A walk found in a folded text. Offsets are folded; end exclusive. */
export interface Found {
  walk: Walk;
  start: number;
  end: number;
}

export interface AliasSearch {
  /** Stretches that are not read. */
  masks: Span[];
  /** Takes a candidate or refuses it: then a shorter one is tried. */
  accept: (found: Found) => boolean;
  /** Endings that names may take here. */
  endings?: ReadonlySet<string>;
  /** The text is of one case, so that only aliases whose case the customer marked keep theirs. */
  oneCase?: boolean;
}

const NO_ENDINGS: ReadonlySet<string> = new Set();

/** Aliases of a text, left to right, longest first, none over another, none inside a mask. */
export function findAliases(text: FoldedText, index: AliasIndex, options: AliasSearch): Found[] {
  const { masks, accept, endings = NO_ENDINGS, oneCase = false } = options;
  const found: Found[] = [];
  const search = { text, index, accept, found, endings, oneCase };
  let from = 0;
  for (const mask of masks) {
    scan(search, from, mask.start);
    from = mask.end;
  }
  scan(search, from, text.cased.length);
  return found;
}

interface Search {
  text: FoldedText;
  index: AliasIndex;
  accept: (found: Found) => boolean;
  found: Found[];
  endings: ReadonlySet<string>;
  oneCase: boolean;
}

/** The ending that any text may have. */
const SMALL_S = 0x73;

/** A longer run of letters is no word; it is read in pieces, so that none makes a text slow to read. */
const LONGEST_RUN = 256;

/** Walks the words of one stretch. The hash of a word is rolled while its end is looked for. */
function scan(search: Search, from: number, to: number): void {
  const { cased, lower } = search.text;
  for (let i = from; i < to;) {
    const kind = classOf(cased.charCodeAt(i));
    if (kind === OTHER) {
      i += 1;
      continue;
    }
    const limit = runsOn(kind) ? Math.min(to, i + LONGEST_RUN) : i + 1;
    let hash = hashStep(0, lower.charCodeAt(i));
    let hashBefore = 0;
    let seam = false;
    let before = kind;
    let end = i + 1;
    for (; end < limit; end += 1) {
      const here = classOf(cased.charCodeAt(end));
      if (!runsOn(here)) break;
      // A capital or a digit after something else, or the first small letter after several capitals.
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

/** False for most words: `last` is the last unit of one, `hashBefore` the hash of what stands before that. */
function mayInflect({ index, endings }: Search, last: number, hashBefore: number): boolean {
  return endings.size > 1 || (last === SMALL_S && mayStartAlias(index, hashBefore));
}

/** The longest walk whose first word is a run without its ending ("Teslas"). */
function matchInflected(search: Search, start: number, end: number, to: number): Found | undefined {
  const { lower } = search.text;
  for (let e = end - 1; e > start && end - e <= LONGEST_ENDING; e -= 1) {
    if (!search.endings.has(lower.slice(e, end))) continue;
    const found = search.index.byFirstWord.has(lower.slice(start, e)) ? matchAt(search, start, e, to) : undefined;
    if (found) return found;
  }
  return undefined;
}

/** The first and there the longest walk that starts or ends at a seam of a run. */
function matchAtSeams(search: Search, start: number, end: number, to: number): Found | undefined {
  const { cased, lower } = search.text;
  for (let s = start; s < end; s += 1) {
    if (s > start && !startsAtSeam(cased, s) && !startsAtLateSeam(cased, s)) continue;
    let hash = 0;
    let longest: Found | undefined;
    const furthest = Math.min(end, s + search.index.longestFirstWord);
    for (let e = s + 1; e <= furthest; e += 1) {
      hash = hashStep(hash, lower.charCodeAt(e - 1));
      if (e === end ? s === start : !endsAtSeam(cased, e)) continue;
      if (mayStartAlias(search.index, hash)) longest = matchAt(search, s, e, to) ?? longest;
    }
    if (longest) return longest;
  }
  return undefined;
}

/** The longest walk whose first word is `start` to `end` and that fits here. */
function matchAt(search: Search, start: number, end: number, to: number): Found | undefined {
  const { lower } = search.text;
  const walks = search.index.byFirstWord.get(lower.slice(start, end));
  if (!walks) return undefined;
  let match = matchAmong(search, walks.always, { start, end, to });
  if (walks.bySecondWord === null) return match;
  const second = crossGap(lower, " ", end);
  if (second === undefined) return match;
  for (let length = 1; length <= LONGEST_START; length += 1) {
    const alike = walks.bySecondWord.get(lower.slice(second, second + length));
    const found = alike && matchAmong(search, alike, { start, end, to });
    if (found && !(match && match.walk.order < found.walk.order)) match = found;
  }
  return match;
}

function matchAmong(
  search: Search,
  walks: readonly Walk[],
  { start, end, to }: { start: number; end: number; to: number },
): Found | undefined {
  for (const walk of walks) {
    const stop = walkTo(search, walk, start, end);
    if (stop === undefined || stop > to) continue;
    const found = { walk, start: start - walk.head.length, end: stop };
    if (search.accept(found)) return found;
  }
  return undefined;
}

function walkTo(search: Search, walk: Walk, start: number, firstEnd: number): number | undefined {
  const { cased, lower } = search.text;
  if (start < walk.head.length || !lower.startsWith(walk.head, start - walk.head.length)) return undefined;
  if (!startsWell(search, walk, start)) return undefined;
  let position = firstEnd;
  let ending = 0;
  for (let i = 0; i < walk.words.length; i += 1) {
    const word = walk.words[i] ?? "";
    if (i > 0) {
      const next = crossGap(lower, walk.gaps[i - 1] ?? "", position);
      if (next === undefined || !lower.startsWith(word, next)) return undefined;
      position = next + word.length;
    }
    const last = i === walk.words.length - 1;
    if (!(last ? endsWell(cased, walk, position) : endsRun(cased, position))) {
      ending = last ? endingAt(search, walk, { start, position }) : 0;
      if (ending === 0) return undefined;
    }
    const matters = walk.caseSensitive && (walk.marked || !search.oneCase);
    if (matters && cased.slice(position - word.length, position) !== walk.casedWords[i]) return undefined;
  }
  if (!lower.startsWith(walk.tail, position)) return undefined;
  const end = position + walk.tail.length + ending;
  return !walk.dotted && insideSiteName(cased, start, end) ? undefined : end;
}

/** How long the ending is that a name takes at its end; 0 where it takes none. A name in small letters is no name then. */
function endingAt({ text, endings, oneCase }: Search, walk: Walk, at: { start: number; position: number }): number {
  if (!walk.inflects || endings.size === 0 || (!oneCase && !startsAsWritten(text.cased, walk, at.start))) return 0;
  let end = at.position;
  while (end - at.position <= LONGEST_ENDING && runsOn(classAt(text.cased, end))) end += 1;
  return endings.has(text.lower.slice(at.position, end)) ? end - at.position : 0;
}

function startsAsWritten(cased: string, walk: Walk, start: number): boolean {
  return cased.charAt(start) === (walk.casedWords[0] ?? "").charAt(0);
}

function startsWell({ text: { cased }, found }: Search, walk: Walk, start: number): boolean {
  const kind = classAt(cased, start);
  const before = classAt(cased, start - 1);
  if (kind === HANGUL) return before !== HANGUL;
  if (kind === KATAKANA) return before !== KATAKANA;
  if (!runsOn(kind) || !runsOn(before)) return true;
  if (!walk.delicate) return startsAtSeam(cased, start) || (walk.camel && startsAtLateSeam(cased, start));
  return (
    startsAtPlainSeam(cased, start) || (kind === UPPER && (followsName(found, start) || followsSite(cased, start)))
  );
}

/** Cells of a row that ran together: "SonyBoseJBL". */
function followsName(found: readonly Found[], start: number): boolean {
  return found.at(-1)?.end === start;
}

/** The shop of a product card runs into its title: "StaplesHP Pavilion", "Saturn.deJBL". */
function followsSite(cased: string, start: number): boolean {
  const [site = ""] = /[\p{L}\p{N}.&'-]{3,30}$/u.exec(cased.slice(Math.max(0, start - 30), start)) ?? [];
  return site !== "" && isKnownSite(site.replace(/\.[a-z]{2,3}$/, ""));
}

/** A run ends between a letter or digit and anything else; every letter of an unspaced script ends its own. */
function endsRun(cased: string, position: number): boolean {
  return !runsOn(classAt(cased, position - 1)) || !runsOn(classAt(cased, position));
}

function endsWell(cased: string, walk: Walk, position: number): boolean {
  if (classAt(cased, position - 1) === KATAKANA) return classAt(cased, position) !== KATAKANA;
  return endsRun(cased, position) || (!walk.delicate && endsAtSeam(cased, position));
}

/** Where the next word starts, if the text between is what the alias has there. A paragraph's end is never crossed. */
function crossGap(lower: string, gap: string, position: number): number | undefined {
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
