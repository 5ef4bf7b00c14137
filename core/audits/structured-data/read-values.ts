// What texts of structured data mean. Every pattern is linear, and no text that is longer than LONGEST is read.

const LONGEST = 100;

const NUMBER = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/;
const DATE =
  /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T(\d\d)(?::(\d\d)(?::(\d\d)(?:[.,]\d+)?)?)?(?:Z|[+-]\d\d(?::?\d\d)?)?)?)?)?$/;
const BASIC_DATE = /^(\d{4})(\d\d)(\d\d)$/;
const TIME = /^(\d\d):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?(?:Z|[+-]\d\d(?::?\d\d)?)?$/;
const DURATION =
  /^P(?=[\dT])(?:\d+(?:\.\d+)?Y)?(?:\d+(?:\.\d+)?M)?(?:\d+(?:\.\d+)?W)?(?:\d+(?:\.\d+)?D)?(?:T(?=\d)(?:\d+(?:\.\d+)?H)?(?:\d+(?:\.\d+)?M)?(?:\d+(?:\.\d+)?S)?)?$/;

/** A number with a point for its decimals, without units and separators of thousands; null for other texts. */
export function readNumber(text: string): number | null {
  return text.length <= LONGEST && NUMBER.test(text) ? Number(text) : null;
}

/** A date, or a date with a time, of ISO 8601: from a year on, and existing. */
export function isDate(text: string): boolean {
  if (text.length > LONGEST) return false;
  const [, year, month = "1", day = "1", hour = "0", minute = "0", second = "0"] =
    DATE.exec(text) ?? BASIC_DATE.exec(text) ?? [];
  if (year === undefined || Number(month) < 1 || Number(month) > 12) return false;
  const days = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  return Number(day) >= 1 && Number(day) <= days && isClock(hour, minute, second);
}

/** A time of day of ISO 8601. */
export function isTime(text: string): boolean {
  const [, hour, minute = "0", second = "0"] = (text.length <= LONGEST && TIME.exec(text)) || [];
  return hour !== undefined && isClock(hour, minute, second);
}

/** A duration of ISO 8601. */
export function isDuration(text: string): boolean {
  return text.length <= LONGEST && DURATION.test(text);
}

/** An address, absolute or relative. A host without its scheme would be read as a path, which is not meant. */
export function isAddress(text: string): boolean {
  if (/[\s<>"\\^`]/.test(text) || /^www\./i.test(text)) return false;
  return !/^https?:/i.test(text) || URL.canParse(text);
}

/** True where the first date is certainly before the second: what both say exactly enough. */
export function isBefore(first: string, second: string): boolean {
  if (!isDate(first) || !isDate(second) || first.length < 10 || second.length < 10) return false;
  const areExact = [first, second].every((text) => text.includes("T") && /(?:Z|[+-]\d\d:?\d\d)$/.test(text));
  return areExact ? Date.parse(first) < Date.parse(second) : first.slice(0, 10) < second.slice(0, 10);
}

function isClock(hour: string, minute: string, second: string): boolean {
  return Number(hour) <= 24 && Number(minute) <= 59 && Number(second) <= 60;
}
