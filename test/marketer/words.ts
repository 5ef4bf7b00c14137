import { foldWords } from "../../core/assets/sentences.ts";

// Word matching of the player: tools are ranked by BM25 (Robertson and Zaragoza, "The Probabilistic
// Relevance Framework", 2009) with usual constants.

/** Words without meaning for the question. */
const STOP_WORDS = new Set(
  `a about all also an and any are as at be been but by can could did do does each every few for from get give gives go had
  has have how i if in into is it its just let like many may me might more most much my no not of off on or our ours out
  over per please see shall she should show so some such tell than that the their them then there these they this those to
  too up us very want was we were what when where which who whom whose why will with would you your`.split(/\s+/),
);
const ENDING = /(?:ib(?:ility|le)|ions?|ings?|ed|ers?|est|ies|ied|es|is|s|ly|e|y)$/;

/** A word without its ending, if three letters are left of it. */
export function stem(word: string): string {
  const bare = word.replace(ENDING, "");
  return bare.length >= 3 ? bare : word;
}

/** Stems of all words of a text; names of tools and parameters are several words. */
export function stemsOf(text: string): string[] {
  return foldWords(text.replaceAll("_", " ")).map(stem);
}

/** Stems of the meaningful words. */
export function contentStems(text: string): string[] {
  return foldWords(text.replaceAll("_", " "))
    .filter((word) => !STOP_WORDS.has(word))
    .map(stem);
}

const K1 = 1.2;
const B = 0.75;

/**
 * A ranking of texts by BM25: the score of each for the words of a question, in the order of the
 * texts.
 */
export function bm25(texts: readonly string[]): (question: string) => number[] {
  const documents = texts.map((text) => countsOf(contentStems(text)));
  const lengths = documents.map((counts) => [...counts.values()].reduce((sum, count) => sum + count, 0));
  const usual = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, texts.length);
  const rarity = (word: string) => {
    const having = documents.filter((counts) => counts.has(word)).length;
    return Math.log(1 + (texts.length - having + 0.5) / (having + 0.5));
  };
  return (question) => {
    const asked = [...new Set(contentStems(question))].map((word) => ({ word, weight: rarity(word) }));
    return documents.map((counts, at) => {
      const norm = K1 * (1 - B + (B * (lengths[at] ?? 0)) / usual);
      const parts = asked.map(({ word, weight }) => {
        const count = counts.get(word) ?? 0;
        return (weight * count * (K1 + 1)) / (count + norm);
      });
      return parts.reduce((sum, part) => sum + part, 0);
    });
  };
}

function countsOf(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
