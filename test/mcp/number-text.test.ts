import { expect, test } from "vitest";
import { formatNumber, stringifyRounded } from "../../src/http/mcp/tools/number-text.ts";

test("the last digit of a number is at most a third of its half-width", () => {
  const cases: readonly (readonly [value: number, low: number, high: number])[] = [
    [30.9524, 25, 37],
    [77.7778, 65.1209, 86.7745],
    [42.5, 10, 80],
    [30.9524, 29.63, 32.27],
    [30.9524, 30.8, 31.1],
    [30.9524, 30.9524, 30.9524],
    [2.081633, 1.8, 2.4],
    [-0.2475, -10.0792, 10.5743],
    [100, 94.2, 100],
    [16.2, 3, 303],
    [0.00012345, 0.0001, 0.00015],
  ];
  expect(cases.map(([value, ...interval]) => formatNumber(value, interval))).toEqual([
    "31",
    "78",
    "43",
    "31",
    "30.95",
    "31",
    "2.1",
    "0",
    "100",
    "16",
    "0.000123",
  ]);
});

test("without an interval a number has at most 3 significant digits, and whole numbers are exact", () => {
  const values = [0.309524, 5.263158, 77.777778, 126.4, 1234.56, 0.000026, 0.838799, -1.933333, 0, 12345678];
  const cells = ["0.31", "5.26", "77.8", "126", "1235", "0.000026", "0.839", "-1.93", "0", "12345678"];
  expect(values.map((value) => formatNumber(value))).toEqual(cells);
  expect(formatNumber(0.309524, [null, null])).toBe("0.31");
});

test("money stays exact at any depth, and other numbers in a cell are rounded", () => {
  const cost = { usd: 0.012345, credits: 12.3456, rates: [0.123456, 1234.56], max_spend_usd: 41.666667 };
  expect(stringifyRounded(cost, "cost")).toBe(
    '{"usd":0.012345,"credits":12.3456,"rates":[0.123,1235],"max_spend_usd":41.666667}',
  );
  expect([stringifyRounded(0.012345, "usd_this_month"), stringifyRounded(0.012345, "share")]).toEqual([
    "0.012345",
    "0.0123",
  ]);
});
