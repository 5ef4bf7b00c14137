import { expect, test } from "vitest";
import { parseEachWithinTime, parseWithinTime } from "../../core/shared/run-within-time.ts";

// Attack: a text from outside that takes forever to parse.

function never(): never {
  for (;;);
}

const lengthOf = (text: string) => (text === "endless" ? never() : text.length);

test("drops only the texts that exceed their time limit", () => {
  const how = { countCharacters: ({ length }: string) => length, read: lengthOf, fallback: null };
  expect(parseEachWithinTime(["a", "endless", "abc"], how)).toEqual([1, null, 3]);
  expect(parseWithinTime(1, () => "read", null)).toBe("read");
});
