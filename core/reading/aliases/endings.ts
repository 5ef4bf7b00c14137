import { wordGroups } from "../../shared/words.ts";

/**
 * Folded inflectional endings by language. The English, French and Spanish plural and the German
 * genitive "s" (Duden, "Deklination der Eigennamen": "Sonys Kopfhörer") match in any text. Other
 * endings match only in texts of their language, because "Opeln" is another word elsewhere.
 */
const ENDINGS = wordGroups("name_endings");

const ANYWHERE = "s";
const LONGEST_READ = 2_000;
/** Min small words that identify a language. */
const LEAST_SMALL_WORDS = 3;
const SHARED: ReadonlySet<string> = new Set([ANYWHERE]);
const LANGUAGES = [...wordGroups("inflected_languages")].map(([language, smallWords]) => {
  return { smallWords: [...smallWords], endings: new Set([ANYWHERE, ...(ENDINGS.get(language) ?? [])]) };
});

export const LONGEST_ENDING = Math.max(...LANGUAGES.flatMap(({ endings }) => [...endings].map(({ length }) => length)));

/** Fast test: each text of an inflected language has one of these words. */
const GATE = / (?:ja|ei|jest|nie|jsou|nebo) /;

/** Endings that names may take in a text; `lower` is folded. */
export function endingsIn(lower: string): ReadonlySet<string> {
  const start = lower.slice(0, LONGEST_READ);
  if (!GATE.test(start)) return SHARED;
  const words = new Set(start.split(/[^\p{L}]+/u));
  const known = LANGUAGES.find(
    ({ smallWords }) => smallWords.filter((word) => words.has(word)).length >= LEAST_SMALL_WORDS,
  );
  return known?.endings ?? SHARED;
}
