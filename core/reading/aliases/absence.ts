import {
  CLAUSE_END_PATTERN,
  FILLER_WORDS_PATTERN,
  ABSENCE_HINT_PATTERN,
  ABSENCE_AFTER_NAME_PATTERN,
  CLAUSE_END_ABSENCE_PATTERN,
  ABSENCE_BEFORE_NAME_PATTERN,
} from "./absence-words.ts";
import type { FoundAlias } from "./find-aliases.ts";

/** Matches text between two names that one statement of absence covers. */
const NAME_JOINT_PATTERN =
  /^[\s"'“”„*]*(?:(?:[,/&](?:\s*(?:or|and|nor|oder|und|noch|ou|et|ni|o|y|e)\s)?|(?:or|and|nor|oder|und|noch|ou|et|ni|o|y|e)\s)[\s"'“”„*]*)?$/;

/** Max text before and after a name that is searched, in code units. */
const MAX_TEXT_BEFORE = 200;
const MAX_TEXT_AFTER = 120;

/** Mentions in statements that the brand is unknown. `lower` is folded text, `found` ascending. */
export function findAbsentNames(lower: string, names: FoundAlias[]): Set<FoundAlias> {
  const absent = new Set<FoundAlias>();
  const hints = findHints(lower);
  if (hints.length === 0) return absent;
  let last: FoundAlias | undefined;
  for (const name of names) {
    const isNear = hasBetween(hints, name.start - MAX_TEXT_BEFORE, name.end + MAX_TEXT_AFTER);
    if (!isNear && (last === undefined || last.end < name.start - MAX_TEXT_BEFORE)) continue;
    const from = findSentenceStart(lower, name.start);
    const joined = last !== undefined && last.end > from && NAME_JOINT_PATTERN.test(lower.slice(last.end, name.start));
    if (joined || isPrecededByAbsence(lower, from, name, hints) || isFollowedByAbsence(lower, name.end, hints)) {
      // Skips a possessive: a thing of the brand is missing, not the brand.
      if (/^'s\b/.test(lower.slice(name.end, name.end + 3))) continue;
      absent.add(name);
      last = name;
    }
  }
  return absent;
}

/** Offsets of absence hints, ascending. */
function findHints(lower: string): number[] {
  return Array.from(lower.matchAll(ABSENCE_HINT_PATTERN), ({ index }) => index);
}

function hasBetween(hints: readonly number[], from: number, to: number): boolean {
  let low = 0;
  let high = hints.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((hints[middle] ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  return (hints[low] ?? Infinity) < to;
}

function isPrecededByAbsence(
  lower: string,
  from: number,
  { start, end }: FoundAlias,
  hints: readonly number[],
): boolean {
  if (!hasBetween(hints, from, start)) return false;
  const before = lower.slice(from, start);
  for (const { 0: statement, index } of before.matchAll(ABSENCE_BEFORE_NAME_PATTERN)) {
    if (!FILLER_WORDS_PATTERN.test(before.slice(index + statement.length))) continue;
    if (!CLAUSE_END_ABSENCE_PATTERN.test(statement) || CLAUSE_END_PATTERN.test(lower.slice(end, end + 30))) return true;
  }
  return false;
}

function isFollowedByAbsence(lower: string, end: number, hints: readonly number[]): boolean {
  const to = end + MAX_TEXT_AFTER;
  return hasBetween(hints, end, to) && ABSENCE_AFTER_NAME_PATTERN.test(lower.slice(end, to));
}

/** Start of the sentence, at most MAX_TEXT_BEFORE back. */
function findSentenceStart(lower: string, position: number): number {
  const floor = Math.max(0, position - MAX_TEXT_BEFORE);
  for (let i = position - 1; i >= floor; i -= 1) {
    const character = lower.charAt(i);
    if ("\n!?;。".includes(character)) return i + 1;
    if (character === "." && (lower.charAt(i + 1) === " " || lower.charAt(i + 1) === "\n")) return i + 1;
  }
  return floor;
}
