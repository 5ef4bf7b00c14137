import { wordGroups } from "../shared/words.ts";
import { GENERAL, headOf, STOPS } from "./heads.ts";
import type { Passage } from "./passages.ts";
import type { ReadAttribute, ReadPoint, ReadStance } from "../reading/capture.ts";
import { plainWords, polarityOf } from "./polarity.ts";

/** Words that speak of a common attribute without naming it. */
const RELATED = wordGroups("related");

/** What clauses say of each attribute that is asked for: how they judge it, and whether the brand is picked or advised against. */
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

/** Whether a clause that judges is read as speaking of an attribute. */
export function speaksOfAttribute(clause: string, attribute: string): boolean {
  const words = stemsOf(clause);
  return wordsFor(attribute).some((word) => words.has(word));
}

/**
 * Names what comparisons are about, so that "cheaper" and "its price" are one: the attribute of the setup, or else the common one, that the
 * words speak of; where there is none, their head noun.
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

/** By attribute: the same few are asked for in all answers of a collect. */
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

/** Words that say what is meant: of "camera quality" the camera. */
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

/** One more where the brand is picked, one less where it is advised against, in the same item. */
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
