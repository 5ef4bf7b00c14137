import { expect, test } from "vitest";
import { countMatched, doOverlap, computeScore, wilsonInterval, type Tally } from "./scores.ts";

function tally(answer: string, label: string, read: string): Tally {
  const right = label === read ? 1 : 0;
  const counts = new Map([[label, { found: right, right, there: 1 }]]);
  if (right === 0) counts.set(read, { found: 1, right: 0, there: 0 });
  return { answer, counts };
}

test("gives the Wilson interval of a share, and 0 to 1 for an empty sample", () => {
  const { low, high } = wilsonInterval(9, 10);
  expect([low.toFixed(4), high.toFixed(4)]).toEqual(["0.5958", "0.9821"]);
  expect(wilsonInterval(0, 0)).toEqual({ low: 0, high: 1 });
});

test("a class that is always read has full recall and the mean F1 counts the classes that are never read as 0", () => {
  const tallies = [tally("a", "pro", "pro"), tally("b", "con", "pro"), tally("c", "pro", "pro")];
  const { f1, classes } = computeScore(tallies, ["pro", "con"]);
  expect(classes.get("pro")).toMatchObject({ precision: 2 / 3, recall: 1, f1: 0.8 });
  expect(classes.get("con")).toMatchObject({ precision: 0, recall: 0, f1: 0 });
  expect(f1).toBeCloseTo(0.4);
});

test("the interval of F1 draws whole answers, and is the same each time", () => {
  const tallies = Array.from({ length: 40 }, (_, i) => tally(`${i % 8}`, "pro", i % 8 < 6 ? "pro" : "con"));
  const { f1, interval } = computeScore(tallies, ["pro"]);
  expect(interval.low).toBeLessThan(f1);
  expect(interval.high).toBeGreaterThan(f1);
  expect(computeScore(tallies, ["pro"]).interval).toEqual(interval);
});

test("matches spans that overlap by half of the shorter one, each label once", () => {
  expect(doOverlap({ start: 0, end: 100 }, { start: 95, end: 105 })).toBe(true);
  expect(doOverlap({ start: 0, end: 100 }, { start: 96, end: 106 })).toBe(false);
  expect(countMatched([1, 1, 2], [1, 2, 3], (one, other) => one === other)).toBe(2);
});
