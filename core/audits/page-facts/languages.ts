import { wordGroups } from "../../shared/words.ts";
import type { ParsedPage } from "../parsed-page.ts";
import { isIdeograph } from "../parsing/count-words.ts";

/** Languages supported by wording checks. */
export const KNOWN_LANGUAGES = ["en", "de", "fr", "es", "ja"] as const;
export type KnownLanguage = (typeof KNOWN_LANGUAGES)[number];

/**
 * Most frequent words by language; includes further languages to avoid confusion with similar ones.
 */
const LANGUAGES_OF = new Map<string, string[]>();
for (const [language, words] of wordGroups("frequent"))
  for (const word of words) LANGUAGES_OF.set(word, [...(LANGUAGES_OF.get(word) ?? []), language]);

/** Max characters analysed, and min words for a result. */
const MOST_TEXT = 6000;
const ENOUGH_WORDS = 30;
const LEAST_SHARE = 0.12;
const LEAST_LEAD = 1.25;
/** Min distinct words, since a repeated word may belong to another language. */
const LEAST_VOTERS = 4;

const guesses = new WeakMap<ParsedPage, string | null>();

/** Language of the main content by its most frequent words; null if unclear. */
export function guessLanguage(page: ParsedPage): string | null {
  const known = guesses.get(page);
  if (known !== undefined) return known;
  const guess = languageOfText(sampleOf(page));
  guesses.set(page, guess);
  return guess;
}

/** Language for wording checks: that of the text, else the declared one; null if unsupported. */
export function wordingLanguage(page: ParsedPage): KnownLanguage | null {
  const language = guessLanguage(page) ?? primaryTag(page.language);
  return KNOWN_LANGUAGES.find((known) => known === language) ?? null;
}

/** `de` for `de-AT`. */
export const primaryTag = (language: string | null) => language?.split(/[-_]/)[0]?.trim().toLowerCase() ?? null;

function sampleOf({ blocks }: ParsedPage): string {
  const parts: string[] = [];
  let length = 0;
  for (const { text, kind, isInMain } of blocks) {
    if (length >= MOST_TEXT) break;
    if (!isInMain || kind === "code") continue;
    parts.push(text);
    length += text.length;
  }
  return parts.join(" ").slice(0, MOST_TEXT);
}

/** Language of a text by its most frequent words, Japanese by its kana; null if unclear. */
export function languageOfText(text: string): string | null {
  let [kana, ideographs, letters] = [0, 0, 0];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (isIdeograph(code)) {
      ideographs += 1;
      if (code <= 0x30ff) kana += 1;
    } else if (code > 64) letters += 1;
  }
  if (ideographs > letters / 4 && ideographs >= ENOUGH_WORDS) return kana * 10 >= ideographs ? "ja" : null;
  const votes = new Map<string, number>();
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  if (words.length < ENOUGH_WORDS) return null;
  const voters = new Map<string, Set<string>>();
  for (const word of words)
    for (const language of LANGUAGES_OF.get(word) ?? []) {
      votes.set(language, (votes.get(language) ?? 0) + 1);
      voters.set(language, (voters.get(language) ?? new Set()).add(word));
    }
  const [[first, most], [, second]] = [...votes, ["", 0] as const, ["", 0] as const].toSorted(
    ([, one], [, other]) => other - one,
  ) as [[string, number], [string, number]];
  const isSure = most >= LEAST_SHARE * words.length && most >= LEAST_LEAD * second;
  return isSure && (voters.get(first)?.size ?? 0) >= LEAST_VOTERS ? first : null;
}
