import { wordGroups } from "../../shared/words.ts";

/**
 * Folded inflectional endings by language. The English, French and Spanish plural and the German
 * genitive "s" (Duden, "Deklination der Eigennamen": "Sonys Kopfhörer") match in any text. Other
 * endings match only in texts of their language, because "Opeln" is another word elsewhere.
 */
const ENDINGS_BY_LANGUAGE = wordGroups("name_endings");

const UNIVERSAL_ENDING = "s";
const MAX_READ_LENGTH = 2_000;
/** Min distinct function words that identify a language. */
const MIN_FUNCTION_WORDS = 3;
const UNIVERSAL_ENDINGS: ReadonlySet<string> = new Set([UNIVERSAL_ENDING]);
const INFLECTED_LANGUAGES = [...wordGroups("inflected_languages")].map(([language, smallWords]) => {
  return {
    smallWords: [...smallWords],
    endings: new Set([UNIVERSAL_ENDING, ...(ENDINGS_BY_LANGUAGE.get(language) ?? [])]),
  };
});

export const MAX_ENDING_LENGTH = Math.max(
  ...INFLECTED_LANGUAGES.flatMap(({ endings }) => [...endings].map(({ length }) => length)),
);

/** Fast test: each text of an inflected language has one of these words. */
const INFLECTED_LANGUAGE_PATTERN = / (?:ja|ei|jest|nie|jsou|nebo) /;

/** Endings that names may take in a text; `lower` is folded. */
export function detectEndings(lower: string): ReadonlySet<string> {
  const start = lower.slice(0, MAX_READ_LENGTH);
  if (!INFLECTED_LANGUAGE_PATTERN.test(start)) return UNIVERSAL_ENDINGS;
  const words = new Set(start.split(/[^\p{L}]+/u));
  const known = INFLECTED_LANGUAGES.find(
    ({ smallWords }) => smallWords.filter((word) => words.has(word)).length >= MIN_FUNCTION_WORDS,
  );
  return known?.endings ?? UNIVERSAL_ENDINGS;
}
