import { wordList } from "../words.ts";
import { foldWords, stemOf, type Sentence } from "./sentences.ts";

/** What a category or an attribute is looked for by: each wording is a phrase of word stems, or text as it is. */
export interface Concept {
  phrases: string[][];
  /** Wordings in scripts that put no spaces between words, which are looked for as they stand. */
  literals: string[];
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const STOP = wordList("wording_stop_words");

/** The wordings of a name such as `price / value for money`: what is between slashes, commas, brackets and "or". */
export function conceptOf(name: string): Concept {
  const wordings = name.split(/[/,;|()]|\s(?:or|oder|ou|o)\s/iu).filter((wording) => wording.trim() !== "");
  const literals = wordings.filter((wording) => UNSPACED.test(wording)).map((wording) => fold(wording.trim()));
  const phrases = wordings
    .filter((wording) => !UNSPACED.test(wording))
    .map((wording) => foldWords(wording).filter((word) => !STOP.has(word)))
    .filter((words) => words.length > 0)
    .map((words) => words.map(stemOf));
  return { phrases, literals };
}

export function isEmpty({ phrases, literals }: Concept): boolean {
  return phrases.length + literals.length === 0;
}

/** How much of the concept a sentence speaks of: 1 for a whole wording, less for part of one, 0 for nothing. */
export function addressed({ phrases, literals }: Concept, sentence: Pick<Sentence, "stems" | "text">): number {
  if (literals.some((literal) => fold(sentence.text).includes(literal))) return 1;
  let best = 0;
  for (const phrase of phrases) {
    const found = phrase.filter((stem) => sentence.stems.some((word) => areVariants(stem, word))).length;
    best = Math.max(best, found / phrase.length);
  }
  return best;
}

function fold(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}

/** True for the same stem, and for long words that begin alike for seven tenths of the longer: durable, durability. */
function areVariants(stem: string, word: string): boolean {
  if (stem === word) return true;
  const longer = Math.max(stem.length, word.length);
  let shared = 0;
  while (shared < longer && stem[shared] === word[shared]) shared += 1;
  return shared >= 5 && shared >= 0.7 * longer;
}
