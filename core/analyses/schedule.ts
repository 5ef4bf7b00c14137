import { Cron } from "croner";
import { z } from "zod";
import { SCHEDULES, WEEKDAYS } from "./analysis.ts";
import { addMs, type Instant } from "../shared/time.ts";

/** Max collects of a schedule, including the immediate one. */
export const MAX_COLLECTS = 366;
/** Named, so that tools can also read `9:00`. */
export const TimeOfDay = z.string().max(100);
const TIME_OF_DAY_PATTERN = /^([01]\d|2[0-3]):[0-5]\d$/;
const FIRST_DAY_NOT_IN_EVERY_MONTH = 29;

// Tool listings include this schema, so it is short and findScheduleFaults checks the rest.
/**
 * Schedule of an analysis. In months that are too short, the last day replaces `day_of_month`.
 * After normalisation, a weekly schedule has a weekday and a monthly one a day.
 */
export const Schedule = z.strictObject({
  every: z.enum(SCHEDULES).describe("Interval."),
  at: TimeOfDay.default("06:00"),
  weekday: z.enum(WEEKDAYS).optional(),
  day_of_month: z.int().min(1).max(31).optional(),
  time_zone: z.string().max(100).default("UTC"),
});
export type Schedule = z.output<typeof Schedule>;

export const ScheduleField = z.union([z.enum(SCHEDULES), Schedule]).describe("A word alone runs at 06:00 UTC.");
export type ScheduleInput = z.output<typeof ScheduleField>;

export function findScheduleFaults(schedule: ScheduleInput): { path: string; message: string }[] {
  if (typeof schedule === "string") return [];
  const { every, at, weekday, day_of_month: day, time_zone: zone } = schedule;
  return [
    ...(TIME_OF_DAY_PATTERN.test(at) ? [] : [{ path: "schedule.at", message: "is not a time from 00:00 to 23:59" }]),
    ...(weekday === undefined || every === "weekly"
      ? []
      : [{ path: "schedule.weekday", message: "is for weekly schedules" }]),
    ...(day === undefined || every === "monthly"
      ? []
      : [{ path: "schedule.day_of_month", message: "is for monthly schedules" }]),
    ...(isTimeZone(zone) ? [] : [{ path: "schedule.time_zone", message: "is not a time zone, such as Europe/Berlin" }]),
  ];
}

function isTimeZone(name: string): boolean {
  // Rejects offsets such as +02:00, which ignore daylight saving time.
  if (!/^[A-Z]/i.test(name)) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

export function completeSchedule(given: ScheduleInput, now: Instant): Schedule {
  const schedule = typeof given === "string" ? Schedule.parse({ every: given }) : given;
  const { every, time_zone: zone } = schedule;
  if (every === "weekly") return { ...schedule, weekday: schedule.weekday ?? dayIn(zone, now).weekday };
  if (every === "monthly") return { ...schedule, day_of_month: schedule.day_of_month ?? dayIn(zone, now).day };
  return schedule;
}

/** First round (scheduled collect) after an instant; undefined for a schedule of one collect. */
export function findNextRound(schedule: Schedule, after: Instant): Instant | undefined {
  return generateRounds(schedule, after).next().value;
}

/** First round after today: the immediate collect covers today. */
export function findFirstRound(schedule: Schedule, now: Instant): Instant | undefined {
  if (schedule.every === "once") return undefined;
  const today = dayIn(schedule.time_zone, now).date;
  for (const round of generateRounds(schedule, now)) if (dayIn(schedule.time_zone, round).date !== today) return round;
  return undefined;
}

/** Number of rounds from `first` to `end` (inclusive), at most `most`. */
export function countRounds(schedule: Schedule, first: Instant | undefined, end: Instant | null, most: number): number {
  if (first === undefined || end === null || first > end) return 0;
  let count = 1;
  for (const round of generateRounds(schedule, first)) {
    if (round > end || count >= most) break;
    count++;
  }
  return Math.min(count, most);
}

/** Number of collects from `now` to `endsAt`: the immediate one and its rounds. */
export function countCollects(schedule: Schedule, now: Instant, endsAt: Instant | null): number {
  return 1 + countRounds(schedule, findFirstRound(schedule, now), endsAt, MAX_COLLECTS - 1);
}

/** Number of collects that are at least `apartMs` after the previously counted one. */
export function countCollectsApart(
  schedule: Schedule,
  { now, endsAt, apartMs }: { now: Instant; endsAt: Instant | null; apartMs: number },
): number {
  let count = 1;
  if (endsAt === null) return count;
  let last = now;
  let collects = 1;
  for (const round of generateRounds(schedule, now)) {
    collects++;
    if (round > endsAt || collects > MAX_COLLECTS) break;
    if (round < addMs(last, apartMs)) continue;
    count++;
    last = round;
  }
  return count;
}

function* generateRounds(schedule: Schedule, after: Instant): Generator<Instant, undefined> {
  if (schedule.every === "once") return undefined;
  const cron = new Cron(toCronPattern(schedule), { timezone: schedule.time_zone });
  for (let at = cron.nextRun(after); at !== null; at = cron.nextRun(at)) {
    const round = at.toISOString();
    if (isRound(schedule, round)) yield round;
  }
  return undefined;
}

function toCronPattern({ every, at, weekday = "monday", day_of_month: day = 1 }: Schedule): string {
  const [hour = "", minute = ""] = at.split(":");
  const time = `0 ${Number(minute)} ${Number(hour)}`;
  if (every === "daily") return `${time} * * *`;
  if (every === "weekly") return `${time} * * ${WEEKDAYS.indexOf(weekday) + 1}`;
  return `${time} ${day < FIRST_DAY_NOT_IN_EVERY_MONTH ? day : `28-${day}`} * *`;
}

/** False for days other than `day_of_month`, or the last day of a shorter month. */
function isRound({ every, day_of_month: wanted = 1, time_zone: zone }: Schedule, at: Instant): boolean {
  if (every !== "monthly" || wanted < FIRST_DAY_NOT_IN_EVERY_MONTH) return true;
  const { day, date } = dayIn(zone, at);
  const [year, month] = date.split("-").map(Number);
  const lastDay = new Date(Date.UTC(year ?? 0, month ?? 0, 0)).getUTCDate();
  return day === Math.min(wanted, lastDay);
}

function dayIn(timeZone: string, at: Instant) {
  const parts = new Intl.DateTimeFormat("en", {
    timeZone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    weekday: "long",
  }).formatToParts(new Date(at));
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((one) => one.type === type)?.value ?? "";
  const weekday = WEEKDAYS.find((name) => name === part("weekday").toLowerCase()) ?? "monday";
  return { date: `${part("year")}-${part("month")}-${part("day")}`, day: Number(part("day")), weekday };
}

/** Schedule in words, such as `weekly on Monday at 06:00, Europe/Berlin`. */
export function describeSchedule(given: ScheduleInput): string {
  if (typeof given === "string") return given;
  const { every, at, weekday, day_of_month: day, time_zone: zone } = given;
  if (every === "once") return "once";
  const weekly = weekday === undefined ? "" : ` on ${weekday.replace(/^./, (letter) => letter.toUpperCase())}`;
  const monthly = day === undefined ? "" : ` on day ${day}`;
  return `${every}${weekly}${monthly} at ${at}, ${zone}`;
}
