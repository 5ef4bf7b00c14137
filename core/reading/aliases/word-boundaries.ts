/** Class of UTF-16 code units that belong to none of the classes below. */
export const OTHER_CLASS = 0;
export const LOWER = 1;
export const UPPER = 2;
const DIGIT = 3;
/** Class of letters in scripts without spaces: each letter is a word. */
export const UNSPACED = 4;
/** Spaced, but particles follow a name directly: it starts at a boundary and may end anywhere. */
export const HANGUL = 5;

/** A run is one word (Unicode Annex 29, rule WB13): "リコーダー" does not contain "リコー". */
export const KATAKANA = 6;

const UNKNOWN_CLASS = 255;
const cachedClasses = new Uint8Array(65_536).fill(UNKNOWN_CLASS);

function classify(unit: number): number {
  const character = String.fromCharCode(unit);
  if (/\p{Script=Hangul}/u.test(character)) return HANGUL;
  if (/\p{Script=Katakana}|ー/u.test(character)) return KATAKANA;
  if (/\p{Script=Han}|\p{Script=Hiragana}/u.test(character)) return UNSPACED;
  if (/\p{Script=Thai}|\p{Script=Lao}|\p{Script=Khmer}|\p{Script=Myanmar}/u.test(character)) return UNSPACED;
  if (/\p{Lu}|\p{Lt}/u.test(character)) return UPPER;
  if (/\p{L}|\p{M}/u.test(character)) return LOWER;
  return /\p{N}/u.test(character) ? DIGIT : OTHER_CLASS;
}

/** Class of the code unit at a position; OTHER outside the text. */
export function characterClassAt(text: string, position: number): number {
  return position < 0 || position >= text.length ? OTHER_CLASS : getCharacterClass(text.charCodeAt(position));
}

export function getCharacterClass(unit: number): number {
  const known = cachedClasses[unit] ?? UNKNOWN_CLASS;
  if (known !== UNKNOWN_CLASS) return known;
  const found = classify(unit);
  cachedClasses[unit] = found;
  return found;
}

/** True for letters and digits of spaced scripts. */
export function isWordCharacter(kind: number): boolean {
  return kind === LOWER || kind === UPPER || kind === DIGIT;
}

/** End of the run of letters and digits around `position`. */
export function findRunEnd(text: string, position: number): number {
  let end = position;
  while (isWordCharacter(characterClassAt(text, end))) end += 1;
  return end;
}

/**
 * True where a name may start inside a run that capturing glued together: the case changes
 * ("weitereSamsung", "99Samsung"), or an abbreviation precedes a capitalised word ("OLEDSamsung",
 * "50KSamsung").
 */
export function canNameStartAt(text: string, position: number): boolean {
  if (characterClassAt(text, position) !== UPPER) return false;
  const before = characterClassAt(text, position - 1);
  if (before === LOWER || before === DIGIT) return true;
  const earlier = characterClassAt(text, position - 2);
  return before === UPPER && (earlier === UPPER || earlier === DIGIT) && characterClassAt(text, position + 1) === LOWER;
}

/** Like canNameStartAt for names such as "iPhone", whose case changes one letter later. */
export function canCamelCaseNameStartAt(text: string, position: number): boolean {
  if (characterClassAt(text, position + 1) !== UPPER || characterClassAt(text, position) !== LOWER) return false;
  const before = characterClassAt(text, position - 1);
  return before === LOWER || before === DIGIT;
}

/**
 * True where a name may end inside a run: the case changes ("SamsungGalaxy"), a digit follows a
 * letter ("Watch8349,99"), or a capitalised word follows a digit ("OnePlus 13Excellent", not
 * "13R").
 */
export function canNameEndAt(text: string, position: number): boolean {
  const before = characterClassAt(text, position - 1);
  const after = characterClassAt(text, position);
  if (after === DIGIT) return before === LOWER || before === UPPER;
  if (after !== UPPER) return false;
  return before === LOWER || (before === DIGIT && characterClassAt(text, position + 1) === LOWER);
}

/** For short names and plain words: "weitereNothing" matches, "PlayStation" and "iPad" do not. */
export function canStrictNameStartAt(text: string, position: number): boolean {
  if (!canNameStartAt(text, position)) return false;
  let start = position;
  while (characterClassAt(text, start - 1) === LOWER) start -= 1;
  return position - start >= 3 && !isWordCharacter(characterClassAt(text, start - 1));
}
