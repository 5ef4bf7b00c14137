import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

// The table in docs/reference/asvs.md of OWASP ASVS 5.0.0 has a line for every requirement of
// levels 1 and 2.

const ROOT = join(import.meta.dirname, "../..");

/**
 * Number of requirements of levels 1 and 2 per section, by chapter. Requirements of level 3 come
 * last in every section, so the others are numbered from 1 without gaps.
 */
const REQUIREMENTS: Record<number, readonly number[]> = {
  1: [2, 9, 11, 3, 2],
  2: [3, 3, 4, 1],
  3: [0, 2, 4, 6, 5, 0, 2],
  4: [3, 1, 2, 4],
  5: [1, 3, 2, 3],
  6: [3, 12, 4, 4, 5, 3, 0, 4],
  7: [3, 4, 2, 5, 2, 2],
  8: [2, 3, 1, 1],
  9: [3, 4],
  10: [2, 2, 4, 11, 5, 2, 3],
  11: [2, 3, 3, 4, 1, 1, 0],
  12: [3, 2, 4],
  13: [1, 5, 2, 5],
  14: [2, 4, 3],
  15: [3, 3, 7, 0],
  16: [1, 5, 4, 3, 3],
  17: [1, 4, 2],
};
const VERDICTS = ["met", "not met", "not applicable"];

const text = readFileSync(join(ROOT, "docs/reference/asvs.md"), "utf8");
const lines = [...text.matchAll(/^\| (\d+\.\d+\.\d+) \| ([^|]+) \| ([^|]+) \|$/gm)].map(
  ([, number = "", verdict = "", shownBy = ""]) => ({ number, verdict, shownBy }),
);

const isThere = (name: string) => [`test/${name}.test.ts`, name].some((path) => existsSync(join(ROOT, path)));

test("has one line with a verdict per requirement of levels 1 and 2, in order", () => {
  const numbers = Object.entries(REQUIREMENTS).flatMap(([chapter, sections]) =>
    sections.flatMap((count, at) => Array.from({ length: count }, (_, number) => `${chapter}.${at + 1}.${number + 1}`)),
  );
  expect(numbers).toHaveLength(253);
  expect(lines.map(({ number }) => number)).toEqual(numbers);
  expect(lines.filter(({ verdict }) => !VERDICTS.includes(verdict))).toEqual([]);
});

test("names an existing test or file for every requirement that is met", () => {
  const named = lines.map((line) => ({
    ...line,
    names: [...line.shownBy.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name),
  }));
  expect(named.filter(({ verdict, names }) => verdict === "met" && names.length === 0)).toEqual([]);
  expect(named.filter(({ names }) => !names.every(isThere))).toEqual([]);
});

test("counts the lines of the table correctly above it", () => {
  const [met, not, other] = VERDICTS.map((verdict) => lines.filter((line) => line.verdict === verdict).length);
  expect(text).toContain(`of 253 requirements ${met} are met, ${not} are not, and ${other} do not apply.`);
});
