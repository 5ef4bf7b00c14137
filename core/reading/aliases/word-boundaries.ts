/** Classes of UTF-16 code units for word search. */
export const OTHER = 0;
export const LOWER = 1;
export const UPPER = 2;
const DIGIT = 3;
/** Letter of a script without spaces: each letter is a word. */
export const UNSPACED = 4;
/**
 * Hangul has spaces, but particles follow a name directly: a name starts at a boundary and may end
 * anywhere.
 */
export const HANGUL = 5;

/**
 * A run of Katakana is one word (Unicode Standard Annex 29, rule WB13): "リコーダー" does not contain
 * "リコー".
 */
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

/** Class of the code unit at a position; OTHER outside the text. */
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

/** True for letters and digits of spaced scripts. */
export function runsOn(kind: number): boolean {
  return kind === LOWER || kind === UPPER || kind === DIGIT;
}

/** End of the run of letters and digits around `position`. */
export function runEnd(text: string, position: number): number {
  let end = position;
  while (runsOn(classAt(text, end))) end += 1;
  return end;
}

/**
 * True where a name may start inside a run that capturing glued together: the case changes
 * ("weitereSamsung", "99Samsung"), or an abbreviation precedes a capitalised word ("OLEDSamsung",
 * "50KSamsung").
 */
export function startsAtSeam(text: string, position: number): boolean {
  if (classAt(text, position) !== UPPER) return false;
  const before = classAt(text, position - 1);
  if (before === LOWER || before === DIGIT) return true;
  const earlier = classAt(text, position - 2);
  return before === UPPER && (earlier === UPPER || earlier === DIGIT) && classAt(text, position + 1) === LOWER;
}

/**
 * Like startsAtSeam for names such as "iPhone", whose case changes one letter later
 * ("weitereiPhone").
 */
export function startsAtLateSeam(text: string, position: number): boolean {
  if (classAt(text, position + 1) !== UPPER || classAt(text, position) !== LOWER) return false;
  const before = classAt(text, position - 1);
  return before === LOWER || before === DIGIT;
}

/**
 * True where a name may end inside a run: the case changes ("SamsungGalaxy"), a digit follows a
 * letter ("Watch8349,99"), or a capitalised word follows a digit ("OnePlus 13Excellent", not
 * "13R").
 */
export function endsAtSeam(text: string, position: number): boolean {
  const before = classAt(text, position - 1);
  const after = classAt(text, position);
  if (after === DIGIT) return before === LOWER || before === UPPER;
  if (after !== UPPER) return false;
  return before === LOWER || (before === DIGIT && classAt(text, position + 1) === LOWER);
}

/**
 * Stricter seam for short names and plain words: at least three lower-case letters precede.
 * "weitereNothing" matches, "PlayStation" and "iPad" do not.
 */
export function startsAtPlainSeam(text: string, position: number): boolean {
  if (!startsAtSeam(text, position)) return false;
  let start = position;
  while (classAt(text, start - 1) === LOWER) start -= 1;
  return position - start >= 3 && !runsOn(classAt(text, start - 1));
}
