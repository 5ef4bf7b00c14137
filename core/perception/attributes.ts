import { wordGroups } from "../shared/words.ts";
import { GENERAL_NOUNS, toHeadNoun, STOP_WORDS } from "./head-nouns.ts";
import type { Passage } from "./passages.ts";
import type { AttributeClause, OpinionPoint, MentionStance } from "../reading/capture.ts";
import { normaliseWords, computePolarity } from "./polarity.ts";

const RELATED_WORDS = wordGroups("related");

/** Clause polarity, with a bonus if the brand is picked and a malus if it is discouraged. */
export function scoreAttributes(
  text: string,
  passages: readonly Passage[],
  points: readonly OpinionPoint[],
  stances: readonly MentionStance[],
  attributes: readonly string[],
): AttributeClause[] {
  const asked = attributes.map((attribute) => ({ attribute, words: getAttributeStems(attribute) }));
  if (asked.length === 0) return [];
  const bonus = createBonus(passages, stances);
  return points.flatMap((point) => {
    const clause = text.slice(point.start, point.end);
    const words = stemWords(clause);
    const { score, isHedged } = computePolarity(clause, true);
    const strength = Math.max(1, Math.abs(score) - (isHedged ? 1 : 0)) + 1;
    const signed = (point.polarity === "pro" ? 1 : -1) * Math.min(strength, 4) + bonus(point);
    return asked
      .filter((one) => one.words.some((word) => words.has(word)))
      .map(({ attribute }): AttributeClause => {
        const { brandId, start, end } = point;
        return { brandId, attribute, start, end, score: Math.max(-5, Math.min(5, signed)) };
      });
  });
}

function stemWords(words: string): Set<string> {
  return new Set(
    normaliseWords(words)
      .match(/[\p{L}\d][\p{L}\d'-]*/gu)
      ?.map(stemWord),
  );
}

export function isAboutAttribute(clause: string, attribute: string): boolean {
  const words = stemWords(clause);
  return getAttributeStems(attribute).some((word) => words.has(word));
}

/** Names aspects by setup or common attribute, else head noun: "cheaper" and "its price" agree. */
export function createAspectNamer(attributes: readonly string[]): (aspect: string) => string {
  const known = [...attributes, ...RELATED_WORDS.keys()].map((name) => {
    return { name, own: new Set(extractContentWords(name).map(stemWord)), all: new Set(getAttributeStems(name)) };
  });
  return (aspect) => {
    const stems = extractContentWords(aspect).map(stemWord);
    const findNamed = (of: "own" | "all") => known.find((one) => stems.some((stem) => one[of].has(stem)));
    return (findNamed("own") ?? findNamed("all"))?.name ?? toHeadNoun(aspect, true);
  };
}

/** Cache by attribute; the answers of a collect share a few. */
const stemsByAttribute = new Map<string, string[]>();
const MAX_CACHED_ATTRIBUTES = 200;

function getAttributeStems(attribute: string): string[] {
  const known = stemsByAttribute.get(attribute) ?? computeStems(attribute);
  if (stemsByAttribute.size >= MAX_CACHED_ATTRIBUTES) stemsByAttribute.clear();
  stemsByAttribute.set(attribute, known);
  return known;
}

function computeStems(attribute: string): string[] {
  return extractContentWords(attribute)
    .flatMap((word) => [word, ...(RELATED_WORDS.get(word) ?? [])])
    .map(stemWord);
}

/** Words that carry the meaning: "camera" of "camera quality". */
function extractContentWords(words: string): string[] {
  const all = (normaliseWords(words).match(/[\p{L}\d][\p{L}\d'-]*/gu) ?? []).filter(
    (word) => !STOP_WORDS.has(word) && word !== "use",
  );
  const special = all.filter((word) => !GENERAL_NOUNS.has(word));
  return special.length > 0 ? special : all;
}

function stemWord(word: string): string {
  return word.length > 3 ? word.replace(/(?:'s|ies|es|s|y)$/, "") : word;
}

/** +1 if the brand is picked in the same item, -1 if it is discouraged. */
function createBonus(passages: readonly Passage[], stances: readonly MentionStance[]): (point: OpinionPoint) => number {
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
