import type { CsvColumn } from "../../http/pages/csv.ts";
import { POINTS_TABLE } from "./orders.ts";
import type { Attributes, Awareness, Comparisons, Perception } from "./view.ts";

// Values as in the API response.

const CHANGE = ["before", "after", "delta", "ci_low", "ci_high", "p", "verdict", "cells"] as const;

/** Flattens a change into columns such as `sentiment_change_delta`. */
function within<Name extends string, Part extends string>(name: Name, parts: readonly Part[]) {
  type Row = { [key in Name]?: { [part in Part]?: string | number | null | undefined } | null | undefined };
  return parts.map((part) => [`${name}_${part}`, (row: Row) => row[name]?.[part]] as const);
}

const STANCES = ["winner", "recommended", "caveated", "mentioned", "discouraged"] as const;
type Brand = Perception["data"][number];
const OF_BRAND = ["brand", "is_my_brand", "answers", "prompts"] as const;
const OF_SENTIMENT: readonly CsvColumn<Brand>[] = [
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
  ...within("con_rate_change", CHANGE),
  ...within("sentiment_change", CHANGE),
];

export const STANCE_COLUMNS: readonly CsvColumn<Brand>[] = [
  ...OF_BRAND,
  ...STANCES.flatMap((stance) => [stance, `${stance}_share`] as const),
  ...OF_SENTIMENT,
];

export const SENTIMENT_COLUMNS: readonly CsvColumn<Brand>[] = [...OF_BRAND, ...OF_SENTIMENT];

export const POINT_COLUMNS: readonly CsvColumn<ReturnType<typeof pointRows>[number]>[] = [
  "brand",
  "polarity",
  "phrase",
  "head",
  "answers",
  "asked",
  "answer_id",
  "text",
];

/** One row per pro or con, with its quoted sentence. */
export function pointRows(rows: readonly Brand[], query: URLSearchParams) {
  return rows.flatMap(({ brand, pros, cons, quotations }) =>
    [
      ...POINTS_TABLE.inOrder(pros, query).map((point) => ({ brand, polarity: "pro", ...point })),
      ...POINTS_TABLE.inOrder(cons, query).map((point) => ({ brand, polarity: "con", ...point })),
    ].map((point) => {
      const quoted = quotations.find(({ polarity, head }) => polarity === point.polarity && head === point.head);
      return { ...point, answer_id: quoted?.answer_id, text: quoted?.text };
    }),
  );
}

export const COMPARISON_COLUMNS: readonly CsvColumn<Comparisons["data"][number]>[] = [
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
  ...within("change", CHANGE),
];

export const ATTRIBUTE_COLUMNS: readonly CsvColumn<Attributes["data"][number]>[] = [
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
  ...within("change", CHANGE),
];

export const AWARENESS_COLUMNS: readonly CsvColumn<Awareness["data"][number]>[] = [
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
  ...within("unaided_change", CHANGE),
  ...within("aided_change", CHANGE),
  ...within("difference", ["delta", "ci_low", "ci_high", "templates"]),
];
