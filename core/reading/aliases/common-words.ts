import { wordList } from "../../shared/words.ts";

/**
 * Words of a language that are also names of brands, or are likely to be: an alias that is one of them matches in its own case only,
 * and at the start of a sentence only beside another sign that it is a name (name-signs.ts). Folded as texts are. They are no whole
 * dictionaries: a brand's alias can always be marked case-sensitive by the customer.
 */
const words = wordList("common");

/**
 * Words that open sentences so often that, followed by a small letter, they are read as the word, whatever verb follows; in a text of
 * one case they are the word everywhere but in a label.
 */
const OPENERS = wordList("sentence_openers");

export function isCommonWord(lowerCaseWord: string): boolean {
  return words.has(lowerCaseWord);
}

export function opensSentences(lowerCaseWord: string): boolean {
  return OPENERS.has(lowerCaseWord);
}
