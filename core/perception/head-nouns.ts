import { wordList } from "../shared/words.ts";
import { normaliseWords } from "./polarity.ts";
import { INTENSIFIER_WORDS, HEDGE_WORDS, POLAR_WORDS } from "./english-words.ts";
import { foldText } from "../reading/aliases/text-folding.ts";

const MAX_HEAD_LENGTH = 60;
/** Words that end a noun phrase or never are its head. */
export const STOP_WORDS = wordList("stop_words");
/** Nouns that need the noun before them: "battery life", "image quality". */
export const GENERAL_NOUNS = wordList("general_nouns");
const PHRASE_END_PATTERN =
  /^(?:of|for|in|on|at|to|with|by|from|as|than|that|which|is|are|was|may|might|can|could|will|would|when|if|while|because|compared|vs)$/;

function isNoun(word: string): boolean {
  const isContent = !STOP_WORDS.has(word) && !INTENSIFIER_WORDS.has(word) && !HEDGE_WORDS.has(word);
  return isContent && (!POLAR_WORDS.has(word) || GENERAL_NOUNS.has(word));
}

/** Lemma of the head noun in English, folded words in other languages. */
export function toHeadNoun(words: string, isEnglish: boolean): string {
  if (!isEnglish)
    return foldText(words)
      .lower.replaceAll(/[^\p{L}\p{N} ]/gu, "")
      .trim()
      .slice(0, MAX_HEAD_LENGTH);
  const all = normaliseWords(words.replaceAll(/\([^)]*\)?/g, " ")).match(/[\p{L}\d][\p{L}\d'-]*/gu) ?? [];
  const first = all.findIndex(isNoun);
  if (first === -1) return toLemma(all.find((word) => POLAR_WORDS.has(word)) ?? all[0] ?? "");
  const rest = all.slice(first);
  const stop = rest.findIndex((word, i) => i > 0 && (PHRASE_END_PATTERN.test(word) || !isNoun(word)));
  const nouns = (stop === -1 ? rest : rest.slice(0, stop)).map(toLemma);
  const head = nouns.at(-1) ?? "";
  const before = nouns.at(-2);
  return (GENERAL_NOUNS.has(head) && before !== undefined ? `${before} ${head}` : head).slice(0, MAX_HEAD_LENGTH);
}

/** Singular, or base form of a known comparative. */
function toLemma(word: string): string {
  const plain = /^(.{2,}?)(?:i(?=er|est))?(?:er|est)$/.exec(word)?.[1];
  if (plain !== undefined && POLAR_WORDS.has(word)) {
    const known = [plain, `${plain}y`, `${plain}e`, plain.slice(0, -1)].find((form) => POLAR_WORDS.has(form));
    if (known !== undefined) return known;
  }
  if (/(?:ss|us|is)$/.test(word) || word.length < 4) return word;
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (/(?:ch|sh|x|ss)es$/.test(word)) return word.slice(0, -2);
  return word.replace(/(?:'s|s)$/, "");
}
