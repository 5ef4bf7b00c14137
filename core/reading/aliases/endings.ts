import { wordGroups } from "../../shared/words.ts";

/**
 * Endings that a name takes in a sentence, folded, for aliases of four letters or more that are no plain word. English, French and
 * Spanish plurals and the German genitive end in "s" and need no apostrophe (Duden, "Deklination der Eigennamen": "Sonys Kopfhörer"),
 * and may be found in any text. Those of other languages are other words elsewhere ("Opeln"), so they count only in a text of theirs,
 * told by its small words.
 */
const ENDINGS = wordGroups("name_endings");

/** The plural or genitive that four of the five languages share. */
const ANYWHERE = "s";
const LONGEST_READ = 2_000;
/** As many small words of a language a text must have. */
const LEAST_SMALL_WORDS = 3;
const SHARED: ReadonlySet<string> = new Set([ANYWHERE]);
const LANGUAGES = [...wordGroups("inflected_languages")].map(([language, smallWords]) => {
  return { smallWords: [...smallWords], endings: new Set([ANYWHERE, ...(ENDINGS.get(language) ?? [])]) };
});

/** No ending is longer. */
export const LONGEST_ENDING = Math.max(...LANGUAGES.flatMap(({ endings }) => [...endings].map(({ length }) => length)));

/** A text of one of the languages that is worth reading has one of these; most texts have none, and are looked at no further. */
const GATE = / (?:ja|ei|jest|nie|jsou|nebo) /;

/** The endings that names may take in a text; `lower` is folded. */
export function endingsIn(lower: string): ReadonlySet<string> {
  const start = lower.slice(0, LONGEST_READ);
  if (!GATE.test(start)) return SHARED;
  const words = new Set(start.split(/[^\p{L}]+/u));
  const known = LANGUAGES.find(
    ({ smallWords }) => smallWords.filter((word) => words.has(word)).length >= LEAST_SMALL_WORDS,
  );
  return known?.endings ?? SHARED;
}
