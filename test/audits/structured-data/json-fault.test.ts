import { expect, test } from "vitest";
import { findJsonFault } from "../../../core/audits/structured-data/read-json-ld.ts";

test.each([
  ["", 0],
  ["{", 1],
  ["  ", 2],
  ["{}x", 2],
  ["{,}", 1],
  ['{"a":1,}', 7],
  ["[1,]", 3],
  ["[1 2]", 3],
  ["[1}", 2],
  ['{"a" 1}', 5],
  ['{"a":}', 5],
  ["{a:1}", 1],
  ["{'a':1}", 1],
  ['{"a":"b', 7],
  ['{"a":"b\nc"}', 7],
  ['{"a":"\\x"}', 6],
  ["[01]", 2],
  ["[1.]", 2],
  ["[tru]", 1],
  ["[NaN]", 1],
  ['{"a":1}{"b":2}', 7],
  ["\u00a0{}", 0],
])("the fault of %j is at %d", (text, at) => {
  expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
  expect(findJsonFault(text)).toBe(at);
});

test.each(["{}", "[]", ' {"a": [1, -2.5e+3, "\\u00e4\\"", true, false, null, {}]}\n', '"x"', "0"])(
  "%j has no fault",
  (text) => {
    expect(() => JSON.parse(text) as unknown).not.toThrow();
    expect(findJsonFault(text)).toBe(text.length);
  },
);

test("attack: a long text costs no more than its length", { timeout: 10_000 }, () => {
  for (const text of [
    `"${"\\\\".repeat(500_000)}`,
    "[".repeat(1_000_000),
    `[${"1,".repeat(500_000)}]`,
    `"${"a".repeat(1_000_000)}`,
  ]) {
    expect(findJsonFault(text)).toBeGreaterThan(0);
  }
});
