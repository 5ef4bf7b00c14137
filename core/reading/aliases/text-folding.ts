/**
 * Text normalised for comparison: compatibility forms and accents folded, typographic apostrophes,
 * hyphens and spaces plain. `cased` and `lower` have equal length; `toOriginalOffset` maps to stored
 * offsets.
 */
export interface FoldedText {
  cased: string;
  lower: string;
  /** Folded offsets where the distance to the original (`shiftBy`) changes, ascending. */
  shiftAt: number[];
  shiftBy: number[];
}

/** Letters that Unicode does not decompose into letter and accent. */
const PLAIN_LETTER_BY_LETTER = new Map(
  Object.entries({ ø: "o", Ø: "O", ł: "l", Ł: "L", đ: "d", Đ: "D", ħ: "h", Ħ: "H" }),
);

/** Trademark signs become spaces ("Sony™" is not "SonyTM"); an ellipsis stays one character. */
const PLAIN_TEXT_BY_CHARACTER = new Map(
  Object.entries({
    "’": "'",
    "‘": "'",
    ʼ: "'",
    "‐": "-",
    "‑": "-",
    "™": " ",
    "℠": " ",
    "®": " ",
    "©": " ",
    "…": "…",
    "\u00AD": "",
    "\u200B": "",
    "\u200C": "",
    "\u200D": "",
    "\u2060": "",
    "\uFEFF": "",
  }),
);

/** Matches combining accents. Vowel signs and tone marks of other scripts are not accents. */
const ACCENT_PATTERN = /[\u0300-\u036F]|[\u1AB0-\u1AFF]|[\u1DC0-\u1DFF]|[\u20D0-\u20FF]/g;
const foldedByCharacter = new Map<string, string>();

function foldCharacter(character: string): string {
  const known = foldedByCharacter.get(character);
  if (known !== undefined) return known;
  const folded =
    PLAIN_TEXT_BY_CHARACTER.get(character) ??
    PLAIN_LETTER_BY_LETTER.get(character) ??
    character.normalize("NFKD").replace(ACCENT_PATTERN, "").normalize("NFC");
  if (foldedByCharacter.size < 20_000) foldedByCharacter.set(character, folded);
  return folded;
}

/** Folds a text character by character, which keeps a map of offsets. */
export function foldText(text: string): FoldedText {
  const shiftAt: number[] = [];
  const shiftBy: number[] = [];
  let cased = "";
  let copied = 0;
  for (let i = 0; i < text.length; i += 1) {
    if (text.charCodeAt(i) < 0x80) continue;
    const character = readCharacterAt(text, i);
    const folded = foldCharacter(character);
    const end = i + character.length;
    if (folded !== character) {
      cased += text.slice(copied, i) + folded;
      copied = end;
      if (folded.length !== character.length) {
        shiftAt.push(cased.length);
        shiftBy.push(end - cased.length);
      }
    }
    i = end - 1;
  }
  cased = copied === 0 ? text : cased + text.slice(copied);
  return { cased, lower: toLowerCaseSameLength(cased), shiftAt, shiftBy };
}

/** The character at `position`; for Kana with a following sound mark, as in half-width forms. */
function readCharacterAt(text: string, position: number): string {
  const character = String.fromCodePoint(text.codePointAt(position) ?? 0);
  const mark = text.charCodeAt(position + 1);
  if (mark !== 0xff9e && mark !== 0xff9f && mark !== 0x3099 && mark !== 0x309a) return character;
  return /^[\u3041-\u30FF\uFF66-\uFF9D]$/.test(character) ? text.slice(position, position + 2) : character;
}

/** Lower case of equal length; the few characters that would grow stay unchanged. */
function toLowerCaseSameLength(cased: string): string {
  const lower = cased.toLowerCase();
  if (lower.length === cased.length) return lower;
  return Array.from(cased, (c) => (c.toLowerCase().length === c.length ? c.toLowerCase() : c)).join("");
}

/** Maps a folded offset to the original text, in UTF-16 code units. */
export function toOriginalOffset(folded: FoldedText, position: number): number {
  let low = 0;
  let high = folded.shiftAt.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((folded.shiftAt[middle] ?? 0) <= position) low = middle + 1;
    else high = middle;
  }
  return position + (low === 0 ? 0 : (folded.shiftBy[low - 1] ?? 0));
}
