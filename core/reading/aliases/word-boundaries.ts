/** What a UTF-16 code unit is for the finding of words. */
export const OTHER = 0;
export const LOWER = 1;
export const UPPER = 2;
const DIGIT = 3;
/** A letter of a script that puts no spaces between words: every letter is a word of its own. */
export const UNSPACED = 4;
/** Hangul has spaces, but particles follow a name without one: a name starts at a boundary and may end anywhere. */
export const HANGUL = 5;

/** Katakana has no spaces either, but a run of it is one word (Unicode Standard Annex 29, rule WB13): "リコー" is not in "リコーダー". */
export const KATAKANA = 6;

const UNKNOWN = 255;
const classes = new Uint8Array(65_536).fill(UNKNOWN);

function classify(unit: number): number {
  const character = String.fromCharCode(unit);
  if (/\p{Script=Hangul}/u.test(character)) return HANGUL;
  if (/\p{Script=Katakana}|ー/u.test(character)) return KATAKANA;
  if (/\p{Script=Han}|\p{Script=Hiragana}/u.test(character)) return UNSPACED;
  if (/\p{Script=Thai}|\p{Script=Lao}|\p{Script=Khmer}|\p{Script=Myanmar}/u.test(character)) return UNSPACED;
  if (/\p{Lu}|\p{Lt}/u.test(character)) return UPPER;
  if (/\p{L}|\p{M}/u.test(character)) return LOWER;
  return /\p{N}/u.test(character) ? DIGIT : OTHER;
}

/** The class of the code unit at a position; OTHER outside of the text. */
export function classAt(text: string, position: number): number {
  return position < 0 || position >= text.length ? OTHER : classOf(text.charCodeAt(position));
}

export function classOf(unit: number): number {
  const known = classes[unit] ?? UNKNOWN;
  if (known !== UNKNOWN) return known;
  const found = classify(unit);
  classes[unit] = found;
  return found;
}

/** True for the letters and digits that run on to make a spaced word. */
export function runsOn(kind: number): boolean {
  return kind === LOWER || kind === UPPER || kind === DIGIT;
}

/** Where the run of letters and digits that holds `position` ends. */
export function runEnd(text: string, position: number): number {
  let end = position;
  while (runsOn(classAt(text, end))) end += 1;
  return end;
}

/**
 * A name may start here inside a run, glued to what comes before by a bad capture: the case changes
 * ("weitereSamsung", "99Samsung"), or an abbreviation runs into a capitalised word ("OLEDSamsung", "50KSamsung").
 */
export function startsAtSeam(text: string, position: number): boolean {
  if (classAt(text, position) !== UPPER) return false;
  const before = classAt(text, position - 1);
  if (before === LOWER || before === DIGIT) return true;
  const earlier = classAt(text, position - 2);
  return before === UPPER && (earlier === UPPER || earlier === DIGIT) && classAt(text, position + 1) === LOWER;
}

/** The same for names that start small and go on large: the case changes one letter later ("weitereiPhone"). */
export function startsAtLateSeam(text: string, position: number): boolean {
  if (classAt(text, position + 1) !== UPPER || classAt(text, position) !== LOWER) return false;
  const before = classAt(text, position - 1);
  return before === LOWER || before === DIGIT;
}

/**
 * A name may end here inside a run: the case changes ("SamsungGalaxy"), a number follows a letter ("Watch8349,99"),
 * or a capitalised word follows a number ("OnePlus 13Excellent", but not the model "13R").
 */
export function endsAtSeam(text: string, position: number): boolean {
  const before = classAt(text, position - 1);
  const after = classAt(text, position);
  if (after === DIGIT) return before === LOWER || before === UPPER;
  if (after !== UPPER) return false;
  return before === LOWER || (before === DIGIT && classAt(text, position + 1) === LOWER);
}

/**
 * The seam for names that are short or also plain words: the letters before it must be three or more, all lower case.
 * "weitereNothing" qualifies, the second half of "PlayStation" or "iPad" does not.
 */
export function startsAtPlainSeam(text: string, position: number): boolean {
  if (!startsAtSeam(text, position)) return false;
  let start = position;
  while (classAt(text, start - 1) === LOWER) start -= 1;
  return position - start >= 3 && !runsOn(classAt(text, start - 1));
}
