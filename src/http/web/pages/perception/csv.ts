import type { Attributes, Awareness, Comparisons, Perception } from "./view.ts";

type Value = string | number | boolean | null | undefined;
type Cells = (string | number | null)[];

/** Tables for a spreadsheet, their heads first: values as the interface gives them. */

const STANCES = ["winner", "recommended", "caveated", "mentioned", "discouraged"] as const;
const OF_STANCES = [
  "brand",
  "is_my_brand",
  "answers",
  "prompts",
  ...STANCES.flatMap((stance) => [stance, `${stance}_share`] as const),
  "judged",
  "judged_prompts",
  "unjudged",
  "with_pros",
  "pro_rate",
  "pro_ci_low",
  "pro_ci_high",
  "with_cons",
  "con_rate",
  "con_ci_low",
  "con_ci_high",
  "more_pros",
  "more_cons",
  "with_either",
  "sentiment",
  "sentiment_ci_low",
  "sentiment_ci_high",
  "sentiment_grade",
] as const satisfies readonly (keyof Perception["data"][number])[];

export function stancesCsv({ data }: Perception): Cells[] {
  return tableOf(data, OF_STANCES, ["con_rate_change", "sentiment_change"]);
}

/** A line for each pro and con, with the sentence that is quoted for it. */
export function pointsCsv({ data }: Perception): Cells[] {
  const head = ["brand", "polarity", "phrase", "head", "answers", "asked", "answer_id", "text"];
  const lines = data.flatMap(({ brand, pros, cons, quotations }) =>
    [
      ...pros.map((point) => ({ polarity: "pro", ...point })),
      ...cons.map((point) => ({ polarity: "con", ...point })),
    ].map(({ polarity, phrase, head: noun, answers, asked }) => {
      const quoted = quotations.find((one) => one.polarity === polarity && one.head === noun);
      return [brand, polarity, phrase, noun, answers, asked, quoted?.answer_id ?? null, quoted?.text ?? null];
    }),
  );
  return [head, ...lines];
}

const OF_COMPARISONS = [
  "brand",
  "rival",
  "wins",
  "losses",
  "both",
  "answers",
  "prompts",
  "win_rate",
  "ci_low",
  "ci_high",
  "grade",
  "stance_answers",
  "stance_rate",
  "first_answers",
  "first_rate",
  "second_answers",
  "second_rate",
] as const satisfies readonly (keyof Comparisons["data"][number])[];

export function comparisonsCsv({ data }: Comparisons): Cells[] {
  return tableOf(data, OF_COMPARISONS, ["change"]);
}

const OF_ATTRIBUTES = [
  "attribute",
  "brand",
  "is_my_brand",
  "score",
  "reason",
  "ci_low",
  "ci_high",
  "grade",
  "others",
  "spans",
  "answers",
  "prompts",
  "named",
  "unjudged",
] as const satisfies readonly (keyof Attributes["data"][number])[];

export function attributesCsv({ data }: Attributes): Cells[] {
  return tableOf(data, OF_ATTRIBUTES, ["change"]);
}

const OF_AWARENESS = [
  "brand",
  "is_my_brand",
  "answers",
  "prompts",
  "occurrences",
  "unaided",
  "unaided_ci_low",
  "unaided_ci_high",
  "unaided_grade",
  "asked",
  "asked_prompts",
  "recognised",
  "not_recognised",
  "confused",
  "aided",
  "aided_ci_low",
  "aided_ci_high",
  "aided_grade",
  "look_alikes_asked",
  "look_alikes_recognised",
  "look_alikes",
] as const satisfies readonly (keyof Awareness["data"][number])[];

export function awarenessCsv({ data }: Awareness): Cells[] {
  return tableOf(data, OF_AWARENESS, ["unaided_change", "aided_change", "difference"]);
}

/** What is told of a change or a difference, each in a column of its own. */
const WITHIN = {
  change: ["before", "after", "delta", "ci_low", "ci_high", "p", "verdict", "cells"],
  difference: ["delta", "ci_low", "ci_high", "templates"],
} as const;

/** `columns` are of the rows, `nested` of what stands in them: `change_delta`. */
function tableOf<Row extends object>(
  rows: readonly Row[],
  columns: readonly (keyof Row & string)[],
  nested: readonly (keyof Row & string)[],
): Cells[] {
  const within = nested.flatMap((name) =>
    WITHIN[name === "difference" ? "difference" : "change"].map((part) => ({ name, part })),
  );
  const head = [...columns, ...within.map(({ name, part }) => `${name}_${part}`)];
  const lines = rows.map((row) => [
    ...columns.map((column) => cell(row[column] as Value)),
    ...within.map(({ name, part }) => cell((row[name] as Record<string, Value> | null | undefined)?.[part])),
  ]);
  return [head, ...lines];
}

function cell(value: Value): string | number | null {
  return typeof value === "boolean" ? String(value) : (value ?? null);
}
