/** What a tool result may weigh by the estimate, so that it costs at most 8,000 tokens where the estimate is a tenth too low. */
export const RESULT_TOKENS = 7200;

/** The pieces in which the tokenizer o200k reads a text: words with the sign before them, three digits, marks, spaces. */
const PIECE =
  /(?<=\p{L})(?<glued>\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|[\p{L}\p{M}]+)|(?<before>[^\r\n\p{L}\p{N}])?(?<word>\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|[\p{L}\p{M}]+)|\p{N}{1,3}| ?(?<marks>[^\s\p{L}\p{N}]+)[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+/gu;

/**
 * About the number of tokens that a model's tokenizer makes of a text: within a tenth for what results are made of. Each
 * piece is charged what pieces of its kind and length cost on average.
 */
export function tokensOf(text: string): number {
  let tokens = 0;
  for (const { 0: piece, groups = {} } of text.matchAll(PIECE)) tokens += costOf(piece, groups);
  return Math.ceil(tokens);
}

function costOf(piece: string, { glued, before, word, marks }: Record<string, string | undefined>): number {
  // Within a code: letters that make no word.
  if (glued !== undefined) return 1 + (glued.length - 1) / 3;
  if (word !== undefined) return wordCost(word, before === " ");
  if (marks === undefined) return Math.ceil(piece.length / 8);
  if (!ASCII.test(marks)) return marks.length;
  return marks.length <= 3 ? 1 : marks.length / 2.5;
}

/** A longer one is in no dictionary. */
const LONGEST_WORD = 20;
const ASCII = /^[\0-\x7f]+$/;
const CAPITALS = /^[A-Z]+$/;
const ENGLISH = /^[A-Za-z]+$/;
const LATIN = /^[A-Za-z\u00c0-\u024f]+$/;
const ALPHABET = /^[\u0370-\u06ff]+$/;

function wordCost(word: string, isSpaced: boolean): number {
  const { length } = word;
  if (length > LONGEST_WORD) return length / 4;
  if (CAPITALS.test(word)) return 1 + Math.max(0, length - 2) / 4;
  if (ENGLISH.test(word)) return isSpaced ? 1 + Math.max(0, length - 7) / 10 : 1.05 + Math.max(0, length - 5) / 8;
  if (LATIN.test(word)) return 1 + Math.max(0, length - 4) / 6;
  if (ALPHABET.test(word)) return 1 + (length - 1) / 3;
  return length * 0.75;
}

/** False where no text of this length weighs more than a result may, true where every one does; undefined for the others. */
export function isTooHeavy(length: number): boolean | undefined {
  if (length <= RESULT_TOKENS / 1.5) return false;
  return length > RESULT_TOKENS * 10 ? true : undefined;
}
