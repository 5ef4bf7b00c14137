import ROWS from "../../lists/excluded-phrases.json" with { type: "json" };
import { isCommonWord } from "../reading/aliases/common-words.ts";
import { foldText } from "../reading/aliases/text-folding.ts";

/** A spelling that is likely to match unrelated text. */
export interface NameHint {
  /** Field of the brand, such as `name` or `aliases.0`. */
  path: string;
  text: string;
  /** ordinary_word: listed in common-words.ts. short: at most three letters. */
  reason: "ordinary_word" | "short";
  message: string;
  excluded_phrases: string[];
}

interface BrandSpellings {
  name: string;
  aliases: readonly { text: string }[];
  excludedPhrases: readonly string[];
}

const MAX_SHORT_LENGTH = 3;
const CASE_NOTE = "The name counts only with exactly these capital and small letters";
const EXCLUDE_ADVICE = "Exclude the phrases in which it means something else.";

/** Risky spellings of a brand, name first. They match only in their own case. */
export function findRiskyNames({ name, aliases, excludedPhrases }: BrandSpellings): NameHint[] {
  const excluded = new Set(excludedPhrases.map(foldSpelling));
  const spellings = [{ path: "name", text: name }, ...aliases.map(({ text }, at) => ({ path: `aliases.${at}`, text }))];
  return spellings.flatMap(({ path, text }): NameHint[] => {
    const word = foldSpelling(text);
    if (isCommonWord(word)) {
      const phrases = (ORDINARY_PHRASES_BY_WORD.get(word) ?? []).filter((phrase) => !excluded.has(phrase));
      const message = `“${text}” is also an ordinary word. ${CASE_NOTE}, and at the start of a sentence only beside another sign that it is a name. ${EXCLUDE_ADVICE}`;
      return [{ path, text, reason: "ordinary_word", message, excluded_phrases: phrases }];
    }
    if (word.length > MAX_SHORT_LENGTH || !/^\p{L}+$/u.test(word)) return [];
    const message = `“${text}” is short, and other things share the name. ${CASE_NOTE}. ${EXCLUDE_ADVICE}`;
    return [{ path, text, reason: "short", message, excluded_phrases: [] }];
  });
}

function foldSpelling(text: string): string {
  return foldText(text.trim()).lower;
}

export const ORDINARY_PHRASES_BY_WORD: ReadonlyMap<string, readonly string[]> = new Map(
  ROWS.map(({ word, phrases }) => [word, phrases]),
);
