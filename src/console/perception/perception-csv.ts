import type { CsvColumn } from "../../http/pages/csv.ts";
import { POINTS_TABLE } from "./perception-tables.ts";
import type { Attributes, Awareness, Comparisons, Perception } from "./view.ts";

const CHANGE_PARTS = ["before", "after", "delta", "ci_low", "ci_high", "p", "verdict", "cells"] as const;

/** Flattens a change into one column per part, named after the change and the part. */
function partColumns<Name extends string, Part extends string>(name: Name, parts: readonly Part[]) {
  type RowWithParts = { [key in Name]?: { [part in Part]?: string | number | null | undefined } | null | undefined };
  return parts.map((part) => [`${name}_${part}`, (row: RowWithParts) => row[name]?.[part]] as const);
}

const STANCE_COLUMN_NAMES = ["winner", "recommended", "caveated", "mentioned", "discouraged"] as const;
type BrandRow = Perception["data"][number];
const BRAND_COLUMNS = ["brand", "is_my_brand", "answers", "prompts"] as const;
const SENTIMENT_PART_COLUMNS: readonly CsvColumn<BrandRow>[] = [
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
  ...partColumns("con_rate_change", CHANGE_PARTS),
  ...partColumns("sentiment_change", CHANGE_PARTS),
];

export const STANCE_COLUMNS: readonly CsvColumn<BrandRow>[] = [
  ...BRAND_COLUMNS,
  ...STANCE_COLUMN_NAMES.flatMap((stance) => [stance, `${stance}_share`] as const),
  ...SENTIMENT_PART_COLUMNS,
  ...partColumns("recommended_share_change", CHANGE_PARTS),
  ...partColumns("caveated_share_change", CHANGE_PARTS),
];

export const SENTIMENT_COLUMNS: readonly CsvColumn<BrandRow>[] = [...BRAND_COLUMNS, ...SENTIMENT_PART_COLUMNS];

export const POINT_COLUMNS: readonly CsvColumn<ReturnType<typeof toPointRows>[number]>[] = [
  "brand",
  "polarity",
  "phrase",
  "head",
  "answers",
  "asked",
  "answer_id",
  "text",
];

export function toPointRows(rows: readonly BrandRow[], query: URLSearchParams) {
  return rows.flatMap(({ brand, pros, cons, quotations }) =>
    [
      ...POINTS_TABLE.sortRows(pros, query).map((point) => ({ brand, polarity: "pro", ...point })),
      ...POINTS_TABLE.sortRows(cons, query).map((point) => ({ brand, polarity: "con", ...point })),
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
  ...partColumns("change", CHANGE_PARTS),
  "no_preference",
  "brand_missing",
  "aspects_only",
  "no_pick",
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
  "score_of_others",
  "spans",
  "answers",
  "prompts",
  "named",
  "unjudged",
  ...partColumns("change", CHANGE_PARTS),
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
  ...partColumns("unaided_change", CHANGE_PARTS),
  ...partColumns("aided_change", CHANGE_PARTS),
  ...partColumns("difference", ["delta", "ci_low", "ci_high", "templates"]),
];
