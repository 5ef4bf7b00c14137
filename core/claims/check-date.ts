import { matchesAttribute, buildAttributePatterns } from "./attribute-words.ts";
import { isPlainStatement, type StatementVerdict, type Sentence } from "./statement-verdict.ts";

const MONTH_PATTERNS: readonly RegExp[] = [
  /jan/,
  /feb|fév|fev/,
  /mar(?:ch|s|zo|\b)|märz/,
  /apr|avr|abr/,
  /may|mai\b|mayo/,
  /jun|juin/,
  /jul|juil/,
  /aug|août|aout|ago/,
  /sep/,
  /o[ck]t/,
  /nov/,
  /de[cz]|déc|dic/,
];
const YEAR_PATTERN = /(?<![\d.,$€£-])(1[5-9]\d\d|20\d\d)(?![\d%]|[.,]\d)/gu;
const MONTH_BEFORE_YEAR_PATTERN = /(\p{L}{3,10})\.?,?(?: de)? ?(?:\d{1,2}(?:st|nd|rd|th)?,? )?$/u;
const DAY_PATTERN =
  /(?<!\d)(\d{1,2})(?:st|nd|rd|th|\.)?(?: de)? \p{L}{3,10}\.?,?(?: de)? ?$|\p{L}{3,10}\.? (\d{1,2})(?:st|nd|rd|th)?,? $/u;
const ISO_DATE_PATTERN =
  /(1[5-9]\d\d|20\d\d)[-/](\d{1,2})(?:[-/](\d{1,2}))?|(1[5-9]\d\d|20\d\d)年(?:(\d{1,2})月)?(?:(\d{1,2})日)?/u;
/** Max distance between a year and the words of the attribute. */
const MAX_DISTANCE = 60;

/** Compares dates in a text at the precision of both. */
export function checkDate(
  { attribute, date }: { attribute: string; date: string },
  sentences: readonly Sentence[],
): StatementVerdict | undefined {
  const words = buildAttributePatterns(attribute);
  let otherwise: StatementVerdict | undefined;
  for (const sentence of sentences) {
    const isSaid = isPlainStatement(sentence);
    for (const { statedDate, nearbyText } of findDates(sentence)) {
      if (!matchesAttribute(`${sentence.label} ${nearbyText}`, words)) continue;
      const length = Math.min(statedDate.length, date.length);
      if (statedDate.slice(0, length) === date.slice(0, length)) return { verdict: "agreed", statement: sentence };
      if (isSaid) otherwise ??= { verdict: "contradicted", statement: sentence };
    }
  }
  return otherwise;
}

/** Dates in a text as precise as written: 2024-03-01, 2024-03 or 2024. */
export function findDates({ text }: Pick<Sentence, "text">): { statedDate: string; nearbyText: string }[] {
  const years = [...text.matchAll(YEAR_PATTERN)];
  return years.map((match, at) => {
    const from = Math.max(years[at - 1] ? (years[at - 1]?.index ?? 0) + 4 : 0, match.index - MAX_DISTANCE);
    const to = Math.min(years[at + 1]?.index ?? text.length, match.index + MAX_DISTANCE / 2);
    return {
      statedDate: parseDateAt(text, match.index, match[0]),
      nearbyText: `${text.slice(from, match.index)} ${text.slice(match.index + 4, to)}`,
    };
  });
}

function parseDateAt(text: string, at: number, year: string): string {
  const iso = ISO_DATE_PATTERN.exec(text.slice(at, at + 12));
  if (iso?.index === 0)
    return [year, iso[2] ?? iso[5], iso[3] ?? iso[6]]
      .filter((part) => part !== undefined)
      .map(padTwoDigits)
      .join("-");
  const before = text.slice(Math.max(0, at - 30), at).toLowerCase();
  const month = parseMonth(MONTH_BEFORE_YEAR_PATTERN.exec(before)?.[1] ?? "");
  if (month === undefined) return year;
  const day = DAY_PATTERN.exec(before);
  return [year, month, day?.[1] ?? day?.[2]]
    .filter((part) => part !== undefined)
    .map(padTwoDigits)
    .join("-");
}

function parseMonth(word: string): string | undefined {
  const at = MONTH_PATTERNS.findIndex((month) => month.test(word) && word.search(month) === 0);
  return at === -1 ? undefined : String(at + 1);
}

function padTwoDigits(part: string): string {
  return part.padStart(2, "0");
}
