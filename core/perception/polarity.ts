import { HEDGES, INTENSIFIERS, NEGATIONS, POLAR_PHRASES, POLAR_WORDS } from "./english-words.ts";

/** What a clause says: above zero praise, below zero blame; 0 where it judges nothing. */
export interface Polarity {
  score: number;
  isHedged: boolean;
}

interface Word {
  start: number;
  text: string;
}

const LONGEST_CLAUSE = 400;
/** How many words a negation reaches. */
const REACH = 4;
/** "Less", "not as" and "too" turn what follows into the opposite, like a negation. */
const TURNS = new Set(["less", "fewer", "too", "least"]);
/** Of a choice and of no property: "a great pick", "best overall". */
const PICKS =
  /\b(?:best|top|great|good|solid|strong|excellent|nice|decent|compelling|leading|standout|fine|popular|better|attractive|smart|safe|viable|worthwhile|balanced|ideal|perfect|favou?rite|number one)(?:(?: [\w/&+'$,-]{1,40}){0,3}?|-[\w/&+'$,-]{1,40}(?: [\w/&+'$,-]{1,40}){0,2}?)[ -](?:picks?|choices?|options?|contenders?|alternatives?|bets?|recommendations?|candidates?|all-rounders?|all-around|compromise|overall|middle ground|flagship|entry|model|value)\b|\bbest (?:overall|value|budget|premium|for)\b|\bthe best\b(?= (?:\w{1,40} ){0,3}(?:you can|on the market|under|in \d))|\bone of the (?:\w{1,40} )?(?:best|better|top)\b|\btop[ -](?:pick|rated|choice|recommended|bet)\b|\bmy (?:best|top)\b/g;

/** Plain apostrophes and hyphens in place of typographic ones, of the same length, in small letters. */
export function plainWords(text: string): string {
  const lower = text.toLowerCase();
  return (lower.length === text.length ? lower : text).replace(/[’‘]/g, "'").replace(/[‐‑]/g, "-");
}

/** What a clause states of its subject: "fast charging is moderate" blames. */
const PREDICATE = /\b(?:is|are|was|remains?|feels?|seems?|looks?|sounds?)(?:n't)?\s/;

/**
 * Reads an English clause by its words, with what turns them: negation, "less", "too", and phrases of several words. What it states decides
 * over how it calls its subject.
 */
export function polarityOf(clause: string, countsPicks = false): Polarity {
  const words = plainWords(clause.slice(0, LONGEST_CLAUSE));
  const stated = PREDICATE.exec(words);
  const predicate = stated ? sumOf(words.slice(stated.index), countsPicks) : undefined;
  return predicate && predicate.score !== 0 ? predicate : sumOf(words, countsPicks);
}

function sumOf(clause: string, countsPicks: boolean): Polarity {
  let rest = clause;
  let score = 0;
  if (!countsPicks) rest = rest.replace(PICKS, (pick) => " ".repeat(pick.length));
  for (const [phrase, strength] of POLAR_PHRASES) {
    rest = rest.replace(phrase, (found) => {
      score += strength;
      return " ".repeat(found.length);
    });
  }
  const words = wordsOf(rest);
  let isHedged = false;
  for (const [i, { text }] of words.entries()) {
    if (HEDGES.has(text)) isHedged = true;
    const strength = POLAR_WORDS.get(text);
    if (strength !== undefined) score += turned(words, i, strength);
  }
  return { score, isHedged };
}

function wordsOf(text: string): Word[] {
  return [...text.matchAll(/[\p{L}\d][\p{L}\d'-]*/gu)].map((match) => ({ start: match.index, text: match[0] }));
}

function turned(words: readonly Word[], i: number, strength: number): number {
  const before = words.slice(Math.max(0, i - REACH), i).map(({ text }) => text);
  const last = before.at(-1) ?? "";
  const stronger = INTENSIFIERS.has(last) ? Math.sign(strength) : 0;
  const negation = before.findLastIndex((word) => NEGATIONS.has(word));
  const isNegated = negation !== -1 && !/^(?:just|only|merely)$/.test(before[negation + 1] ?? "");
  const isTurned = isNegated !== (TURNS.has(last) && strength > 0);
  return isTurned ? -(strength + stronger) : strength + stronger;
}
