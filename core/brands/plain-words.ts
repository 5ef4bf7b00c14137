import { wordList } from "../shared/words.ts";

/**
 * Words that answers capitalise although they are no brand's name: sentence openers, headings, praise, product words, units and
 * abbreviations, months, days, places, languages, jobs. Whatever an answer's own collect also writes in small letters is plain too
 * (core/brands/gather-names.ts), so the list holds what small texts would not show.
 */
const words = wordList("plain");

/** "Adjustability", "Compatibility", "Sensitivity": what a product has. */
const PROPERTY = /(?:[ai]bility|ivity)$/i;

/** True for a word that is no brand's name by itself, ignoring case. */
export function isPlainWord(word: string): boolean {
  return words.has(word.toLowerCase()) || PROPERTY.test(word);
}
