import { z } from "zod";
import { invalidInput } from "../../../core/shared/errors.ts";
import { InstantField, unlisted } from "../../../core/shared/fields.ts";
import { addMs, startOfMonth, toInstant, type Instant } from "../../../core/shared/time.ts";
import type { MeasuredCollect } from "../../../db/metrics/search-metrics.ts";

// Selects runs by date. A run has the date of its last answer; days are UTC.

const DAYS_BY_PERIOD = { "7d": 7, "30d": 30, "90d": 90 } as const;

const isDate = (value: string) => z.union([z.iso.date(), InstantField]).safeParse(value).success;
const DateField = z
  .string()
  .max(40)
  .toUpperCase()
  .refine((value) => value === "" || isDate(value), "must be a date such as 2026-11-21, or an ISO 8601 time")
  .nullish();

export const dateQuery = {
  since: DateField.describe("Date, as 2026-11-05."),
  until: DateField.describe("Last day."),
  period: z.enum(["7d", "30d", "90d", "month"]).nullish().describe("To today; month: this one."),
};

/** The dates of lists that questions rarely narrow by date. */
export const unlistedDateQuery = {
  since: unlisted(dateQuery.since),
  until: unlisted(dateQuery.until),
  period: unlisted(dateQuery.period),
};

/** Names of other services for the dates, by which requests may also give them. */
export const DATE_ALIASES: ReadonlyMap<string, string> = new Map([
  ["date_start", "since"],
  ["start_date", "since"],
  ["date_end", "until"],
  ["end_date", "until"],
]);

export interface DatesInput {
  since?: string | null | undefined;
  until?: string | null | undefined;
  period?: "7d" | "30d" | "90d" | "month" | null | undefined;
}

const RUN_FIELDS = ["collect_id", "collect_ids", "prev_collect_id", "prev_collect_ids"];

/** True if a request selects runs by date, and so by no default. */
export function hasDates({ since, until, period }: DatesInput): boolean {
  return [since, until, period].some((value) => (value ?? "") !== "");
}

/** Dates of a request as instants, both inclusive. `until` is set if any date is. VALIDATION_FAILED. */
export function resolveDates<Input extends Record<string, unknown>>(input: Input, now: Instant): Input {
  const { since, until, period }: DatesInput = input;
  if (!hasDates(input)) return input;
  const runs = RUN_FIELDS.find((field) => [input[field] ?? []].flat().length > 0);
  if (runs !== undefined)
    throw invalidInput([
      { path: runs, message: "cannot be combined with dates: name runs, or since, until or period" },
    ]);
  if (period && (since || until))
    throw invalidInput([{ path: "period", message: "cannot be combined with since or until: use one of them" }]);
  const today = toDay(now);
  const window = {
    since: period ? startOfPeriod(period, today) : since ? (isDay(since) ? startOf(since) : normalise(since)) : null,
    until: until && !isDay(until) ? normalise(until) : endOf(until || today),
  };
  if (window.since !== null && window.since > window.until)
    throw invalidInput([{ path: "since", message: "must not be later than until, which is today by default" }]);
  return { ...input, ...window };
}

const MS_PER_DAY = 86_400_000;
const isDay = (value: string) => value.length === "2026-11-21".length;
const startOf = (day: string): Instant => `${day}T00:00:00.000Z`;
const endOf = (day: string): Instant => `${day}T23:59:59.999Z`;
const toDay = (at: Instant) => at.slice(0, 10);
const normalise = (time: string): Instant => toInstant(Date.parse(time));

function startOfPeriod(period: NonNullable<DatesInput["period"]>, today: string): Instant {
  if (period === "month") return startOfMonth(startOf(today));
  return addMs(startOf(today), (1 - DAYS_BY_PERIOD[period]) * MS_PER_DAY);
}

/** Both ends are inclusive. */
export interface DateWindow {
  since: Instant | null;
  until: Instant;
}

/** Undefined if the request names no dates. */
export function toDateWindow({ since, until }: DatesInput): DateWindow | undefined {
  return until ? { since: since ?? null, until } : undefined;
}

/** The calendar month before, or the window of equal length right before; undefined without a start. */
export function getPreviousWindow({ since, until }: DateWindow, period: DatesInput["period"]): DateWindow | undefined {
  if (since === null) return undefined;
  const end = addMs(since, -1);
  const lengthMs = Date.parse(until) - Date.parse(since) + 1;
  return { since: period === "month" ? startOfMonth(end) : addMs(since, -lengthMs), until: end };
}

type DatedCollect = Pick<MeasuredCollect, "collectedTo" | "finishedAt" | "isImported">;

/** Null for an import without dates: the time of the import says nothing about its answers. */
function getRunDate({ collectedTo, finishedAt, isImported }: DatedCollect): Instant | null {
  return collectedTo ?? (isImported ? null : finishedAt);
}

export function isWithin(collect: DatedCollect, { since, until }: DateWindow): boolean {
  const date = getRunDate(collect);
  return date !== null && (since ?? "") <= date && date <= until;
}

/** Reason why a window has no run, with the nearest run; null if no run has a date. */
export function describeEmptyWindow(
  collects: readonly (DatedCollect & { number: number })[],
  { since, until }: DateWindow,
): string | null {
  const distance = (date: Instant) => Math.abs(Date.parse(date) - Date.parse(date > until ? until : (since ?? date)));
  const dated = collects.map((one) => ({ number: one.number, date: getRunDate(one) ?? "" }));
  const [nearest] = dated
    .filter(({ date }) => date !== "")
    .toSorted((a, b) => distance(a.date) - distance(b.date) || b.number - a.number);
  if (!nearest) return null;
  const [first, last] = [since === null ? "" : `from ${toDay(since)} `, toDay(until)];
  const when =
    since !== null && toDay(since) === last ? `on ${last}` : `${first}${first === "" ? "until" : "to"} ${last}`;
  return `No run of this analysis ended ${when} (UTC). The nearest is run ${nearest.number}, on ${toDay(nearest.date)}; list_collects has all.`;
}
