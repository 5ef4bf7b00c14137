import { hashStep, LONGEST_START, mayStartAlias } from "./alias-index.ts";
import type { AliasIndex, Walk } from "./alias-index.ts";
import type { FoldedText } from "./text-folding.ts";
import { insideSiteName } from "./text-masks.ts";
import type { Mask } from "./text-masks.ts";
import {
  classAt,
  classOf,
  endsAtSeam,
  HANGUL,
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

/** Aliases of a text, left to right, longest first, none over another, none inside a mask. */
export function findAliases(
  text: FoldedText,
  index: AliasIndex,
  masks: Mask[],
  accept: (found: Found) => boolean,
): Found[] {
  const found: Found[] = [];
  const search = { text, index, accept, found };
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
}

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
    let seam = false;
    let before = kind;
    let end = i + 1;
    for (; end < limit; end += 1) {
      const here = classOf(cased.charCodeAt(end));
      if (!runsOn(here)) break;
      // A capital or a digit after something else, or the first small letter after several capitals.
      if (here !== before && (here !== LOWER || (before === UPPER && end > i + 1))) seam = true;
      before = here;
      hash = hashStep(hash, lower.charCodeAt(end));
    }
    const hit = mayStartAlias(search.index, hash) ? matchAt(search, i, end, to) : undefined;
    const match = hit ?? (seam ? matchAtSeams(search, i, end, to) : undefined);
    if (match) search.found.push(match);
    i = match ? match.end : end;
  }
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
    const stop = walkTo(search.text, walk, start, end);
    if (stop === undefined || stop > to) continue;
    const found = { walk, start: start - walk.head.length, end: stop };
    if (search.accept(found)) return found;
  }
  return undefined;
}

function walkTo({ cased, lower }: FoldedText, walk: Walk, start: number, firstEnd: number): number | undefined {
  if (start < walk.head.length || !lower.startsWith(walk.head, start - walk.head.length)) return undefined;
  if (!startsWell(cased, walk, start)) return undefined;
  let position = firstEnd;
  for (let i = 0; i < walk.words.length; i += 1) {
    const word = walk.words[i] ?? "";
    if (i > 0) {
      const next = crossGap(lower, walk.gaps[i - 1] ?? "", position);
      if (next === undefined || !lower.startsWith(word, next)) return undefined;
      position = next + word.length;
    }
    const last = i === walk.words.length - 1;
    if (!(last ? endsWell(cased, walk, position) : endsRun(cased, position))) return undefined;
    if (walk.caseSensitive && cased.slice(position - word.length, position) !== walk.casedWords[i]) return undefined;
  }
  if (!lower.startsWith(walk.tail, position)) return undefined;
  const end = position + walk.tail.length;
  return !walk.dotted && insideSiteName(cased, start, end) ? undefined : end;
}

function startsWell(cased: string, walk: Walk, start: number): boolean {
  const kind = classAt(cased, start);
  const before = classAt(cased, start - 1);
  if (kind === HANGUL) return before !== HANGUL;
  if (!runsOn(kind) || !runsOn(before)) return true;
  if (walk.delicate) return startsAtPlainSeam(cased, start);
  return startsAtSeam(cased, start) || (walk.camel && startsAtLateSeam(cased, start));
}

/** A run ends between a letter or digit and anything else; every letter of an unspaced script ends its own. */
function endsRun(cased: string, position: number): boolean {
  return !runsOn(classAt(cased, position - 1)) || !runsOn(classAt(cased, position));
}

function endsWell(cased: string, walk: Walk, position: number): boolean {
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
