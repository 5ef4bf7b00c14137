/** What a tool result may cost the model that reads it, in tokens. */
export const RESULT_TOKENS = 7500;

/**
 * At least the number of tokens that a model's tokenizer makes of a text; somewhat too many for English. It walks
 * runs of one kind of character, which tokens seldom cross: digits go by three, words by about four.
 */
export function tokensAtMost(text: string): number {
  let tokens = 0;
  let kind = -1;
  let run = 0;
  for (let at = 0; at < text.length; at++) {
    const now = kindOf(text.charCodeAt(at));
    if (now !== kind) {
      tokens += cost(kind, run);
      kind = now;
      run = 0;
    }
    run++;
  }
  return tokens + cost(kind, run);
}

const SMALL = 0;
const CAPITALS = 1;
const DIGITS = 2;
const SPACE = 3;
const MARKS = 4;
const FOREIGN = 5;

function kindOf(code: number): number {
  if (code >= 97 && code <= 122) return SMALL;
  if (code >= 65 && code <= 90) return CAPITALS;
  if (code >= 48 && code <= 57) return DIGITS;
  if (code === 32) return SPACE;
  return code < 128 ? MARKS : FOREIGN;
}

function cost(kind: number, run: number): number {
  if (kind === SMALL) return Math.ceil(run / 4);
  if (kind === CAPITALS) return Math.ceil(run / 2);
  if (kind === DIGITS) return Math.ceil(run / 3);
  // One space belongs to the word that follows it.
  if (kind === SPACE) return run > 1 ? 1 : 0;
  if (kind === MARKS) return Math.ceil(run / 2);
  return Math.ceil(run * 1.25);
}

/** True where no text of this length can weigh more than a result may. */
export function isLight(length: number): boolean {
  return length <= RESULT_TOKENS / 1.25;
}
