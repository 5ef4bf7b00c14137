import { findKnownUnit, type Unit } from "./units.ts";

/** A figure in a text. Offsets are UTF-16 code units, end exclusive. */
export interface TextFigure {
  start: number;
  end: number;
  /** Interpretations as ranges in its own unit: 1.500 is 1.5 or 1500. */
  readings: { low: number; high: number }[];
  /** Half a unit of the last written digit. */
  tolerance: number;
  unit: Unit | undefined;
  /** Word or sign after the figure, in lower case. */
  word: string;
  /** Currency code such as EUR; `$` for any dollar. */
  currency: string | undefined;
  isApproximate: boolean;
  boundKind: "least" | "most" | undefined;
  /** Index in a product such as 420 × 420 × 500 mm, and its number of factors. */
  sideIndex: number;
  sideCount: number;
}

/** Matches a number. Digits are limited, since longer numbers are serial numbers. */
const NUMBER_PATTERN = /\d{1,3}(?:[.,’'\u00A0\u202F]\d{3}){1,4}(?:[.,]\d{1,2})?(?!\d)|\d{1,9}(?:[.,]\d{1,6})?/gu;
const CURRENCY_PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/^(?:us\$|\$|usd|us-dollar|dollars?|dólares|ドル)$/i, "$"],
  [/^(?:€|eur|euros?|ユーロ)$/i, "EUR"],
  [/^(?:£|gbp|pounds sterling)$/i, "GBP"],
  [/^(?:¥|￥|円|jpy|yen)$/i, "JPY"],
  [/^(?:chf|franken|francs suisses)$/i, "CHF"],
];
const CURRENCY_BEFORE_PATTERN = /(?:us\$|[$€£¥￥]|\b(?:usd|eur|gbp|jpy|chf)) ?$/i;
const AFTER_NUMBER_PATTERN =
  /^(?:(k)\b)?(\+)?[-\s\u00A0\u202F]?((?:ANSI|ISO) (?:lumens?|lm)|\p{L}+²?(?:\/\p{L}+²?)?|[%"″”$€£¥￥])?(\+)?/iu;
const APPROXIMATE_PATTERN =
  /(?:[~≈∼]|\b(?:about|around|approx\.?|approximately|roughly|nearly|almost|some|circa|ca\.|etwa|rund|ungefähr|fast|environ|presque|unos|unas|aproximadamente|casi|alrededor de)|約|およそ) ?(?:us\$|[$€£¥])? ?$/iu;
const UPPER_BOUND_PATTERN =
  /(?:[<≤]|\b(?:under|below|less than|lighter than|sub|unter|weniger als|moins de|menos de))[- ]?[~≈]?(?:us\$|[$€£¥])? ?$/iu;
const LOWER_BOUND_PATTERN =
  /(?:[>≥]|\b(?:over|more than|above|at least|longer than|exceeds|exceeding|über|mehr als|mindestens|plus de|au moins|más de|al menos))[- ]?[~≈]?(?:us\$|[$€£¥])? ?$/iu;
const RANGE_PATTERN = /^(?: ?(?:us\$|[$€£¥])? ?(?:[-–—〜]|to|bis|à|a) ?[~≈]?(?:us\$|[$€£¥])?|[-–—]) ?$/iu;
const BETWEEN_PATTERN = /(?:between|zwischen|entre) ?[~≈]?(?:us\$|[$€£¥])? ?$/iu;
const CONJUNCTION_PATTERN = /^ ?(?:and|und|et|y) ?(?:us\$|[$€£¥])? ?$/iu;
const MULTIPLICATION_PATTERN = /^ ?[×x✕*] ?$/u;
/** Price glued to the name before it: "Camera1.099,00 $". */
const GLUED_PRICE_PATTERN = /^\d{1,3}(?:\.\d{3}){0,2},\d{2}[ \u00A0]?[$€]/;
const CONTEXT_LENGTH = 32;

interface RawNumber {
  start: number;
  end: number;
  values: number[];
  lastDigitValue: number;
}

/** Figures of a span in order, with units and bounds; ranges and products are combined. Linear. */
export function findFigures(text: string, start: number, end: number): TextFigure[] {
  const figures: TextFigure[] = [];
  let open: RawNumber[] = [];
  let joint: "range" | "times" | undefined;
  const close = () => {
    if (open.length > 0) figures.push(...toFigures(text, open, joint));
    open = [];
    joint = undefined;
  };
  for (const match of text.slice(start, end).matchAll(NUMBER_PATTERN)) {
    const raw = toRawNumber(text, start + match.index, match[0]);
    if (!raw) continue;
    const last = open.at(-1);
    const gap = last && raw.start - last.end <= CONTEXT_LENGTH ? extractGap(text, last.end, raw.start) : undefined;
    const joins =
      last && gap !== undefined
        ? detectJoint(gap, text.slice(Math.max(0, last.start - CONTEXT_LENGTH), last.start))
        : undefined;
    if (joins === undefined || (joint !== undefined && joins !== joint) || (joins === "range" && open.length > 1))
      close();
    else joint = joins;
    open.push(raw);
  }
  close();
  return figures;
}

function detectJoint(gap: string, before: string): "range" | "times" | undefined {
  if (MULTIPLICATION_PATTERN.test(gap)) return "times";
  return RANGE_PATTERN.test(gap) || (CONJUNCTION_PATTERN.test(gap) && BETWEEN_PATTERN.test(before))
    ? "range"
    : undefined;
}

/** Text between two numbers without the first number's unit. */
function extractGap(text: string, from: number, to: number): string {
  const gap = text.slice(from, to);
  const word = /^[ \u00A0]?(\p{L}+|[%"″$€])(?=[ \u00A0]?[-–—×x])/u.exec(gap);
  return word && findKnownUnit(word[1] ?? "") ? gap.slice(word[0].length) : gap;
}

function toRawNumber(text: string, start: number, written: string): RawNumber | undefined {
  const end = start + written.length;
  const before = text.charAt(start - 1);
  if (/[\d.,]/.test(before) && /\d/.test(text.charAt(start - 2))) return undefined;
  if (
    /[\p{L}_]/u.test(before) &&
    !isCjk(before) &&
    !GLUED_PRICE_PATTERN.test(text.slice(start, start + CONTEXT_LENGTH))
  )
    return undefined;
  if (/\d/.test(text.charAt(end))) return undefined;
  return { start, end, ...parseValues(written) };
}

function isCjk(character: string): boolean {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(character);
}

/** Both interpretations of a point or comma before three digits. */
function parseValues(written: string): { values: number[]; lastDigitValue: number } {
  const plain = written.replaceAll(/[’'\u00A0\u202F]/g, "");
  const last = Math.max(plain.lastIndexOf("."), plain.lastIndexOf(","));
  if (last === -1) return { values: [Number(plain)], lastDigitValue: 1 };
  const decimals = plain.length - last - 1;
  const separators = new Set(plain.replaceAll(/\d/g, ""));
  const groups = plain.replaceAll(/[.,]/g, "");
  const asDecimal = Number(`${plain.slice(0, last).replaceAll(/[.,]/g, "")}.${plain.slice(last + 1)}`);
  const decimal = { values: [asDecimal], lastDigitValue: 10 ** -decimals };
  if (decimals !== 3 || separators.size === 2 || plain.startsWith("0")) return decimal;
  return { values: [Number(groups), asDecimal], lastDigitValue: 1 };
}

function toFigures(text: string, raws: readonly RawNumber[], joint: "range" | "times" | undefined): TextFigure[] {
  const [first] = raws;
  const last = raws.at(-1);
  if (!first || !last) return [];
  const around = parseContext(text, first, last);
  if (joint === "range")
    return [{ ...around, readings: toRanges(first, last, around.scale), sideIndex: 0, sideCount: 1 }];
  return raws.map((raw, sideIndex) => ({
    ...around,
    readings: raw.values.map((value) => ({ low: value * around.scale, high: value * around.scale })),
    tolerance: (raw.lastDigitValue * around.scale) / 2,
    sideIndex,
    sideCount: raws.length,
  }));
}

function toRanges(first: RawNumber, last: RawNumber, scale: number): { low: number; high: number }[] {
  const ranges = first.values.flatMap((low) => last.values.map((high) => ({ low: low * scale, high: high * scale })));
  return ranges.filter(({ low, high }) => low <= high).slice(0, 1);
}

/** Context before the first and after the last number. */
function parseContext(text: string, first: RawNumber, last: RawNumber) {
  const before = text.slice(Math.max(0, first.start - CONTEXT_LENGTH), first.start);
  const [sentence = "", thousand, plus, word = "", late] =
    AFTER_NUMBER_PATTERN.exec(text.slice(last.end, last.end + CONTEXT_LENGTH)) ?? [];
  const sign = CURRENCY_BEFORE_PATTERN.exec(before)?.[0].trim();
  const currency = CURRENCY_PATTERNS.find(([pattern]) => pattern.test(sign ?? word))?.[1];
  const unit = currency === undefined ? findKnownUnit(word) : undefined;
  const isOfFigure = unit !== undefined || (sign === undefined && currency !== undefined);
  const scale = thousand !== undefined && currency !== undefined ? 1000 : 1;
  let boundKind: TextFigure["boundKind"];
  if (plus !== undefined || late !== undefined || LOWER_BOUND_PATTERN.test(before)) boundKind = "least";
  else if (UPPER_BOUND_PATTERN.test(before)) boundKind = "most";
  return {
    start: first.start - (sign?.length ?? 0),
    end: last.end + (isOfFigure ? sentence.length : 0),
    tolerance: (last.lastDigitValue * scale) / 2,
    unit,
    word: word.toLowerCase(),
    currency,
    isApproximate:
      APPROXIMATE_PATTERN.test(before) ||
      /^(?:前後|ほど|程度)/u.test(text.slice(last.end + sentence.length, last.end + CONTEXT_LENGTH)),
    boundKind,
    scale,
  };
}
