import type { PageCheck } from "../check.ts";
import { DATE_CHECKS } from "./dates.ts";
import { DESCRIPTION_CHECKS } from "./descriptions.ts";
import { HEADING_CHECKS } from "./headings.ts";
import { IMAGE_CHECKS } from "./images.ts";
import { LANDMARK_CHECKS } from "./landmarks.ts";
import { LANGUAGE_CHECKS } from "./language.ts";
import { LIST_CHECKS } from "./lists.ts";
import { OPEN_GRAPH_CHECKS } from "./open-graph.ts";
import { STRUCTURED_DATA_CHECKS } from "./structured-data.ts";
import { TABLE_CHECKS } from "./tables.ts";
import { TITLE_CHECKS } from "./titles.ts";

export const SEMANTIC_CHECKS: readonly PageCheck[] = [
  ...TITLE_CHECKS,
  ...DESCRIPTION_CHECKS,
  ...HEADING_CHECKS,
  ...LANGUAGE_CHECKS,
  ...LANDMARK_CHECKS,
  ...TABLE_CHECKS,
  ...LIST_CHECKS,
  ...DATE_CHECKS,
  ...IMAGE_CHECKS,
  ...OPEN_GRAPH_CHECKS,
  ...STRUCTURED_DATA_CHECKS,
];
