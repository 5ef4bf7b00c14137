import { wordList } from "../../shared/words.ts";

/**
 * Folded words that are also likely brand names. Such an alias matches only in its own case, and at
 * the start of a sentence only with another sign (find-plain-words.ts). Customers can mark further
 * aliases as case-sensitive.
 */
const commonWords = wordList("common");

/** Words that are no names before a lower-case word, and in single-case texts only in labels. */
const SENTENCE_OPENERS = wordList("sentence_openers");

export function isCommonWord(lowerCaseWord: string): boolean {
  return commonWords.has(lowerCaseWord);
}

export function isSentenceOpener(lowerCaseWord: string): boolean {
  return SENTENCE_OPENERS.has(lowerCaseWord);
}
