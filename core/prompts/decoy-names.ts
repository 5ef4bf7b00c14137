import { isPlainWord } from "../brands/plain-words.ts";
import { distance } from "fastest-levenshtein";
import { isCommonWord } from "../reading/aliases/common-words.ts";
import { foldText } from "../reading/aliases/text-folding.ts";

// Sounds shared by English, German, French and Spanish, by position in a word and length.
const ONSET_CONSONANTS = [splitWords("b d f g k l m n p r s t v"), splitWords("br dr fl gl gr kr pl pr tr")];
const MIDDLE_CONSONANTS = [
  splitWords("b d f g k l m n p r s t v"),
  splitWords("ld lm lt lv mb mp nd nt rd rm rn rt rv"),
];
const CODA_CONSONANTS = [splitWords("d k l m n r s t"), splitWords("ld lt nd nt rd rn rt st")];
const VOWEL_GROUPS = [splitWords("a e i o u"), splitWords("ai au ea ia io oa")];

/** Katakana rows for a, i, u, e and o; signs of one column are interchangeable. */
const KANA_ROWS = splitWords("カキクケコ サシスセソ タチツテト ナニヌネノ マミムメモ ラリルレロ");
const KANA_COLUMNS = [
  "アカガサザタダナハバパマヤラワ",
  "イキギシジチニヒビピミリ",
  "ウクグスズツヌフブプムユル",
  "エケゲセゼテデネヘベペメレ",
  "オコゴソゾトドノホボポモヨロヲ",
];
const SMALL_VOWELS = "ァィゥェォ";
const NAME_KANJI = splitWords("柊 瀬 篠 楓 澪 碧 蒼 嶺 颯 栞 雫 暁 凪 葵 櫂 梓 汐 琥 椿 霞");
/** Matches signs of company suffixes, which stay unchanged. */
const BUSINESS_KANJI_PATTERN = /[堂屋社店舗製薬工業電機産銀行会館庵亭家]/;
const HIRAGANA_BELOW = 0x60;

const MIN_LETTERS = 5;
const MIN_KANA = 4;
const MAX_TRIES = 100;
/** Max length of a look-alike in a prompt, in code units. */
const MAX_LENGTH = 200;
const CONNECTING_WORD_PATTERN = /^(?:of|and|the|de|la|le|les|du|des|von|und|der|die|das|el|y|et)$/i;

function splitWords(words: string): readonly string[] {
  return words.split(" ");
}

/**
 * Invents names like a brand's in script, length and rhythm, to measure how often an unknown name
 * is "recognised". Deterministic per name; skips names that `isTaken`. Returns none for scripts
 * other than Latin, Kana and Kanji.
 */
export function createDecoyNames(name: string, most: number, isTaken: (candidate: string) => boolean): string[] {
  const random = createRandom(name);
  const found: string[] = [];
  for (let tries = 0; tries < MAX_TRIES && found.length < most; tries += 1) {
    const candidate = varyName(name, random);
    if (candidate === undefined) return [];
    const isNear = createSimilarityCheck([name, ...found]);
    if (candidate.length > MAX_LENGTH) continue;
    if (!isNear(candidate) && !isTaken(candidate) && !hasPlainWord(candidate, name)) found.push(candidate);
  }
  return found;
}

/** True for candidates that equal, contain or resemble one of the names. */
export function createSimilarityCheck(names: Iterable<string>): (candidate: string) => boolean {
  const known = Array.from(names, foldWithLetters).filter(({ text }) => text !== "");
  return (candidate) => {
    const { text, letterBits } = foldWithLetters(candidate);
    return known.some((other) => {
      if (other.text.length >= 3 && (text.includes(other.text) || other.text.includes(text))) return true;
      const most = Math.max(1, Math.floor(Math.max(text.length, other.text.length) / 3));
      // Skips the distance for most names: an edit changes at most two letters.
      if (Math.abs(text.length - other.text.length) > most || countBits(letterBits ^ other.letterBits) > 2 * most)
        return false;
      return distance(text, other.text) <= most;
    });
  };
}

/** Folded name, with a bit set of its letters. */
function foldWithLetters(name: string): { text: string; letterBits: number } {
  const text = foldText(name).lower.replaceAll(/[^\p{L}\p{N}]/gu, "");
  let letterBits = 0;
  for (const character of text) letterBits |= 1 << ((character.codePointAt(0) ?? 0) % 31);
  return { text, letterBits };
}

function countBits(value: number): number {
  let count = 0;
  for (let rest = value >>> 0; rest > 0; rest &= rest - 1) count += 1;
  return count;
}

/** True for an ordinary word that is not in the brand's name. */
function hasPlainWord(candidate: string, name: string): boolean {
  const own = new Set(splitNameWords(name));
  return splitNameWords(candidate).some((word) => !own.has(word) && isOrdinaryWord(word));
}

function splitNameWords(name: string): string[] {
  return foldText(name).lower.match(/[\p{L}\p{N}]+/gu) ?? [];
}

function isOrdinaryWord(word: string): boolean {
  return isCommonWord(word.toLowerCase()) || isPlainWord(word);
}

type RandomInteger = (below: number) => number;

/** Random integers below a bound, seeded by the name (FNV-1a, then mulberry32). */
function createRandom(name: string): RandomInteger {
  let state = 0x811c9dc5;
  for (let i = 0; i < name.length; i += 1) state = Math.imul(state ^ name.charCodeAt(i), 0x01000193);
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

function pickOther(among: readonly string[], instead: string, random: RandomInteger): string {
  const others = among.filter((one) => one !== instead);
  return others[random(others.length)] ?? instead;
}

const SCRIPT_RUN_PATTERN = /\p{Script=Latin}+|[\p{Script=Katakana}ー]+|\p{Script=Hiragana}+|\p{Script=Han}+/gu;

/** Varies the sounds of a name; undefined for unsupported scripts. */
function varyName(name: string, random: RandomInteger): string | undefined {
  const [, plain = "", site = ""] = /^(.+?)(\.[a-z]{2,6})?$/isu.exec(foldText(name).cased) ?? [];
  const varied = varyWords(plain, random);
  return varied === undefined ? undefined : varied + site;
}

function varyWords(plain: string, random: RandomInteger): string | undefined {
  const runs = plain.match(SCRIPT_RUN_PATTERN) ?? [];
  if (runs.length === 0) return /\p{L}/u.test(plain) ? undefined : varyLatinWord("Nolta", random);
  const telling = runs.filter((run) => !isUnchangedRun(run) && !isOrdinaryWord(run));
  // Replaces initials and meaningful words completely.
  if (telling.length === 0) {
    const isShort = runs.every((run) => run.length < 3 && /\p{Script=Latin}/u.test(run));
    return isShort
      ? varyLatinWord(runs.join(""), random)
      : plain.replaceAll(SCRIPT_RUN_PATTERN, (run) => varyRun(run, random));
  }
  return plain.replaceAll(SCRIPT_RUN_PATTERN, (run) => (telling.includes(run) ? varyRun(run, random) : run));
}

function isUnchangedRun(run: string): boolean {
  return /^\p{Script=Latin}/u.test(run) && (run.length < 3 || CONNECTING_WORD_PATTERN.test(run));
}

function varyRun(run: string, random: RandomInteger): string {
  if (/^\p{Script=Latin}/u.test(run)) return CONNECTING_WORD_PATTERN.test(run) ? run : varyLatinWord(run, random);
  if (/^\p{Script=Han}/u.test(run)) return varyKanjiWord(run, random);
  if (/^\p{Script=Hiragana}/u.test(run))
    return shiftCodePoints(varyKanaWord(shiftCodePoints(run, HIRAGANA_BELOW), random), -HIRAGANA_BELOW);
  return varyKanaWord(run, random);
}

/** Replaces each group of consonants or vowels by another of the same position. */
function varyLatinWord(word: string, random: RandomInteger): string {
  const groups = word.toLowerCase().match(/[aeiouy]+|[^aeiouy]+/g) ?? [];
  const sounds = groups.map((group, at) => {
    // Keeps the first letters, since names with equal starts are confused most.
    if (at === 0 && groups.length > 1 && ONSET_CONSONANTS.some((known) => known.includes(group))) return group;
    const kinds = /^[aeiouy]/.test(group)
      ? VOWEL_GROUPS
      : at === 0
        ? ONSET_CONSONANTS
        : at === groups.length - 1
          ? CODA_CONSONANTS
          : MIDDLE_CONSONANTS;
    return pickOther(kinds[Math.min(group.length, 2) - 1] ?? [], group, random);
  });
  // Adds vowels to bare consonants, and syllables to short words.
  let isVowel = /[aeiou]$/.test(sounds.at(-1) ?? "");
  while (sounds.join("").length < MIN_LETTERS) {
    sounds.push(pickOther((isVowel ? MIDDLE_CONSONANTS : VOWEL_GROUPS)[0] ?? [], "", random));
    isVowel = !isVowel;
  }
  return applyCase(sounds.join(""), word);
}

/** Applies the capitalisation of the word: all, first, or inner capitals ("OnePlus"). */
function applyCase(sounds: string, word: string): string {
  if (word === word.toUpperCase() && word.length > 1) return sounds.toUpperCase();
  return Array.from(sounds, (letter, at) => (/\p{Lu}/u.test(word.charAt(at)) ? letter.toUpperCase() : letter)).join("");
}

function varyKanaWord(word: string, random: RandomInteger): string {
  // Varies a sign with a small vowel as one sound of that vowel's column.
  const whole = word.replaceAll(
    /.([ァィゥェォ])/g,
    (_, vowel: string) => KANA_ROWS[0]?.charAt(SMALL_VOWELS.indexOf(vowel)) ?? "",
  );
  const sounds = Array.from(whole, (sign) => {
    const column = KANA_COLUMNS.findIndex((signs) => signs.includes(sign));
    return column === -1 ? sign : pickKana(column, sign, random);
  });
  while (sounds.length < MIN_KANA) sounds.push(pickKana(random(KANA_COLUMNS.length), "", random));
  return sounds.join("");
}

function pickKana(column: number, instead: string, random: RandomInteger): string {
  return pickOther(
    KANA_ROWS.map((row) => row.charAt(column)),
    instead,
    random,
  );
}

function varyKanjiWord(word: string, random: RandomInteger): string {
  return Array.from(word, (sign) =>
    BUSINESS_KANJI_PATTERN.test(sign) ? sign : pickOther(NAME_KANJI, sign, random),
  ).join("");
}

/** Shifts code points, such as from Hiragana to Katakana; the long vowel mark is unchanged. */
function shiftCodePoints(word: string, by: number): string {
  return Array.from(word, (sign) =>
    sign === "ー" ? sign : String.fromCodePoint((sign.codePointAt(0) ?? 0) + by),
  ).join("");
}
