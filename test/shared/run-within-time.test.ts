import { expect, test } from "vitest";
import { parseTimeLimitMs, TimeLimitExceeded, runWithinTime } from "../../core/shared/run-within-time.ts";

// Attack: a text from outside that takes forever to parse.

function never(): never {
  for (;;);
}

function readNever(limitMs: number): string {
  try {
    return runWithinTime(limitMs, never);
  } catch (error) {
    if (error instanceof TimeLimitExceeded) return "late";
    throw error;
  }
}

const backtracking = () => /^(?:a|a)*$/.test(`${"a".repeat(60)}b`);

test.each([
  ["a loop", never],
  ["a regular expression", backtracking],
])("%s is ended at its time limit", (_, work) => {
  expect(() => runWithinTime(20, work)).toThrow(TimeLimitExceeded);
});

test("returns the result of completed work, and rethrows its errors", () => {
  expect(runWithinTime(1000, () => "read")).toBe("read");
  expect(() =>
    runWithinTime(1000, () => {
      throw new RangeError("of the work");
    }),
  ).toThrow(RangeError);
});

test("ends only the inner work at a nested limit", () => {
  expect(runWithinTime(10_000, () => [readNever(20), "goes on"])).toEqual(["late", "goes on"]);
});

test("the limit grows with the text", () => {
  expect([0, 1000, 1_000_000].map(parseTimeLimitMs)).toEqual([1000, 1010, 11_000]);
});
