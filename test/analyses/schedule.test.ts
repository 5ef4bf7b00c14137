import { expect, test } from "vitest";
import {
  countCollects,
  findFirstRound,
  completeSchedule,
  findNextRound,
  findScheduleFaults,
} from "../../core/analyses/schedule.ts";

const BERLIN = { at: "06:00", time_zone: "Europe/Berlin" };

const monthly = (day: number) => ({ every: "monthly" as const, at: "06:00", day_of_month: day, time_zone: "UTC" });
/** The fields at fault of a daily schedule with these. */
const paths = (given: object) => findScheduleFaults({ every: "daily", ...BERLIN, ...given }).map(({ path }) => path);

/** Consecutive rounds of a schedule after an instant. */
function rounds(schedule: Parameters<typeof findNextRound>[0], after: string, count: number): string[] {
  const found: string[] = [];
  for (let at: string | undefined = after; found.length < count;) {
    at = findNextRound(schedule, at);
    if (at === undefined) break;
    found.push(at);
  }
  return found;
}

/** The days of four monthly rounds. */
const days = (day: number, after: string) => rounds(monthly(day), after, 4).map((at) => at.slice(0, 10));

test("six in the morning stays six in the morning when the clocks change", () => {
  const daily = { every: "daily" as const, ...BERLIN };
  expect(rounds(daily, "2026-03-27T12:00:00.000Z", 3)).toEqual([
    "2026-03-28T05:00:00.000Z",
    "2026-03-29T04:00:00.000Z",
    "2026-03-30T04:00:00.000Z",
  ]);
  expect(rounds(daily, "2026-10-23T12:00:00.000Z", 3)).toEqual([
    "2026-10-24T04:00:00.000Z",
    "2026-10-25T05:00:00.000Z",
    "2026-10-26T05:00:00.000Z",
  ]);
});

test("an hour skipped or repeated by daylight saving has one round", () => {
  const daily = { every: "daily" as const, at: "02:30", time_zone: "Europe/Berlin" };
  expect(rounds(daily, "2026-03-27T12:00:00.000Z", 3)).toEqual([
    "2026-03-28T01:30:00.000Z",
    "2026-03-29T01:00:00.000Z",
    "2026-03-30T00:30:00.000Z",
  ]);
  expect(rounds(daily, "2026-10-23T12:00:00.000Z", 3)).toEqual([
    "2026-10-24T00:30:00.000Z",
    "2026-10-25T00:30:00.000Z",
    "2026-10-26T01:30:00.000Z",
  ]);
});

test("a short month has its round on its last day, and the next month on the regular day", () => {
  expect(days(31, "2026-01-30T00:00:00.000Z")).toEqual(["2026-01-31", "2026-02-28", "2026-03-31", "2026-04-30"]);
  expect(days(30, "2028-01-15T00:00:00.000Z")).toEqual(["2028-01-30", "2028-02-29", "2028-03-30", "2028-04-30"]);
  expect(days(29, "2026-02-01T00:00:00.000Z")).toEqual(["2026-02-28", "2026-03-29", "2026-04-29", "2026-05-29"]);
  expect(days(28, "2026-02-01T00:00:00.000Z")).toEqual(["2026-02-28", "2026-03-28", "2026-04-28", "2026-05-28"]);
});

test("a word is six o'clock UTC, on the day of the week or month that it is", () => {
  // 02:00 on Monday in Berlin is Sunday in UTC.
  const now = "2026-11-01T23:30:00.000Z";
  const utc = { at: "06:00", time_zone: "UTC" };
  expect(completeSchedule("weekly", now)).toEqual({ every: "weekly", weekday: "sunday", ...utc });
  expect(completeSchedule("monthly", now)).toEqual({ every: "monthly", day_of_month: 1, ...utc });
  expect(completeSchedule({ every: "weekly", ...BERLIN }, now)).toEqual({
    every: "weekly",
    weekday: "monday",
    ...BERLIN,
  });
});

test("the first collect's day has no second round, and a schedule ends in its time zone", () => {
  const daily = { every: "daily" as const, ...BERLIN };
  expect(findFirstRound(daily, "2026-11-02T01:00:00.000Z")).toBe("2026-11-03T05:00:00.000Z");
  // Half past eleven at night in UTC is the next day in Berlin.
  expect(findFirstRound(daily, "2026-11-02T23:30:00.000Z")).toBe("2026-11-04T05:00:00.000Z");
  expect(countCollects(daily, "2026-11-02T01:00:00.000Z", "2026-11-05T05:00:00.000Z")).toBe(4);
  expect(countCollects(daily, "2026-11-02T01:00:00.000Z", "2026-11-05T04:59:00.000Z")).toBe(3);
  expect(countCollects(daily, "2026-11-02T01:00:00.000Z", "2028-11-05T04:59:00.000Z")).toBe(366);
});

test("names the invalid field of a schedule", () => {
  expect(paths({})).toEqual([]);
  expect(paths({ time_zone: "Europe/Bärlin" })).toEqual(["schedule.time_zone"]);
  expect(paths({ time_zone: "+02:00" })).toEqual(["schedule.time_zone"]);
  expect([paths({ at: "24:00" }), paths({ at: "23:60" }), paths({ at: "23:59" })]).toEqual([
    ["schedule.at"],
    ["schedule.at"],
    [],
  ]);
  expect(paths({ weekday: "monday", day_of_month: 3 })).toEqual(["schedule.weekday", "schedule.day_of_month"]);
});
