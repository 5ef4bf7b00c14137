import { Cron } from "croner";
import { z } from "zod";
import { SCHEDULES, WEEKDAYS } from "./analysis.ts";
import { later, type Instant } from "../shared/time.ts";

/** Collects that one schedule can have, the one that starts at once among them. */
export const MOST_COLLECTS = 366;
const TIME_OF_DAY = /^([01]\d|2[0-3]):[0-5]\d$/;
const FIRST_DAY_NOT_IN_EVERY_MONTH = 29;

// A model reads the schema in every listing, so that it leaves to scheduleFaults what takes many words to say.
/** When an analysis collects; months that are too short have its day on their last one. A weekly one has a weekday, a monthly one a day, once it is in its one form. */
export const Schedule = z.strictObject({
  every: z.enum(SCHEDULES),
  at: z.string().max(100).default("06:00"),
  weekday: z.enum(WEEKDAYS).optional(),
  day_of_month: z.int().min(1).max(31).optional(),
  time_zone: z.string().max(100).default("UTC"),
});
export type Schedule = z.output<typeof Schedule>;

export const ScheduleField = z.union([z.enum(SCHEDULES), Schedule]).describe("A word alone: at 06:00 UTC.");
export type GivenSchedule = z.output<typeof ScheduleField>;

/** Why this is no schedule, by the field at fault; nothing where it is one. */
export function scheduleFaults(given: GivenSchedule): { path: string; message: string }[] {
  if (typeof given === "string") return [];
  const { every, at, weekday, day_of_month: day, time_zone: zone } = given;
  return [
    ...(TIME_OF_DAY.test(at) ? [] : [{ path: "schedule.at", message: "is not a time from 00:00 to 23:59" }]),
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
  // Offsets such as +02:00 are not of a place: they know no daylight saving.
  if (!/^[A-Z]/i.test(name)) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

export function fixedSchedule(given: GivenSchedule, now: Instant): Schedule {
  const schedule = typeof given === "string" ? Schedule.parse({ every: given }) : given;
  const { every, time_zone: zone } = schedule;
  if (every === "weekly") return { ...schedule, weekday: schedule.weekday ?? dayIn(zone, now).weekday };
  if (every === "monthly") return { ...schedule, day_of_month: schedule.day_of_month ?? dayIn(zone, now).day };
  return schedule;
}

/** The first round of a schedule after an instant; undefined for a schedule of one collect. */
export function nextRound(schedule: Schedule, after: Instant): Instant | undefined {
  return rounds(schedule, after).next().value;
}

/** The first round after the day of a collect that starts `now`: that day is measured by it. */
export function firstRound(schedule: Schedule, now: Instant): Instant | undefined {
  if (schedule.every === "once") return undefined;
  const today = dayIn(schedule.time_zone, now).date;
  for (const round of rounds(schedule, now)) if (dayIn(schedule.time_zone, round).date !== today) return round;
  return undefined;
}

/** How many rounds there are from the one at `first` on until `end`, both included; no more than `most`. */
export function countRounds(schedule: Schedule, first: Instant | undefined, end: Instant | null, most: number): number {
  if (first === undefined || end === null || first > end) return 0;
  let count = 1;
  for (const round of rounds(schedule, first)) {
    if (round > end || count >= most) break;
    count++;
  }
  return Math.min(count, most);
}

/** How many collects a schedule has from `now` until `endsAt`: the one that starts at once, and its rounds. */
export function countCollects(schedule: Schedule, now: Instant, endsAt: Instant | null): number {
  return 1 + countRounds(schedule, firstRound(schedule, now), endsAt, MOST_COLLECTS - 1);
}

/** How many of its collects are so long after the one counted before: the one that starts `now`, and its rounds until `endsAt`. */
export function countApart(
  schedule: Schedule,
  { now, endsAt, apartMs }: { now: Instant; endsAt: Instant | null; apartMs: number },
): number {
  let count = 1;
  if (endsAt === null) return count;
  let last = now;
  let collects = 1;
  for (const round of rounds(schedule, now)) {
    collects++;
    if (round > endsAt || collects > MOST_COLLECTS) break;
    if (round < later(last, apartMs)) continue;
    count++;
    last = round;
  }
  return count;
}

function* rounds(schedule: Schedule, after: Instant): Generator<Instant, undefined> {
  if (schedule.every === "once") return undefined;
  const cron = new Cron(patternOf(schedule), { timezone: schedule.time_zone });
  for (let at = cron.nextRun(after); at !== null; at = cron.nextRun(at)) {
    const round = at.toISOString();
    if (isRound(schedule, round)) yield round;
  }
  return undefined;
}

function patternOf({ every, at, weekday = "monday", day_of_month: day = 1 }: Schedule): string {
  const [hour = "", minute = ""] = at.split(":");
  const time = `0 ${Number(minute)} ${Number(hour)}`;
  if (every === "daily") return `${time} * * *`;
  if (every === "weekly") return `${time} * * ${WEEKDAYS.indexOf(weekday) + 1}`;
  return `${time} ${day < FIRST_DAY_NOT_IN_EVERY_MONTH ? day : `28-${day}`} * *`;
}

/** False for a day that stands in the pattern for months that lack the right one. */
function isRound({ every, day_of_month: wanted = 1, time_zone: zone }: Schedule, at: Instant): boolean {
  if (every !== "monthly" || wanted < FIRST_DAY_NOT_IN_EVERY_MONTH) return true;
  const { day, date } = dayIn(zone, at);
  const [year, month] = date.split("-").map(Number);
  const lastDay = new Date(Date.UTC(year ?? 0, month ?? 0, 0)).getUTCDate();
  return day === Math.min(wanted, lastDay);
}

/** The day of an instant at a place. */
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

/** A schedule as people read it: `weekly on Monday at 06:00, Europe/Berlin`. */
export function describeSchedule(given: GivenSchedule): string {
  if (typeof given === "string") return given;
  const { every, at, weekday, day_of_month: day, time_zone: zone } = given;
  if (every === "once") return "once";
  const weekly = weekday === undefined ? "" : ` on ${weekday.replace(/^./, (letter) => letter.toUpperCase())}`;
  const monthly = day === undefined ? "" : ` on day ${day}`;
  return `${every}${weekly}${monthly} at ${at}, ${zone}`;
}
