import { wordGroups } from "../shared/words.ts";
import { GENERAL, headOf, STOPS } from "./heads.ts";
import type { Passage } from "./passages.ts";
import type { ReadAttribute, ReadPoint, ReadStance } from "../reading/capture.ts";
import { plainWords, polarityOf } from "./polarity.ts";

/** Related words by common attribute. */
const RELATED = wordGroups("related");

/**
 * Scores the setup's attributes by clause polarity, with a bonus if the brand is picked and a malus
 * if it is discouraged.
 */
export function readAttributes(
  text: string,
  passages: readonly Passage[],
  points: readonly ReadPoint[],
  stances: readonly ReadStance[],
  attributes: readonly string[],
): ReadAttribute[] {
  const asked = attributes.map((attribute) => ({ attribute, words: wordsFor(attribute) }));
  if (asked.length === 0) return [];
  const bonus = bonusOf(passages, stances);
  return points.flatMap((point) => {
    const clause = text.slice(point.start, point.end);
    const words = stemsOf(clause);
    const { score, isHedged } = polarityOf(clause, true);
    const strength = Math.max(1, Math.abs(score) - (isHedged ? 1 : 0)) + 1;
    const signed = (point.polarity === "pro" ? 1 : -1) * Math.min(strength, 4) + bonus(point);
    return asked
      .filter((one) => one.words.some((word) => words.has(word)))
      .map(({ attribute }): ReadAttribute => {
        const { brandId, start, end } = point;
        return { brandId, attribute, start, end, score: Math.max(-5, Math.min(5, signed)) };
      });
  });
}

function stemsOf(words: string): Set<string> {
  return new Set(
    plainWords(words)
      .match(/[\p{L}\d][\p{L}\d'-]*/gu)
      ?.map(stemOf),
  );
}

/** True if a clause is about an attribute. */
export function speaksOfAttribute(clause: string, attribute: string): boolean {
  const words = stemsOf(clause);
  return wordsFor(attribute).some((word) => words.has(word));
}

/**
 * Returns a function that names aspects canonically: the setup's attribute or common attribute that
 * matches, else the head noun. "cheaper" and "its price" get the same name.
 */
export function aspectNamer(attributes: readonly string[]): (aspect: string) => string {
  const known = [...attributes, ...RELATED.keys()].map((name) => {
    return { name, own: new Set(contentOf(name).map(stemOf)), all: new Set(wordsFor(name)) };
  });
  return (aspect) => {
    const stems = contentOf(aspect).map(stemOf);
    const speaksOf = (of: "own" | "all") => known.find((one) => stems.some((stem) => one[of].has(stem)));
    return (speaksOf("own") ?? speaksOf("all"))?.name ?? headOf(aspect, true);
  };
}

/** Cache by attribute; the answers of a collect share a few. */
const knownWords = new Map<string, string[]>();
const MOST_KNOWN = 200;

function wordsFor(attribute: string): string[] {
  const known = knownWords.get(attribute) ?? readWords(attribute);
  if (knownWords.size >= MOST_KNOWN) knownWords.clear();
  knownWords.set(attribute, known);
  return known;
}

function readWords(attribute: string): string[] {
  return contentOf(attribute)
    .flatMap((word) => [word, ...(RELATED.get(word) ?? [])])
    .map(stemOf);
}

/** Words that carry the meaning: "camera" of "camera quality". */
function contentOf(words: string): string[] {
  const all = (plainWords(words).match(/[\p{L}\d][\p{L}\d'-]*/gu) ?? []).filter(
    (word) => !STOPS.has(word) && word !== "use",
  );
  const special = all.filter((word) => !GENERAL.has(word));
  return special.length > 0 ? special : all;
}

function stemOf(word: string): string {
  return word.length > 3 ? word.replace(/(?:'s|ies|es|s|y)$/, "") : word;
}

/** +1 if the brand is picked in the same item, -1 if it is discouraged. */
function bonusOf(passages: readonly Passage[], stances: readonly ReadStance[]): (point: ReadPoint) => number {
  const itemAt = (start: number): number | undefined => {
    let low = 0;
    let high = passages.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((passages[middle]?.end ?? 0) <= start) low = middle + 1;
      else high = middle;
    }
    return passages[low]?.item;
  };
  const known = new Map<string, number>();
  for (const { brandId, start, stance } of stances) {
    const value = { winner: 1, discouraged: -1 }[stance as string];
    if (value !== undefined) known.set(`${itemAt(start)} ${brandId}`, value);
  }
  return ({ brandId, start }) => known.get(`${itemAt(start)} ${brandId}`) ?? 0;
}
