import { isPlainWord } from "./plain-words.ts";

export interface Token {
  text: string;
  start: number;
  end: number;
  kind: "name" | "model" | "word";
}

const NAME_TOKEN_PATTERN =
  /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:(?:['&+-]|\.(?=(?:com|io|ai|co|net|org|de|fr)\b))[\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*/gu;
const MAX_WORD_LENGTH = 30;
/** Min length of a word in a compound that is split; shorter words are parts of names. */
const MIN_CELL_LENGTH = 4;

export function tokenize(text: string): Token[] {
  return [...text.matchAll(NAME_TOKEN_PATTERN)].map((match): Token => {
    const { ownWord, seamOffset, kind } = classifyWord(match[0]);
    return { text: ownWord, start: match.index + seamOffset, end: match.index + match[0].length, kind };
  });
}

interface WordClass {
  ownWord: string;
  /** Offset of the word within the written text. */
  seamOffset: number;
  kind: Token["kind"];
}

/** Cache of words; texts repeat few words, and classification is slower than lookup. */
const classByWord = new Map<string, WordClass>();
const MAX_CACHED_WORDS = 20_000;

function classifyWord(written: string): WordClass {
  const met = classByWord.get(written);
  if (met) return met;
  const word = written.replace(/'(?:s|d|m|ll|re|ve)$/i, "");
  // "weitereSamsung": capturing lost the space between two cells.
  const seamOffset = /^\p{Ll}{3,}(?=\p{Lu})/u.exec(word)?.[0].length ?? 0;
  const ownWord = word.slice(seamOffset);
  const found = { ownWord, seamOffset, kind: classifyToken(ownWord) };
  if (classByWord.size >= MAX_CACHED_WORDS) classByWord.clear();
  if (written.length <= MAX_WORD_LENGTH) classByWord.set(written, found);
  return found;
}

function classifyToken(word: string): Token["kind"] {
  if (/\p{N}/u.test(word)) return "model";
  if (!/^(?:\p{Lu}|\p{Ll}{1,2}\p{Lu})/u.test(word) || word.length > MAX_WORD_LENGTH) return "word";
  // "FeatureWhy", "Trade-Offs": joined table cells and compounds, unlike "OnePlus" and "iPhone".
  const parts = word.split(/(?<=\p{Ll})(?=\p{Lu})|-/u);
  if (parts.length > 1 && (parts[0] ?? "").length >= MIN_CELL_LENGTH && parts.every(isPlainWord)) return "word";
  return word.length > 1 ? "name" : "model";
}
