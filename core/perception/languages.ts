import { wordGroups } from "../shared/words.ts";

export const PERCEPTION_LANGUAGES = ["en", "de", "fr", "es", "ja"] as const;
export type PerceptionLanguage = (typeof PERCEPTION_LANGUAGES)[number];

/** Function words unique to one of the languages. */
const FUNCTION_WORDS = [...wordGroups("language_signs")] as [Exclude<PerceptionLanguage, "ja">, ReadonlySet<string>][];

const MAX_READ_LENGTH = 4_000;

/** Detects the language by function words; null without any. */
export function detectOpinionLanguage(text: string): PerceptionLanguage | null {
  const start = text.slice(0, MAX_READ_LENGTH);
  const kana = start.match(/[\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0;
  if (kana * 8 > start.length) return "ja";
  const counts = { en: 0, de: 0, fr: 0, es: 0 };
  for (const [word] of start.toLowerCase().matchAll(/\p{L}+/gu)) {
    for (const [language, small] of FUNCTION_WORDS) if (small.has(word)) counts[language] += 1;
  }
  const best = (["en", "de", "fr", "es"] as const).toSorted((one, other) => counts[other] - counts[one])[0] ?? "en";
  return counts[best] === 0 ? null : best;
}
