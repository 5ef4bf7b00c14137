import { expect, test } from "vitest";
import { timeToRead, TookTooLong, withinTime } from "../../core/shared/within-time.ts";

// Attack: a text from outside that takes forever to parse.

function never(): never {
  for (;;);
}

function readNever(limitMs: number): string {
  try {
    return withinTime(limitMs, never);
  } catch (error) {
    if (error instanceof TookTooLong) return "late";
    throw error;
  }
}

const backtracking = () => /^(?:a|a)*$/.test(`${"a".repeat(60)}b`);

test.each([
  ["a loop", never],
  ["a regular expression", backtracking],
])("%s is ended at its time limit", (_, work) => {
  expect(() => withinTime(20, work)).toThrow(TookTooLong);
});

test("returns the result of completed work, and rethrows its errors", () => {
  expect(withinTime(1000, () => "read")).toBe("read");
  expect(() =>
    withinTime(1000, () => {
      throw new RangeError("of the work");
    }),
  ).toThrow(RangeError);
});

test("ends only the inner work at a nested limit", () => {
  expect(withinTime(10_000, () => [readNever(20), "goes on"])).toEqual(["late", "goes on"]);
});

test("the limit grows with the text", () => {
  expect([0, 1000, 1_000_000].map(timeToRead)).toEqual([1000, 1010, 11_000]);
});
