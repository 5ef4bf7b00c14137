import { expect, test } from "vitest";
import { readEach, readOr } from "../../core/shared/within-time.ts";

// The attack: a text from outside whose reading never ends.

function never(): never {
  for (;;);
}

const lengthOf = (text: string) => (text === "endless" ? never() : text.length);

test("of several texts only those that exceed their limit are left out", () => {
  expect(readEach(["a", "endless", "abc"], lengthOf, null)).toEqual([1, null, 3]);
  expect(readOr(1, () => "read", null)).toBe("read");
});
