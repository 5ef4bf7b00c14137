import { expect, test } from "vitest";
import { readEach, readOr, timeToRead, TookTooLong, withinTime } from "../core/within-time.ts";

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

const lengthOf = (text: string) => (text === "endless" ? never() : text.length);
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

test("of several texts only those that exceed their limit are left out", () => {
  expect(readEach(["a", "endless", "abc"], lengthOf, null)).toEqual([1, null, 3]);
  expect(readOr(1, () => "read", null)).toBe("read");
});
