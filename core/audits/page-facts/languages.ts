import { wordGroups } from "../../shared/words.ts";
import type { ParsedPage } from "../parsed-page.ts";
import { isIdeograph } from "../parsing/count-words.ts";

/** Supported by wording checks. */
export const KNOWN_LANGUAGES = ["en", "de", "fr", "es", "ja"] as const;
export type KnownLanguage = (typeof KNOWN_LANGUAGES)[number];

/** Most frequent words; includes further languages to avoid confusion with similar ones. */
const LANGUAGES_BY_WORD = new Map<string, string[]>();
for (const [language, words] of wordGroups("frequent"))
  for (const word of words) LANGUAGES_BY_WORD.set(word, [...(LANGUAGES_BY_WORD.get(word) ?? []), language]);

const MAX_SAMPLE_LENGTH = 6000;
const MIN_WORDS = 30;
const MIN_WORD_SHARE = 0.12;
const MIN_LEAD = 1.25;
/** A repeated word may belong to another language. */
const MIN_DISTINCT_WORDS = 4;

const cachedGuesses = new WeakMap<ParsedPage, string | null>();

/** Language of the main content; null if unclear. */
export function guessLanguage(page: ParsedPage): string | null {
  const known = cachedGuesses.get(page);
  if (known !== undefined) return known;
  const guess = detectLanguage(collectSampleText(page));
  cachedGuesses.set(page, guess);
  return guess;
}

/** Prefers the language of the text to the declared one; null if unsupported. */
export function wordingLanguage(page: ParsedPage): KnownLanguage | null {
  const language = guessLanguage(page) ?? toPrimaryTag(page.language);
  return KNOWN_LANGUAGES.find((known) => known === language) ?? null;
}

/** `de` for `de-AT`. */
export const toPrimaryTag = (language: string | null) => language?.split(/[-_]/)[0]?.trim().toLowerCase() ?? null;

function collectSampleText({ blocks }: ParsedPage): string {
  const parts: string[] = [];
  let length = 0;
  for (const { text, kind, isInMain } of blocks) {
    if (length >= MAX_SAMPLE_LENGTH) break;
    if (!isInMain || kind === "code") continue;
    parts.push(text);
    length += text.length;
  }
  return parts.join(" ").slice(0, MAX_SAMPLE_LENGTH);
}

/** Uses the most frequent words, for Japanese its kana; null if unclear. */
export function detectLanguage(text: string): string | null {
  let [kana, ideographs, letters] = [0, 0, 0];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (isIdeograph(code)) {
      ideographs += 1;
      if (code <= 0x30ff) kana += 1;
    } else if (code > 64) letters += 1;
  }
  if (ideographs > letters / 4 && ideographs >= MIN_WORDS) return kana * 10 >= ideographs ? "ja" : null;
  const votes = new Map<string, number>();
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  if (words.length < MIN_WORDS) return null;
  const voters = new Map<string, Set<string>>();
  for (const word of words)
    for (const language of LANGUAGES_BY_WORD.get(word) ?? []) {
      votes.set(language, (votes.get(language) ?? 0) + 1);
      voters.set(language, (voters.get(language) ?? new Set()).add(word));
    }
  const [[first, most], [, second]] = [...votes, ["", 0] as const, ["", 0] as const].toSorted(
    ([, one], [, other]) => other - one,
  ) as [[string, number], [string, number]];
  const isSure = most >= MIN_WORD_SHARE * words.length && most >= MIN_LEAD * second;
  return isSure && (voters.get(first)?.size ?? 0) >= MIN_DISTINCT_WORDS ? first : null;
}
