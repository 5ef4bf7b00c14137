import { wordList } from "../shared/words.ts";

/**
 * Words that answers capitalise although they are no brand names: openers, headings, praise,
 * product words, units, abbreviations, months, days, places, languages, jobs. Words that a collect
 * also writes in lower case are detected by core/brands/name-gatherer.ts.
 */
const plainWords = wordList("plain");

/** Suffixes of property nouns such as "Adjustability". */
const PROPERTY_SUFFIX_PATTERN = /(?:[ai]bility|ivity)$/i;

/** True for a word that is no brand name by itself; ignores case. */
export function isPlainWord(word: string): boolean {
  return plainWords.has(word.toLowerCase()) || PROPERTY_SUFFIX_PATTERN.test(word);
}
