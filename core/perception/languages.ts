/** The languages that answers are read in. */
export const PERCEPTION_LANGUAGES = ["en", "de", "fr", "es", "ja"] as const;
export type PerceptionLanguage = (typeof PERCEPTION_LANGUAGES)[number];

/** Small words that one of the languages has and the others do not. */
const SMALL_WORDS: Readonly<Record<Exclude<PerceptionLanguage, "ja">, ReadonlySet<string>>> = {
  en: new Set(
    "the and of with for is are it but not this that than to have has its more you your or which can".split(" "),
  ),
  de: new Set(
    "der und das die ist nicht mit für ein eine aber auch als sich von den dem sind zu oder im bei wird auf".split(" "),
  ),
  fr: new Set(
    "le les et est une des du avec pour dans pas mais que qui sont au ce cette plus sur ne aux il elle".split(" "),
  ),
  es: new Set("el los y es una las del con para pero que más por su como no muy son al lo este esta en sus".split(" ")),
};

const LONGEST_READ = 4_000;

/** The language of a text by its small words; null where hardly any is known. */
export function languageOf(text: string): PerceptionLanguage | null {
  const start = text.slice(0, LONGEST_READ);
  const kana = start.match(/[\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0;
  if (kana * 8 > start.length) return "ja";
  const counts = { en: 0, de: 0, fr: 0, es: 0 };
  for (const [word] of start.toLowerCase().matchAll(/\p{L}+/gu)) {
    for (const language of ["en", "de", "fr", "es"] as const) {
      if (SMALL_WORDS[language].has(word)) counts[language] += 1;
    }
  }
  const best = (["en", "de", "fr", "es"] as const).toSorted((one, other) => counts[other] - counts[one])[0] ?? "en";
  return counts[best] === 0 ? null : best;
}
