// Patterns are linear; texts longer than MAX_LENGTH are rejected.

const MAX_LENGTH = 100;

const NUMBER_PATTERN = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/;
const DATE_PATTERN =
  /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T(\d\d)(?::(\d\d)(?::(\d\d)(?:[.,]\d+)?)?)?(?:Z|[+-]\d\d(?::?\d\d)?)?)?)?)?$/;
const BASIC_DATE_PATTERN = /^(\d{4})(\d\d)(\d\d)$/;
const TIME_PATTERN = /^(\d\d):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?(?:Z|[+-]\d\d(?::?\d\d)?)?$/;
const DURATION_PATTERN =
  /^P(?=[\dT])(?:\d+(?:\.\d+)?Y)?(?:\d+(?:\.\d+)?M)?(?:\d+(?:\.\d+)?W)?(?:\d+(?:\.\d+)?D)?(?:T(?=\d)(?:\d+(?:\.\d+)?H)?(?:\d+(?:\.\d+)?M)?(?:\d+(?:\.\d+)?S)?)?$/;

/** Rejects units and separators; null for other texts. */
export function parseNumber(text: string): number | null {
  return text.length <= MAX_LENGTH && NUMBER_PATTERN.test(text) ? Number(text) : null;
}

/** Existing ISO 8601 date, optionally with time; a year suffices. */
export function isDate(text: string): boolean {
  if (text.length > MAX_LENGTH) return false;
  const [, year, month = "1", day = "1", hour = "0", minute = "0", second = "0"] =
    DATE_PATTERN.exec(text) ?? BASIC_DATE_PATTERN.exec(text) ?? [];
  if (year === undefined || Number(month) < 1 || Number(month) > 12) return false;
  const days = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  return Number(day) >= 1 && Number(day) <= days && isClockTime(hour, minute, second);
}

/** ISO 8601 time of day. */
export function isTime(text: string): boolean {
  const [, hour, minute = "0", second = "0"] = (text.length <= MAX_LENGTH && TIME_PATTERN.exec(text)) || [];
  return hour !== undefined && isClockTime(hour, minute, second);
}

/** ISO 8601 duration. */
export function isDuration(text: string): boolean {
  return text.length <= MAX_LENGTH && DURATION_PATTERN.test(text);
}

/** Absolute or relative. Rejects a host without scheme, which would be a path. */
export function isAddress(text: string): boolean {
  if (/[\s<>"\\^`]/.test(text) || /^www\./i.test(text)) return false;
  return !/^https?:/i.test(text) || URL.canParse(text);
}

/** Compares at the precision of both. */
export function isEarlierDate(first: string, second: string): boolean {
  if (!isDate(first) || !isDate(second) || first.length < 10 || second.length < 10) return false;
  const areExact = [first, second].every((text) => text.includes("T") && /(?:Z|[+-]\d\d:?\d\d)$/.test(text));
  return areExact ? Date.parse(first) < Date.parse(second) : first.slice(0, 10) < second.slice(0, 10);
}

function isClockTime(hour: string, minute: string, second: string): boolean {
  return Number(hour) <= 24 && Number(minute) <= 59 && Number(second) <= 60;
}
