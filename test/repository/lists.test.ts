import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import WORDS from "../../lists/words.json" with { type: "json" };

const FOLDER = join(import.meta.dirname, "../../lists");

/** Columns of each list; the first `key` columns identify a row. */
const LISTS: Record<string, { columns: string[]; key: number }> = {
  "ai-crawlers.json": {
    columns: ["token", "operator", "tier", "obeysRobots", "obeysAlso", "effect", "source"],
    key: 1,
  },
  "demo/pages.json": { columns: ["path", "xRobotsTag", "source"], key: 1 },
  "excluded-phrases.json": { columns: ["word", "phrases", "source"], key: 1 },
  "prompt-templates.json": { columns: ["language", "kind", "text", "source"], key: 3 },
  "rich-results.json": {
    columns: ["name", "type", "not", "where", "required", "requiredUnless", "recommended", "isRetired", "source"],
    key: 4,
  },
  "site-types.json": { columns: ["host", "type", "source"], key: 1 },
  "units.json": { columns: ["dimension", "factor", "names", "source"], key: 2 },
  "words.json": { columns: ["list", "group", "words", "source"], key: 3 },
};

test("every list is named here", () => {
  const files = readdirSync(FOLDER, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".json"));
  const documents = [
    "calibration.json",
    "demo/content.json",
    "demo/world.json",
    "rule-sources.json",
    "schema-org.json",
  ];
  expect(files.toSorted()).toEqual([...Object.keys(LISTS), ...documents].toSorted());
});

test.each(Object.entries(LISTS))(
  "has one row per line in %s, with its columns and a source, and no duplicate",
  (file, list) => {
    const text = readFileSync(join(FOLDER, file), "utf8");
    const rows = JSON.parse(text) as Record<string, unknown>[];
    expect(text).toBe(`[\n${rows.map((row) => `  ${JSON.stringify(row)}`).join(",\n")}\n]\n`);
    expect(rows.filter((row) => Object.keys(row).join() !== list.columns.join())).toEqual([]);
    expect(rows.filter(({ source }) => !/[\p{L}\d]{2}/u.test(JSON.stringify(source)))).toEqual([]);
    const keys = rows.map((row) => JSON.stringify(list.columns.slice(0, list.key).map((column) => row[column])));
    expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
  },
);

test("has no word twice in a group of a list", () => {
  const rows = WORDS.flatMap(({ list, group, words }) => words.split(" ").map((word) => `${list} ${group} ${word}`));
  expect(rows.filter((row, at) => rows.indexOf(row) !== at)).toEqual([]);
});
