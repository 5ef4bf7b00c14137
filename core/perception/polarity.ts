import { HEDGE_WORDS, INTENSIFIER_WORDS, NEGATION_WORDS, POLAR_PHRASES, POLAR_WORDS } from "./english-words.ts";

/** Polarity of a clause: above 0 praise, below 0 blame. */
export interface ClausePolarity {
  score: number;
  isHedged: boolean;
}

interface PolarWord {
  start: number;
  text: string;
}

const MAX_CLAUSE_LENGTH = 400;
const MAX_NEGATED_WORDS = 4;
/** Words that invert the polarity of the next word, like a negation. */
const INVERTING_WORDS = new Set(["less", "fewer", "too", "least"]);
/** Matches praise of a choice, not of a property: "a great pick", "best overall". */
const CHOICE_PRAISE_PATTERN =
  /\b(?:best|top|great|good|solid|strong|excellent|nice|decent|compelling|leading|standout|fine|popular|better|attractive|smart|safe|viable|worthwhile|balanced|ideal|perfect|favou?rite|number one)(?:(?: [\w/&+'$,-]{1,40}){0,3}?|-[\w/&+'$,-]{1,40}(?: [\w/&+'$,-]{1,40}){0,2}?)[ -](?:picks?|choices?|options?|contenders?|alternatives?|bets?|recommendations?|candidates?|all-rounders?|all-around|compromise|overall|middle ground|flagship|entry|model|value)\b|\bbest (?:overall|value|budget|premium|for)\b|\bthe best\b(?= (?:\w{1,40} ){0,3}(?:you can|on the market|under|in \d))|\bone of the (?:\w{1,40} )?(?:best|better|top)\b|\btop[ -](?:pick|rated|choice|recommended|bet)\b|\bmy (?:best|top)\b/g;

/** Lower case with plain apostrophes and hyphens, of equal length. */
export function normaliseWords(text: string): string {
  const lower = text.toLowerCase();
  return (lower.length === text.length ? lower : text).replace(/[’‘]/g, "'").replace(/[‐‑]/g, "-");
}

/** Matches the verb before the predicate, which decides: "fast charging is moderate" is blame. */
const PREDICATE_PATTERN = /\b(?:is|are|was|remains?|feels?|seems?|looks?|sounds?)(?:n't)?\s/;

/** By words, with negations and phrases; the predicate overrides adjectives of the subject. */
export function computePolarity(clause: string, countsPicks = false): ClausePolarity {
  const words = normaliseWords(clause.slice(0, MAX_CLAUSE_LENGTH));
  const stated = PREDICATE_PATTERN.exec(words);
  const predicate = stated ? sumPolarity(words.slice(stated.index), countsPicks) : undefined;
  return predicate && predicate.score !== 0 ? predicate : sumPolarity(words, countsPicks);
}

function sumPolarity(clause: string, countsPicks: boolean): ClausePolarity {
  let tail = clause;
  let score = 0;
  if (!countsPicks) tail = tail.replace(CHOICE_PRAISE_PATTERN, (pick) => " ".repeat(pick.length));
  for (const [phrase, strength] of POLAR_PHRASES) {
    tail = tail.replace(phrase, (found) => {
      score += strength;
      return " ".repeat(found.length);
    });
  }
  const words = splitWords(tail);
  let isHedged = false;
  for (const [i, { text }] of words.entries()) {
    if (HEDGE_WORDS.has(text)) isHedged = true;
    const strength = POLAR_WORDS.get(text);
    if (strength !== undefined) score += applyNegation(words, i, strength);
  }
  return { score, isHedged };
}

function splitWords(text: string): PolarWord[] {
  return [...text.matchAll(/[\p{L}\d][\p{L}\d'-]*/gu)].map((match) => ({ start: match.index, text: match[0] }));
}

function applyNegation(words: readonly PolarWord[], i: number, strength: number): number {
  const before = words.slice(Math.max(0, i - MAX_NEGATED_WORDS), i).map(({ text }) => text);
  const last = before.at(-1) ?? "";
  const stronger = INTENSIFIER_WORDS.has(last) ? Math.sign(strength) : 0;
  const negation = before.findLastIndex((word) => NEGATION_WORDS.has(word));
  const isNegated = negation !== -1 && !/^(?:just|only|merely)$/.test(before[negation + 1] ?? "");
  const isTurned = isNegated !== (INVERTING_WORDS.has(last) && strength > 0);
  return isTurned ? -(strength + stronger) : strength + stronger;
}
