import { expect, test } from "vitest";
import { timeToRead, TookTooLong, withinTime } from "../../core/shared/within-time.ts";

// The attack: a text from outside whose reading never ends.

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

test("work that ends gives its result, and what it throws is thrown", () => {
  expect(withinTime(1000, () => "read")).toBe("read");
  expect(() =>
    withinTime(1000, () => {
      throw new RangeError("of the work");
    }),
  ).toThrow(RangeError);
});

test("a limit within a limit ends the inner work alone", () => {
  expect(withinTime(10_000, () => [readNever(20), "goes on"])).toEqual(["late", "goes on"]);
});

test("the limit grows with the text", () => {
  expect([0, 1000, 1_000_000].map(timeToRead)).toEqual([1000, 1010, 11_000]);
});
