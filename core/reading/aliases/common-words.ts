import { wordList } from "../../shared/words.ts";

/**
 * Folded words that are also likely brand names. Such an alias matches only in its own case, and at
 * the start of a sentence only with another sign (find-plain-words.ts). Customers can mark further
 * aliases as case-sensitive.
 */
const commonWords = wordList("common");

/**
 * Words that often open sentences. Before a lower-case word they are read as words; in single-case
 * texts they are names only in labels.
 */
const SENTENCE_OPENERS = wordList("sentence_openers");

export function isCommonWord(lowerCaseWord: string): boolean {
  return commonWords.has(lowerCaseWord);
}

export function isSentenceOpener(lowerCaseWord: string): boolean {
  return SENTENCE_OPENERS.has(lowerCaseWord);
}
