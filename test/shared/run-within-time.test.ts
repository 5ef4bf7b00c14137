import { expect, test } from "vitest";
import { groupBySize } from "../../core/shared/run-within-time.ts";

const lengthsOf = (groups: string[][]) => groups.map((group) => group.map(({ length }) => length));
const group = (...lengths: number[]) =>
  lengthsOf(
    groupBySize(
      lengths.map((length) => "x".repeat(length)),
      ({ length }) => length,
    ),
  );

test("texts of up to 4,000 characters together share a time limit; a longer one has its own", () => {
  expect(group()).toEqual([]);
  expect(group(1000, 3000, 1, 9000, 2, 0)).toEqual([[1000, 3000], [1], [9000], [2, 0]]);
});
