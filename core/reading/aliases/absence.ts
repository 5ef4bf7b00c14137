import { CLAUSE_END, FILLER, HINT, IS_ABSENT, NEEDS_CLAUSE_END, NOTHING_ABOUT } from "./absence-words.ts";
import type { Found } from "./find-aliases.ts";

/** What may stand between two names of which both are absent. */
const JOINED = /^[\s"'“”„*]*(?:,|\/|&)?\s*(?:(?:or|and|nor|oder|und|noch|ou|et|ni|o|y|e)\s)?[\s"'“”„*]*$/;
/** Mentions that only say that nothing is known of the brand. `lower` is the folded text, `found` ascending. */
export function absentNames(lower: string, found: Found[]): Set<Found> {
  const absent = new Set<Found>();
  if (!HINT.test(lower)) return absent;
  let last: Found | undefined;
  for (const name of found) {
    const from = sentenceStart(lower, name.start);
    const joined = last !== undefined && last.end > from && JOINED.test(lower.slice(last.end, name.start));
    if (joined || followsAbsence(lower, from, name) || precedesAbsence(lower, name.end)) {
      // A possessive names something of the brand that is missing, not the brand.
      if (/^'s\b/.test(lower.slice(name.end, name.end + 3))) continue;
      absent.add(name);
      last = name;
    }
  }
  return absent;
}

function followsAbsence(lower: string, from: number, { start, end }: Found): boolean {
  const before = lower.slice(from, start);
  if (!HINT.test(before)) return false;
  for (const { 0: statement, index } of before.matchAll(NOTHING_ABOUT)) {
    if (!FILLER.test(before.slice(index + statement.length))) continue;
    if (!NEEDS_CLAUSE_END.test(statement) || CLAUSE_END.test(lower.slice(end, end + 30))) return true;
  }
  return false;
}

function precedesAbsence(lower: string, end: number): boolean {
  return IS_ABSENT.test(lower.slice(end, end + LONGEST_STATEMENT));
}

/** In code units. */
const LONGEST_STATEMENT = 120;

/** At most 200 characters back: a statement of absence is short. */
function sentenceStart(lower: string, position: number): number {
  const floor = Math.max(0, position - 200);
  for (let i = position - 1; i >= floor; i -= 1) {
    const character = lower.charAt(i);
    if ("\n!?;。".includes(character)) return i + 1;
    if (character === "." && (lower.charAt(i + 1) === " " || lower.charAt(i + 1) === "\n")) return i + 1;
  }
  return floor;
}
