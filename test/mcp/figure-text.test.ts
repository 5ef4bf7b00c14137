import { expect, test } from "vitest";
import { z } from "zod";
import { meanField, rateField } from "../../core/metrics/metric-fields.ts";
import { buildToolResult } from "../../src/http/mcp/tools/tool-result.ts";
import { readArguments } from "../../src/http/mcp/tools/tool-arguments.ts";
import { EXAMPLE_BASE_URL, buildToolTable } from "../../src/http/mcp/tools/tool-table.ts";
import { endpoint, type AnyEndpoint } from "../../tools/endpoint.ts";
import { ChangeField } from "../../core/metrics/changes/change-row.ts";

// Metrics in a tool's text, over invented endpoints: only column declarations matter.

const COUNTS = { count: "occurrences", total: "answers", noun: "answers", prompts: "prompts" };
const INTERVAL = ["ci_low", "ci_high"] as const;
const Row = z.object({
  brand: z.string(),
  answers: z.int(),
  prompts: z.int(),
  occurrences: z.int(),
  presence: rateField({ of: COUNTS, interval: INTERVAL }).nullable(),
  score: meanField({ interval: INTERVAL }),
  ci_low: z.number().nullable(),
  ci_high: z.number().nullable(),
  change: ChangeField.nullable(),
});

/** The table of a tool's text, for this row. */
function tableOf(row: object | readonly object[], more: object = {}, fields?: readonly string[]): string[] {
  const declared: AnyEndpoint = endpoint({
    name: "listFigures",
    method: "GET",
    path: "/v1/figures",
    group: "Metrics",
    summary: "List figures",
    description: "Use this in a test.",
    access: "signed-in",
    input: z.strictObject({}),
    output: z.object({ data: z.array(Row), figure: z.string().optional() }),
    handle: () => Promise.reject(new Error("not called")),
  });
  const [tool] = buildToolTable([declared], EXAMPLE_BASE_URL).tools;
  if (!tool) throw new Error("no tool");
  const { selection } = readArguments(tool, fields ? { fields } : {});
  const [first] = buildToolResult(
    tool,
    { data: [row].flat().map((one) => ({ ...ROW, ...one })), ...more },
    selection,
  ).content;
  const lines = first?.type === "text" ? first.text.split("\n") : [];
  return lines.filter((line) => line.includes(" | ") || fields?.length === 1);
}

const CHANGE = {
  before: 0.15,
  after: 0.214286,
  delta: 0.064286,
  ci_low: 0.01,
  ci_high: 0.118572,
  p: 0.021,
  verdict: "first_sign",
  cells: 61,
  left_out: { one_side_only: 3, other_method: 0, other_model: 2 },
  compared_with: [4, 5],
  baseline: "mean of runs 4 and 5",
};
const ROW = {
  brand: "Acme",
  answers: 182,
  prompts: 61,
  occurrences: 39,
  presence: 0.214286,
  score: 16.2,
  ci_low: 0.15,
  ci_high: 0.3,
  change: CHANGE,
};

test("fault: a model got 0.214286 and JSON for changes; rates and changes are written for people", () => {
  expect(tableOf({}, { figure: "presence" })).toEqual([
    "brand | presence (occurrences of answers to prompts, ci_low to ci_high) | score | change",
    "Acme | 21 % (39 of 182 answers to 61 prompts, 15 to 30 %) | 16.2 | +6 points (before 15 %, after 21 %; 1 to 12, p 0.021): first_sign; against mean of runs 4 and 5; 61 common cells, left out 3 one_side_only, 2 other_model",
  ]);
});

test("an interval and a change are of the figure that the result names, in its unit", () => {
  const change = {
    ...CHANGE,
    before: 15,
    after: 14.5,
    delta: -0.5,
    ci_low: -2,
    ci_high: 1,
    compared_with: [5],
    baseline: "run 5",
  };
  const left_out = { one_side_only: 0, other_method: 0, other_model: 0 };
  expect(tableOf({ ci_low: 12, ci_high: 20.5, change: { ...change, left_out } }, { figure: "score" })).toEqual([
    "brand | presence (occurrences of answers to prompts) | score (ci_low to ci_high) | change",
    "Acme | 21.4 % (39 of 182 answers to 61 prompts) | 16 (12 to 21) | -0.5 points (before 15, after 14.5; -2 to 1, p 0.021): first_sign; against run 5; 61 common cells, left out 0",
  ]);
});

test("unknown values get no words, and an unrequested column takes none with it", () => {
  const none = { before: null, after: null, delta: null, ci_low: null, ci_high: null, p: null };
  const change = { ...CHANGE, ...none, verdict: "insufficient_data" };
  const fields = ["brand", "presence", "occurrences", "answers", "change"];
  const unknown = { presence: null, occurrences: 0, answers: 0, change };
  expect(tableOf(unknown, {}, fields)[1]).toBe(
    "Acme | - (0 of 0 answers) | insufficient_data; against mean of runs 4 and 5; 61 common cells, left out 3 one_side_only, 2 other_model",
  );
  expect(tableOf({}, {}, ["presence"])).toContain("21.4 %");
  expect(tableOf({}, {}, ["answers", "ci_low", "ci_high"])).toContain("182 | 0.15 | 0.3");
  expect(tableOf({ change: null }, {}, ["brand", "change"])[1]).toBe("Acme | -");
});

test("a comparison that all changes share is in the header, and one that differs in each row", () => {
  const fields = ["brand", "change"];
  const comparison = "against mean of runs 4 and 5; 61 common cells, left out 3 one_side_only, 2 other_model";
  const words = "+6 points (before 15 %, after 21 %; 1 to 12, p 0.021): first_sign";
  const rival = { brand: "Rival", change: { ...CHANGE, verdict: "within_noise" } };
  expect(tableOf([{}, rival], {}, fields)).toEqual([
    `brand | change (${comparison})`,
    `Acme | ${words}`,
    `Rival | ${words.replace("first_sign", "within_noise")}`,
  ]);
  const other = { brand: "Rival", change: { ...CHANGE, cells: 60 } };
  expect(tableOf([{}, other, { brand: "New", change: null }], {}, fields)).toEqual([
    "brand | change",
    `Acme | ${words}; ${comparison}`,
    `Rival | ${words}; ${comparison.replace("61", "60")}`,
    "New | -",
  ]);
});
