import type { CsvColumn } from "../../http/pages/csv.ts";
import type { BrandRow } from "./view.ts";

const CHANGE_PARTS = ["before", "after", "delta", "ci_low", "ci_high", "p", "verdict", "cells"] as const;

export const BRAND_COLUMNS: readonly CsvColumn<BrandRow>[] = [
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
  ...CHANGE_PARTS.map((name) => [`change_${name}`, ({ change }: BrandRow) => change?.[name]] as const),
];
