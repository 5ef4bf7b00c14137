import type { Row } from "./view.ts";

const COLUMNS = [
  "brand",
  "is_my_brand",
  "answers",
  "prompts",
  "occurrences",
  "presence_rate",
  "ci_low",
  "ci_high",
  "grade",
  "average_rank",
  "rank_ci_low",
  "rank_ci_high",
  "top_3_rate",
  "visibility_score",
  "share_of_voice",
  "citations",
  "previous",
] as const satisfies readonly (keyof Row)[];
const OF_CHANGE = ["before", "after", "delta", "ci_low", "ci_high", "p", "verdict", "cells"] as const;

/** The table of brands for a spreadsheet, its head first: values as the interface gives them. */
export function brandsCsv(rows: readonly Row[]): (string | number | null)[][] {
  const head = [...COLUMNS, ...OF_CHANGE.map((name) => `change_${name}`)];
  return [head, ...rows.map((row) => [...COLUMNS.map((name) => value(row[name])), ...changeOf(row)])];
}

function changeOf({ change }: Row): (string | number | null)[] {
  return OF_CHANGE.map((name) => change?.[name] ?? null);
}

function value(of: string | number | boolean | null | undefined): string | number | null {
  return typeof of === "boolean" ? String(of) : (of ?? null);
}
